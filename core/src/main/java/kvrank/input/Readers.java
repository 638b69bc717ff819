package kvrank.input;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Threads that read files, each of which has a time limit, at which its thread is abandoned. */
public final class Readers {

  private static final String ENDLESS =
      "reading it did not end within %d s, as with a pipe; replace it with a regular file";

  private static final ExecutorService THREADS = Executors.newCachedThreadPool(Reader::new);

  private Readers() {}

  /** A file that is being read since {@code start}, by {@code System.nanoTime()}. */
  private record Reading(Path file, long start, Duration patience) {

    boolean overdue() {
      return System.nanoTime() - start > patience.toNanos();
    }

    String endless() {
      return ENDLESS.formatted(patience.toSeconds());
    }
  }

  private static final class Reader extends Thread {

    /** Null between two files. */
    private volatile Reading reading;

    Reader(Runnable task) {
      super(task, "input-file");
      setDaemon(true);
    }
  }

  /**
   * Applies {@code read} to all items and uses all processors. Handing over each file to a thread
   * takes longer than reading a small one.
   *
   * @throws IOException if reading a file does not end within its time limit
   */
  public static <T> void forEach(Collection<T> items, Consumer<T> read) throws IOException {
    Queue<T> queue = new ConcurrentLinkedQueue<>(items);
    List<Reader> readers = new CopyOnWriteArrayList<>();
    Callable<Void> task =
        () -> {
          readers.add((Reader) Thread.currentThread());
          for (T item = queue.poll(); item != null; item = queue.poll()) {
            read.accept(item);
          }
          return null;
        };
    List<Future<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      tasks.add(THREADS.submit(task));
    }
    try {
      for (Future<Void> each : tasks) {
        while (!ended(each)) {
          for (Reader reader : readers) {
            Reading reading = reader.reading;
            if (reading != null && reading.overdue()) {
              throw new IOException(reading.file + ": " + reading.endless());
            }
          }
        }
      }
    } finally {
      queue.clear(); // nothing more is read after a failure
    }
  }

  /** Waits a little. */
  private static boolean ended(Future<Void> task) throws IOException {
    try {
      result(task, Duration.ofMillis(100));
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  /** Returns the result of a step that reads {@code file}. */
  static <T> T within(Duration patience, Path file, Callable<T> step) throws IOException {
    Reading reading = new Reading(file, System.nanoTime(), patience);
    try {
      if (Thread.currentThread() instanceof Reader reader) {
        reader.reading = reading;
        try {
          return step.call();
        } finally {
          reader.reading = null;
        }
      }
      return result(THREADS.submit(step), patience);
    } catch (TimeoutException e) {
      throw new IOException(reading.endless(), e);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static <T> T result(Future<T> step, Duration patience)
      throws IOException, TimeoutException {
    try {
      return step.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the reading was interrupted");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException(e.getCause());
    }
  }
}
