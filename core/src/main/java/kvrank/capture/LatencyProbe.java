package kvrank.capture;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import kvrank.binding.Endpoint;

/** How long a server takes to answer PING, each 20 ms, seen by a client that does nothing else. */
final class LatencyProbe implements Closeable {

  private static final long PERIOD_NANOS = 20_000_000;

  private final Server server;
  private final Thread thread;
  private double[] micros = new double[256];
  private int count;
  private IOException failure;
  private volatile boolean closed;

  private LatencyProbe(Server server) {
    this.server = server;
    this.thread = new Thread(this::look, "latency-probe");
    thread.setDaemon(true);
    thread.start();
  }

  static LatencyProbe open(Endpoint endpoint, AtomicLong total) throws IOException {
    return new LatencyProbe(Server.open(endpoint, total));
  }

  private void look() {
    try {
      while (!closed) {
        long begin = System.nanoTime();
        server.required("PING");
        long nanos = System.nanoTime() - begin;
        add(nanos / 1e3);
        Thread.sleep(Math.max(1, (PERIOD_NANOS - nanos) / 1_000_000));
      }
    } catch (IOException e) {
      fail(e);
    } catch (InterruptedException e) {
      // It is closed.
    }
  }

  private synchronized void add(double one) {
    if (count == micros.length) {
      micros = Arrays.copyOf(micros, 2 * count);
    }
    micros[count++] = one;
  }

  private synchronized void fail(IOException e) {
    failure = e;
  }

  /**
   * Returns the times since the last call, in microseconds.
   *
   * @throws IOException if the server does not answer
   */
  synchronized double[] take() throws IOException {
    if (failure != null) {
      throw failure;
    }
    double[] taken = Arrays.copyOf(micros, count);
    count = 0;
    return taken;
  }

  @Override
  public void close() throws IOException {
    closed = true;
    thread.interrupt();
    server.close();
  }
}
