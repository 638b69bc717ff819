package kvrank.capture;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import kvrank.binding.net.Endpoint;

/** Measures the latency of a PING every 0.25 s, on a connection of its own. */
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

  /** Returns latencies since the last call in microseconds; throws if a PING failed. */
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
