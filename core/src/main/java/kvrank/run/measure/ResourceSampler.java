package kvrank.run.measure;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.input.Reason;
import kvrank.machine.BackgroundLoad;
import kvrank.machine.BlockDevice;
import kvrank.machine.DiskWaits;
import kvrank.machine.ProcessSample;
import kvrank.machine.ProcessWatch;
import kvrank.machine.Sampling;
import kvrank.machine.ShortageWatch;
import kvrank.metric.Usage;
import kvrank.results.Resources;

/** Samples a run's server and client, and sums up each phase. */
final class ResourceSampler implements AutoCloseable {

  private static final Duration INTERVAL = Duration.ofMillis(250);
  private static final String HEADER =
      "phase,elapsed_ms,process,user_seconds,system_seconds,resident_bytes,"
          + "read_bytes,written_bytes,children_bytes,cancelled_bytes,flushes,warmup\n";

  private final Optional<WatchedProcess> server;
  private final WatchedProcess client;
  private final Optional<BlockDevice> device;
  private final Optional<FootprintSampler> footprint;
  private final Optional<DiskWaits> waits;
  private final Path file;
  private final Writer series;
  private final long startNanos = System.nanoTime();
  private final Sampling sampling;
  private Optional<BlockDevice.Traffic> deviceBefore = Optional.empty();
  private final boolean packets;
  private BackgroundLoad others = new BackgroundLoad(0, false);
  private int samples;
  private int samplesShortOfTcp;
  private String phase = "";
  private boolean warmup;
  private Optional<IOException> broken = Optional.empty();
  private boolean closed;
  private Ended ended = new Ended(startNanos, ProcessSample.NONE);

  /**
   * Starts sampling server, clients and the data's device, as far as visible, into a CSV file.
   *
   * @param packets whether the engine is behind a socket
   */
  ResourceSampler(
      OptionalLong server, List<Long> clients, Optional<Path> data, boolean packets, Path file)
      throws IOException {
    // First, as no sampler may run on if this fails.
    this.file = file;
    this.series = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
    series.write(HEADER);
    this.server =
        server.stream()
            .mapToObj(pid -> new WatchedProcess("server", new ProcessWatch(pid)::sample))
            .findFirst();
    this.client =
        new WatchedProcess(
            "client",
            () ->
                clients.stream()
                    .flatMap(pid -> ProcessSample.of(pid).stream())
                    .reduce(ProcessSample::and));
    this.device = data.flatMap(BlockDevice::of);
    this.footprint = data.map(FootprintSampler::new);
    this.packets = packets;
    this.waits =
        device.map(
            disk ->
                DiskWaits.of(
                    LongStream.concat(server.stream(), clients.stream().mapToLong(Long::longValue))
                        .boxed()
                        .toList()));
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
    others = new BackgroundLoad(ours(), packets);
    waits.ifPresent(DiskWaits::begin);
    samples = 0;
    samplesShortOfTcp = 0;
    sample();
  }

  /** Ends the phase, and leaves out its footprint; throws if the series could not be written. */
  synchronized Used end() throws IOException {
    sample();
    ended = new Ended(System.nanoTime(), server.orElse(client).last.orElse(ProcessSample.NONE));
    if (broken.isPresent()) {
      throw new IOException(
          "'%s' cannot be written: %s".formatted(file, Reason.of(broken.get())), broken.get());
    }
    Optional<BackgroundLoad.Shares> shares = others.shares(ours());
    Optional<BlockDevice.Traffic> after = device.flatMap(BlockDevice::traffic);
    Optional<Resources.Traffic> traffic =
        deviceBefore.isPresent() && after.isPresent()
            ? Optional.of(
                new Resources.Traffic(
                    after.get().readBytes() - deviceBefore.get().readBytes(),
                    after.get().writtenBytes() - deviceBefore.get().writtenBytes()))
            : Optional.empty();
    Facts facts = shares.map(BackgroundLoad.Shares::facts).orElseGet(Facts::new);
    waits
        .map(DiskWaits::share)
        .ifPresent(share -> share.ifPresent(it -> facts.put(Fact.OTHERS_DISK_SHARE, it)));
    if (packets) {
      facts.put(Fact.TCP_SHORT_SHARE, (double) samplesShortOfTcp / samples);
    }
    phase = "";
    warmup = false;
    return new Used(
        new Resources(
            server.flatMap(WatchedProcess::usage), client.usage(), OptionalLong.empty(), traffic),
        facts);
  }

