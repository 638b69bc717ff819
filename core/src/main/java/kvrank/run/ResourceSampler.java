package kvrank.run;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import kvrank.machine.ProcessSample;
import kvrank.results.Resources;
import kvrank.results.Usage;

/** Samples a run's server and client while its phases go, and sums up each phase. */
final class ResourceSampler implements AutoCloseable {

  private static final Duration INTERVAL = Duration.ofMillis(250);

  private final Watched server;
  private final Watched client;
  private final PrintWriter series;
  private final long startNanos = System.nanoTime();
  private final Thread clock = new Thread(this::sampleUntilClosed, "resource-sampler");
  private String phase = "";

  /**
   * Begins to sample.
   *
   * @param server the server's process, if it can be seen from here
   * @param client the worker's process
   * @param file where the series goes, as CSV
   */
  ResourceSampler(OptionalLong server, long client, Path file) {
    this.server = new Watched("server", server);
    this.client = new Watched("client", OptionalLong.of(client));
    try {
      this.series = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    series.println(
        "phase,elapsed_ms,process,user_seconds,system_seconds,resident_bytes,"
            + "read_bytes,written_bytes");
    clock.setDaemon(true);
    clock.start();
  }

  /** What is sampled from now on belongs to {@code name}; called again where its warm-up ends. */
  synchronized void begin(String name) {
    phase = name;
    server.begin();
    client.begin();
  }

  /**
   * Ends the phase.
   *
   * @param footprintBytes the data directory's allocated blocks now
   */
  synchronized Resources end(OptionalLong footprintBytes) {
    sample();
    Resources resources = new Resources(server.usage(), client.usage(), footprintBytes);
    phase = "";
    return resources;
  }

  @Override
  public void close() {
    clock.interrupt();
    synchronized (this) {
      series.close();
    }
  }

  private void sampleUntilClosed() {
    try {
      while (true) {
        sample();
        TimeUnit.MILLISECONDS.sleep(INTERVAL.toMillis());
      }
    } catch (InterruptedException closed) {
      // The run is over.
    }
  }

  private synchronized void sample() {
    long elapsedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    server.sample(phase, elapsedMillis, series);
    client.sample(phase, elapsedMillis, series);
    series.flush();
  }

  /** One process and what was seen of it in the current phase. */
  private static final class Watched {

    private final String role;
    private final OptionalLong pid;
    private Optional<ProcessSample> first = Optional.empty();
    private Optional<ProcessSample> last = Optional.empty();
    private long samples;
    private long residentSum;
    private long residentPeak;

    Watched(String role, OptionalLong pid) {
      this.role = role;
      this.pid = pid;
    }

    void begin() {
      first = pid.isPresent() ? ProcessSample.of(pid.getAsLong()) : Optional.empty();
      last = first;
      samples = 0;
      residentSum = 0;
      residentPeak = 0;
    }

    void sample(String phase, long elapsedMillis, PrintWriter series) {
      if (pid.isEmpty()) {
        return;
      }
      Optional<ProcessSample> seen = ProcessSample.of(pid.getAsLong());
      if (seen.isEmpty()) {
        return;
      }
      ProcessSample now = seen.get();
      last = seen;
      samples++;
      residentSum += now.residentBytes();
      residentPeak = Math.max(residentPeak, now.residentBytes());
      series.printf(
          "%s,%d,%s,%.2f,%.2f,%d,%d,%d%n",
          phase,
          elapsedMillis,
          role,
          now.userSeconds(),
          now.systemSeconds(),
          now.residentBytes(),
          now.readBytes(),
          now.writtenBytes());
    }

    Optional<Usage> usage() {
      if (first.isEmpty() || last.isEmpty() || samples == 0) {
        return Optional.empty();
      }
      ProcessSample from = first.get();
      ProcessSample to = last.get();
      return Optional.of(
          new Usage(
              to.userSeconds() - from.userSeconds(),
              to.systemSeconds() - from.systemSeconds(),
              residentSum / samples,
              residentPeak,
              to.residentBytes(),
              to.readBytes() - from.readBytes(),
              to.writtenBytes() - from.writtenBytes()));
    }
  }
}
