package kvrank.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import kvrank.machine.DeviceTraffic;
import kvrank.machine.ProcessWatch;
import kvrank.results.Resources;

/**
 * Samples a run's server and client while its phases go, and sums up each phase. It shares the
 * machine with what it looks at: all files stay open, and a line is built without formats.
 */
final class ResourceSampler implements AutoCloseable {

  private static final Duration INTERVAL = Duration.ofMillis(250);

  private static final String HEADER =
      "phase,elapsed_ms,process,user_seconds,system_seconds,resident_bytes,"
          + "read_bytes,written_bytes,children_bytes,cancelled_bytes\n";

  private final Optional<WatchedProcess> server;
  private final WatchedProcess client;
  private final Optional<DeviceTraffic> device;
  private final BackgroundLoad share;
  private final Writer series;
  private final StringBuilder line = new StringBuilder();
  private final long startNanos = System.nanoTime();
  private final Thread clock = new Thread(this::sampleUntilClosed, "resource-sampler");
  private Optional<DeviceTraffic.Sample> deviceBefore = Optional.empty();
  private String phase = "";
  private boolean closed;

  /**
   * Begins to sample.
   *
   * @param server the server's process, if it can be seen from here
   * @param client the worker's process
   * @param data the data directory, if it can be seen from here
   * @param file where the series goes, as CSV
   */
  ResourceSampler(OptionalLong server, long client, Optional<Path> data, Path file) {
    this.server =
        server.isPresent()
            ? Optional.of(
                new WatchedProcess("server", ProcessWatch.withDescendants(server.getAsLong())))
            : Optional.empty();
    this.client = new WatchedProcess("client", ProcessWatch.alone(client));
    this.device = data.flatMap(DeviceTraffic::of);
    this.share = new BackgroundLoad();
    try {
      this.series = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
      series.write(HEADER);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    clock.setDaemon(true);
    clock.start();
  }

  /**
   * What a phase used.
   *
   * @param facts what the rest of the machine did meanwhile
   */
  record Used(Resources resources, SortedMap<String, String> facts) {}

  /** What is sampled from now on belongs to {@code name}; called again where its warm-up ends. */
  synchronized void begin(String name) {
    phase = name;
    server.ifPresent(WatchedProcess::begin);
    client.begin();
    deviceBefore = device.flatMap(DeviceTraffic::sample);
    share.begin(ours());
  }

  /** Ends the phase; its footprint is still to be found. */
  synchronized Used end() {
    sample();
    SortedMap<String, String> facts = share.end(ours());
    Resources resources =
        new Resources(
            server.flatMap(WatchedProcess::usage),
            client.usage(),
            OptionalLong.empty(),
            deviceBefore.flatMap(
                before -> device.flatMap(DeviceTraffic::sample).map(now -> between(before, now))));
    phase = "";
    return new Used(resources, facts);
  }

  private static Resources.Traffic between(DeviceTraffic.Sample before, DeviceTraffic.Sample now) {
    return new Resources.Traffic(
        now.readBytes() - before.readBytes(), now.writtenBytes() - before.writtenBytes());
  }

  /** CPU seconds of server and client since they began. */
  private double ours() {
    return server.map(WatchedProcess::cpuSeconds).orElse(0.0) + client.cpuSeconds();
  }

  @Override
  public void close() {
    clock.interrupt();
    synchronized (this) {
      closed = true;
      server.ifPresent(WatchedProcess::close);
      client.close();
      device.ifPresent(DeviceTraffic::close);
      share.close();
      try {
        series.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void sampleUntilClosed() {
    try {
      while (true) {
        sample();
        TimeUnit.MILLISECONDS.sleep(INTERVAL.toMillis());
      }
    } catch (InterruptedException over) {
      // The run is over.
    }
  }

  private synchronized void sample() {
    if (closed) {
      return;
    }
    long elapsedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    line.setLength(0);
    server.ifPresent(each -> each.sample(phase, elapsedMillis, line));
    client.sample(phase, elapsedMillis, line);
    device
        .flatMap(DeviceTraffic::sample)
        .ifPresent(
            traffic ->
                line.append(phase)
                    .append(',')
                    .append(elapsedMillis)
                    .append(",device,,,,")
                    .append(traffic.readBytes())
                    .append(',')
                    .append(traffic.writtenBytes())
                    .append(",,\n"));
    try {
      series.append(line);
      series.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