  /** Returns the largest size of the data folder in the phase, with that at its end. */
  OptionalLong footprintPeak(OptionalLong end) {
    return footprint.map(sampler -> sampler.peak(end)).orElse(end);
  }

  /** Returns the server's process, or the client's without one, at the last end of a phase. */
  synchronized Ended ended() {
    return ended;
  }

  private double ours() {
    return server.map(WatchedProcess::cpuSeconds).orElse(0.0) + client.cpuSeconds();
  }

  @Override
  public void close() {
    sampling.close();
    footprint.ifPresent(FootprintSampler::close);
    waits.ifPresent(DiskWaits::close);
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

  private long regularSample() {
    sample();
    return INTERVAL.toNanos();
  }

  private synchronized void sample() {
    if (closed || broken.isPresent()) {
      return;
    }
    samples++;
    samplesShortOfTcp += packets && ShortageWatch.tcpIsShort() ? 1 : 0;
    long elapsedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    StringBuilder lines = new StringBuilder();
    server.ifPresent(process -> process.sample(phase, elapsedMillis, warmup, lines));
    client.sample(phase, elapsedMillis, warmup, lines);
    String line = "%s,%d,device,,,,%d,%d,,,%s,%b\n";
    Optional<BlockDevice.Traffic> traffic = device.flatMap(BlockDevice::traffic);
    traffic.ifPresent(
        it ->
            lines.append(
                line.formatted(
                    phase,
                    elapsedMillis,
                    it.readBytes(),
                    it.writtenBytes(),
                    text(device.get().flushes()),
                    warmup)));
    try {
      series.append(lines);
      series.flush();
    } catch (IOException e) {
      broken = Optional.of(e);
    }
  }

  private static String text(OptionalLong value) {
    return value.isPresent() ? Long.toString(value.getAsLong()) : "";
  }

  /** The samples of one side of a run since a phase started. */
  private static final class WatchedProcess {

    private final String role;
    private final Supplier<Optional<ProcessSample>> watch;
    private Optional<ProcessSample> first = Optional.empty();
    private Optional<ProcessSample> last = Optional.empty();
    private LongSummaryStatistics resident = new LongSummaryStatistics();
    private LongSummaryStatistics anonymous = new LongSummaryStatistics();
    private long childrenPeak;

    WatchedProcess(String role, Supplier<Optional<ProcessSample>> watch) {
      this.role = role;
      this.watch = watch;
    }

    void begin() {
      first = watch.get();
      last = first;
      resident = new LongSummaryStatistics();
      anonymous = new LongSummaryStatistics();
      childrenPeak = 0;
    }

    void sample(String phase, long elapsedMillis, boolean warmup, StringBuilder series) {
      Optional<ProcessSample> seen = watch.get();
      if (seen.isEmpty()) {
        return;
      }
      ProcessSample now = seen.get();
      last = seen;
      resident.accept(now.residentBytes());
      anonymous.accept(now.anonymousBytes());
      childrenPeak = Math.max(childrenPeak, now.childrenBytes());
      series.append(
          String.format(
              Locale.ROOT,
              "%s,%d,%s,%.2f,%.2f,%d,%s,%s,%d,%s,,%b\n",
              phase,
              elapsedMillis,
              role,
              now.userSeconds(),
              now.systemSeconds(),
              now.residentBytes(),
              text(now.readBytes()),
              text(now.writtenBytes()),
              now.childrenBytes(),
              text(now.cancelledBytes()),
              warmup));
    }

    /** Returns CPU seconds from the process's start to the last sample. */
    double cpuSeconds() {
      return last.map(ProcessSample::cpuSeconds).orElse(0.0);
    }

    /** Returns the use since {@link #begin}; empty if the process was not visible. */
    Optional<Usage> usage() {
      if (first.isEmpty() || resident.getCount() == 0) {
        return Optional.empty();
      }
      ProcessSample used = last.get().since(first.get());
      return Optional.of(
          new Usage(
              used.userSeconds(),
              used.systemSeconds(),
              resident.getSum() / resident.getCount(),
              resident.getMax(),
              used.residentBytes(),
              childrenPeak,
              used.readBytes(),
              used.writtenBytes(),
              used.cancelledBytes(),
              OptionalLong.of(used.majorFaults()),
              OptionalLong.of(used.anonymousBytes()),
              OptionalLong.of(anonymous.getSum() / anonymous.getCount()),
              OptionalLong.of(anonymous.getMax())));
    }
  }
}
