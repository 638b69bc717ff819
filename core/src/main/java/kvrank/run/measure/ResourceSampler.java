package kvrank.run.measure;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import kvrank.fact.Facts;
import kvrank.input.Reason;
import kvrank.machine.BlockDevice;
import kvrank.machine.ProcessSample;
import kvrank.machine.ProcessWatch;
import kvrank.machine.Sampling;
import kvrank.machine.Storage;
import kvrank.results.ResourceSeries;
import kvrank.results.ResourceSeries.Column;
import kvrank.results.Resources;

/** Samples a run's server and client, and sums up each phase. */
final class ResourceSampler implements AutoCloseable {

  private static final Duration INTERVAL = Duration.ofMillis(250);

  private final Optional<WatchedProcess> server;
  private final WatchedProcess client;
  private final Optional<BlockDevice> device;
  private final Optional<FootprintSampler> footprint;
  private final OthersWatch others;
  private final Path file;
  private final Writer series;
  private final long startNanos = System.nanoTime();
  private final Sampling sampling;
  private Optional<BlockDevice.Traffic> deviceBefore = Optional.empty();
  private Optional<BlockDevice.Traffic> deviceLast = Optional.empty();
  private String phase = "";
  private boolean warmup;
  private Optional<IOException> broken = Optional.empty();
  private boolean closed;
  private Ended ended = new Ended(startNanos, ProcessSample.NONE);

  /**
   * Starts sampling server, clients and the data's device, as far as visible, into a CSV file.
   *
   * @param packets whether the engine is behind a socket
   * @param limit of the memory of the engine, the cache of its files included
   */
  ResourceSampler(
      OptionalLong server,
      List<Long> clients,
      Optional<Path> data,
      boolean packets,
      OptionalLong limit,
      Path file)
      throws IOException {
    // First, as no sampler may run on if this fails.
    this.file = file;
    this.series = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
    series.write(ResourceSeries.HEADING);
    this.server =
        server.stream()
            .mapToObj(
                pid -> new WatchedProcess(ResourceSeries.SERVER, new ProcessWatch(pid)::sample))
            .findFirst();
    this.client =
        new WatchedProcess(
            ResourceSeries.CLIENT,
            () ->
                clients.stream()
                    .flatMap(pid -> ProcessSample.of(pid).stream())
                    .reduce(ProcessSample::and));
    this.device = data.flatMap(BlockDevice::of);
    // The page cache does not have files of a tmpfs.
    boolean cached = data.isPresent() && Storage.of(data.get()).kind() != Storage.Kind.MEMORY;
    boolean known = server.isPresent() || !packets;
    this.others =
        new OthersWatch(
            LongStream.concat(server.stream(), clients.stream().mapToLong(Long::longValue))
                .boxed()
                .toList(),
            this::ours,
            packets,
            device.isPresent(),
            cached && known,
            limit);
    this.footprint = data.map(folder -> new FootprintSampler(folder, this::size));
    this.sampling = Sampling.start("resource-sampler", this::regularSample);
  }

  /**
   * A process when a phase ended.
   *
   * @param nanos by {@link System#nanoTime}
   */
  record Ended(long nanos, ProcessSample sample) {}

  /** The resources of a phase, and facts about the rest of the machine. */
  record Used(Resources resources, Facts facts) {}

  /** Starts the samples of phase {@code name}, and again at the end of its warm-up. */
  synchronized void begin(String name, boolean warmingUp) {
    phase = name;
    warmup = warmingUp;
    server.ifPresent(WatchedProcess::begin);
    client.begin();
    footprint.ifPresent(FootprintSampler::begin);
    deviceBefore = device.flatMap(BlockDevice::traffic);
    others.begin();
    sample();
  }

  /** Ends the phase, and leaves out its footprint; throws if the series could not be written. */
  synchronized Used end() throws IOException {
    sample();
    ended = new Ended(System.nanoTime(), server.orElse(client).last());
    if (broken.isPresent()) {
      throw new IOException(
          "'%s' cannot be written: %s".formatted(file, Reason.of(broken.get())), broken.get());
    }
    Optional<Resources.Traffic> traffic =
        deviceBefore.isPresent() && deviceLast.isPresent()
            ? Optional.of(
                new Resources.Traffic(
                    deviceLast.get().readBytes() - deviceBefore.get().readBytes(),
                    deviceLast.get().writtenBytes() - deviceBefore.get().writtenBytes()))
            : Optional.empty();
    Facts facts = others.end();
    phase = "";
    warmup = false;
    return new Used(
        new Resources(
            server.flatMap(WatchedProcess::usage), client.usage(), OptionalLong.empty(), traffic),
        facts);
  }

  /**
   * Adds the size of the data folder at the end of stretch {@code name}, or after the engine was
   * closed if that is empty. Returns the largest size in the stretch.
   */
  OptionalLong footprint(String name, OptionalLong end) {
    end.ifPresent(bytes -> footprint(name, false, bytes));
    return footprint.map(sampler -> sampler.peak(end)).orElse(end);
  }

  private synchronized void size(long bytes) {
    others.size(bytes);
    footprint(phase, warmup, bytes);
  }

  private synchronized void footprint(String name, boolean warmingUp, long bytes) {
    write(
        ResourceSeries.line(
            name,
            elapsedMillis(),
            ResourceSeries.DATA,
            warmingUp,
            Map.of(Column.FOOTPRINT_BYTES, Long.toString(bytes))));
  }

  /** Returns the server's process, or the client's without one, at the last end of a phase. */
  synchronized Ended ended() {
    return ended;
  }

  /** Returns the latest sample of server and clients together. */
  private ProcessSample ours() {
    return server.map(WatchedProcess::last).orElse(ProcessSample.NONE).and(client.last());
  }

  @Override
  public void close() {
    sampling.close();
    footprint.ifPresent(FootprintSampler::close);
    others.close();
    synchronized (this) {
      closed = true;
      try {
        series.close();
      } catch (IOException e) {
        // The end of a phase has reported it, or the run failed for another reason.
        broken = Optional.of(e);
      }
    }
  }

  /** Adds a sample, so that the series shows what was read before it. */
  void now() {
    sample();
  }

  private long regularSample() {
    sample();
    return INTERVAL.toNanos();
  }

  private synchronized void sample() {
    if (closed || broken.isPresent()) {
      return;
    }
    long elapsedMillis = elapsedMillis();
    StringBuilder lines = new StringBuilder();
    server.ifPresent(process -> process.sample(phase, elapsedMillis, warmup, lines));
    client.sample(phase, elapsedMillis, warmup, lines);
    others.sample();
    deviceLast = device.flatMap(BlockDevice::traffic);
    deviceLast.ifPresent(
        traffic ->
            lines.append(
                ResourceSeries.line(
                    phase,
                    elapsedMillis,
                    ResourceSeries.DEVICE,
                    warmup,
                    Map.of(
                        Column.READ_BYTES, Long.toString(traffic.readBytes()),
                        Column.WRITTEN_BYTES, Long.toString(traffic.writtenBytes()),
                        Column.FLUSHES, text(device.get().flushes())))));
    write(lines);
  }

  private long elapsedMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
  }

  private synchronized void write(CharSequence lines) {
    if (closed || broken.isPresent()) {
      return;
    }
    try {
      series.append(lines);
      series.flush();
    } catch (IOException e) {
      broken = Optional.of(e);
    }
  }

  /** Returns a cell of the series. */
  static String text(OptionalLong value) {
    return value.isPresent() ? Long.toString(value.getAsLong()) : "";
  }
}
