package kvrank.run.measure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import kvrank.machine.Footprint;
import kvrank.machine.Sampling;

/**
 * The largest size of a data folder during a phase, such as that of a compaction, which needs old
 * and new files at once. {@code du} takes 2 ms of CPU for 100 files and 4 ms for 1,000.
 */
final class FootprintSampler implements AutoCloseable {

  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /** A pause is at least this multiple of the time of a sample: at most 2 % of a core are used. */
  private static final int PAUSE = 50;

  private final Size size;
  private final Duration interval;
  private final LongConsumer sizes;
  private final Sampling sampling;
  private OptionalLong peak = OptionalLong.empty();

  /** Reads the present size in bytes. */
  interface Size {
    OptionalLong read() throws InterruptedException;
  }

  /** Samples {@code folder} until it is closed; {@code sizes} receives each size. */
  FootprintSampler(Path folder, LongConsumer sizes) {
    this(() -> Footprint.of(folder), INTERVAL, sizes);
  }

  FootprintSampler(Size size, Duration interval, LongConsumer sizes) {
    this.size = size;
    this.interval = interval;
    this.sizes = sizes;
    this.sampling = Sampling.start("footprint-sampler", this::sample);
  }

  /** Forgets the sizes so far. */
  synchronized void begin() {
    peak = OptionalLong.empty();
  }

  /** Returns the largest size since {@link #begin}, {@code end} included. */
  synchronized OptionalLong peak(OptionalLong end) {
    add(end);
    return peak;
  }

  private synchronized void add(OptionalLong bytes) {
    bytes.ifPresent(now -> peak = OptionalLong.of(Math.max(now, peak.orElse(0))));
  }

  private long sample() throws InterruptedException {
    long begin = System.nanoTime();
    OptionalLong now = size.read();
    add(now);
    now.ifPresent(sizes);
    return Math.max(interval.toNanos(), PAUSE * (System.nanoTime() - begin));
  }

  @Override
  public void close() {
    sampling.close();
  }
}
