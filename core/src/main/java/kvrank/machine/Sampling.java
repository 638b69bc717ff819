package kvrank.machine;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;

/** A daemon thread that takes a sample again and again, until it is closed or a sample fails. */
public final class Sampling implements AutoCloseable {

  /** Takes one sample. */
  public interface Sample {

    /** Returns the nanoseconds until the next sample. */
    long take() throws IOException, InterruptedException;
  }

  private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Thread thread;

  private Sampling(String name, Sample sample) {
    thread = new Thread(() -> repeat(sample), name);
    thread.setDaemon(true);
  }

  /** Starts a thread of that name. */
  public static Sampling start(String name, Sample sample) {
    Sampling sampling = new Sampling(name, sample);
    sampling.thread.start();
    return sampling;
  }

  private static void repeat(Sample sample) {
    try {
      while (true) {
        TimeUnit.NANOSECONDS.sleep(sample.take());
      }
    } catch (InterruptedException | IOException over) {
      // It is closed, or there is nothing to sample any more.
    }
  }

  /** Returns the CPU time of the calling thread. */
  public static long cpuNanos() {
    return THREADS.getCurrentThreadCpuTime();
  }

  /**
   * Returns a pause of 100 ms to 1 s: {@code times} the CPU time of the sample that began at {@code
   * startCpuNanos}.
   */
  public static long pauseNanos(long startCpuNanos, int times) {
    long pause = times * (cpuNanos() - startCpuNanos);
    return Math.max(SHORTEST_PAUSE_NANOS, Math.min(pause, LONGEST_PAUSE_NANOS));
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
