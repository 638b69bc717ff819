package kvrank.capture;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import kvrank.binding.net.Endpoint;

/** How long a server takes to answer PING, each 0.25 s, seen by a client that does nothing else. */
final class LatencyProbe implements Closeable {

  private static final long PERIOD_MILLIS = 250;

  private final CapturedServer server;
  private final Queue<Double> micros = new ConcurrentLinkedQueue<>();
  private final Thread thread = new Thread(this::look, "latency-probe");
  private volatile IOException failure;

  LatencyProbe(Endpoint endpoint, ConcurrentMap<String, Long> sent) throws IOException {
    server = CapturedServer.open(endpoint, sent);
    thread.setDaemon(true);
    thread.start();
  }

  private void look() {
    try {
      while (true) {
        long begin = System.nanoTime();
        server.required("PING");
        micros.add((System.nanoTime() - begin) / 1e3);
        Thread.sleep(PERIOD_MILLIS);
      }
    } catch (IOException e) {
      failure = e;
    } catch (InterruptedException e) {
      // It is closed.
    }
  }

  /** Returns the times since the last call, in microseconds; throws if the server is silent. */
  double[] take() throws IOException {
    if (failure != null) {
      throw failure;
    }
    double[] taken = new double[micros.size()];
    Arrays.setAll(taken, i -> micros.remove());
    return taken;
  }

  @Override
  public void close() throws IOException {
    thread.interrupt();
    server.close();
  }
}
