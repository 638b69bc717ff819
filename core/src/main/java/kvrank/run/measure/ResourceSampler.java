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
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.input.Reason;
import kvrank.machine.BackgroundLoad;
import kvrank.machine.BlockDevice;
import kvrank.machine.DiskWaits;
import kvrank.machine.MemoryOfOthers;
import kvrank.machine.ProcessSample;
import kvrank.machine.ProcessWatch;
import kvrank.machine.RunDelay;
import kvrank.machine.Sampling;
import kvrank.machine.ShortageWatch;
import kvrank.machine.Storage;
import kvrank.machine.TimerInterrupts;
import kvrank.results.ResourceSeries;
import kvrank.results.ResourceSeries.Column;
import kvrank.results.Resources;

/** Samples a run's server and client, and sums up each phase. */
final class ResourceSampler implements AutoCloseable {

  private static final Duration INTERVAL = Duration.ofMillis(250);

  /** The CPUs that others must use to make ours wait; the threads of few are too short. */
  private static final double BUSY = 0.5;

  /** If server and clients use more than this share of all CPUs, they wait for each other. */
  private static final double CROWDED = 0.9;

  private final Optional<WatchedProcess> server;
  private final WatchedProcess client;
  private final Optional<BlockDevice> device;
  private final Optional<FootprintSampler> footprint;
  private final Optional<DiskWaits> waits;
  private final Optional<MemoryOfOthers> memory;
  private final OptionalLong limit;
  private final Path file;
  private final Writer series;
  private final long startNanos = System.nanoTime();
  private final Sampling sampling;
  private Optional<BlockDevice.Traffic> deviceBefore = Optional.empty();
  private Optional<BlockDevice.Traffic> deviceLast = Optional.empty();
  private final boolean packets;
  private final List<Long> processes;
  private BackgroundLoad others = new BackgroundLoad(0, false);
  private RunDelay delayBefore = new RunDelay(0, 0);
  private double oursBefore;
  private long begunNanos = startNanos;
  private int samples;
  private int samplesShortOfTcp;
  private long files;
  private OptionalDouble crowding = OptionalDouble.empty();
  private OptionalLong refaultsBefore = OptionalLong.empty();
  private Optional<TimerInterrupts> timersBefore = Optional.empty();
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
    this.packets = packets;
    this.processes =
        LongStream.concat(server.stream(), clients.stream().mapToLong(Long::longValue))
            .boxed()
            .toList();
    this.waits = device.map(disk -> DiskWaits.of(processes));
    // The page cache does not have files of a tmpfs.
    boolean cached = data.isPresent() && Storage.of(data.get()).kind() != Storage.Kind.MEMORY;
    boolean known = server.isPresent() || !packets;
    this.memory = cached && known ? Optional.of(new MemoryOfOthers()) : Optional.empty();
    this.limit = limit;
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
    oursBefore = ours();
    others = new BackgroundLoad(oursBefore, packets);
    delayBefore = RunDelay.of(processes);
    refaultsBefore = refaults();
    timersBefore = TimerInterrupts.now();
    begunNanos = System.nanoTime();
    waits.ifPresent(DiskWaits::begin);
    samples = 0;
    samplesShortOfTcp = 0;
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
    Optional<BackgroundLoad.Shares> shares = others.shares(ours());
    Optional<Resources.Traffic> traffic =
        deviceBefore.isPresent() && deviceLast.isPresent()
            ? Optional.of(
                new Resources.Traffic(
                    deviceLast.get().readBytes() - deviceBefore.get().readBytes(),
                    deviceLast.get().writtenBytes() - deviceBefore.get().writtenBytes()))
            : Optional.empty();
    Facts facts = shares.map(BackgroundLoad.Shares::facts).orElseGet(Facts::new);
    shares.ifPresent(each -> facts.put(Fact.OTHERS_DELAY_SHARE, delay(each.others())));
    waits
        .map(DiskWaits::share)
        .ifPresent(share -> share.ifPresent(it -> facts.put(Fact.OTHERS_DISK_SHARE, it)));
    refaultsOfOthers().ifPresent(pages -> facts.put(Fact.OTHERS_REFAULTS, pages));
    timersBefore
        .flatMap(before -> TimerInterrupts.now().map(now -> now.excessSince(before)))
        .ifPresent(excess -> excess.ifPresent(rate -> facts.put(Fact.TIMERS_PER_SECOND, rate)));
    crowding.ifPresent(most -> facts.put(Fact.OTHERS_MEMORY_SHARE, most));
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

  /**
   * Adds the size of the data folder at the end of stretch {@code name}, or after the engine was
   * closed if that is empty. Returns the largest size in the stretch.
   */
  OptionalLong footprint(String name, OptionalLong end) {
    end.ifPresent(bytes -> footprint(name, false, bytes));
    return footprint.map(sampler -> sampler.peak(end)).orElse(end);
  }

  private synchronized void size(long bytes) {
    files = Math.min(bytes, limit.orElse(bytes));
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

  /** Returns the share of the time in which others let server and clients wait for a CPU. */
  private double delay(double othersShare) {
    double seconds = (System.nanoTime() - begunNanos) / 1e9;
    boolean busy = othersShare * others.cpus() > BUSY;
    boolean room = ours() - oursBefore < CROWDED * others.cpus() * seconds;
    return busy && room ? RunDelay.of(processes).shareSince(delayBefore) : 0;
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
    samples++;
    samplesShortOfTcp += packets && ShortageWatch.tcpIsShort() ? 1 : 0;
    long elapsedMillis = elapsedMillis();
    StringBuilder lines = new StringBuilder();
    server.ifPresent(process -> process.sample(phase, elapsedMillis, warmup, lines));
    client.sample(phase, elapsedMillis, warmup, lines);
    memory.ifPresent(this::crowding);
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

  private void crowding(MemoryOfOthers others) {
    // A file that was dropped from memory stays out of it when there is room again.
    others
        .crowding(oursHeld(), files)
        .ifPresent(share -> crowding = OptionalDouble.of(Math.max(share, crowding.orElse(0))));
  }

  /** Returns the bytes that server, clients and kvrank hold. */
  private long oursHeld() {
    return server.map(it -> it.last().anonymousBytes()).orElse(0L)
        + client.last().anonymousBytes()
        + ProcessSample.of(ProcessHandle.current().pid())
            .map(ProcessSample::anonymousBytes)
            .orElse(0L);
  }

  private OptionalLong refaults() {
    return memory.map(MemoryOfOthers::refaults).orElse(OptionalLong.empty());
  }

  /** Returns the pages that were read again since the start although the engine's files fit. */
  private OptionalLong refaultsOfOthers() {
    OptionalLong now = refaults();
    long held = oursHeld();
    boolean fits =
        memory.filter(others -> others.fits(held, files)).isPresent()
            && held + files < limit.orElse(Long.MAX_VALUE);
    return fits && now.isPresent() && refaultsBefore.isPresent()
        ? OptionalLong.of(now.getAsLong() - refaultsBefore.getAsLong())
        : OptionalLong.empty();
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
