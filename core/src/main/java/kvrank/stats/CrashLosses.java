package kvrank.stats;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.failure.Cause;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.results.CrashTrialResult.PowerCut;
import kvrank.results.RunRecord;
import kvrank.workload.request.DurationFormat;
import org.apache.commons.math3.distribution.BetaDistribution;

/**
 * What an engine lost in the crash tests of its runs at one factor point: when it was killed, or in
 * power cuts.
 *
 * @param level the promise of an acknowledged write, as in {@code fsync}
 * @param missing who prevented crashes that were asked for: the engine if it does not write to the
 *     simulated disk
 */
public record CrashLosses(
    boolean powerCut, String level, List<Crash> crashes, List<Cause> missing) {

  private static final String EVERY = "every-";

  /** The confidence of {@link #mostLosing}. */
  private static final double CONFIDENCE = 0.95;

  /** A timer needs some time besides the interval, … */
  private static final Duration TOLERANCE = Duration.ofMillis(250);

  /** … and so does the disk: an fsync on ext4 takes two flushes, and may wait for another one. */
  private static final int FLUSHES = 4;

  /** Returns the losses of {@code runs} when they were killed, or in power cuts. */
  public static CrashLosses of(Collection<RunRecord> runs, String fsync, boolean powerCut) {
    List<String> levels =
        runs.stream()
            .map(run -> run.facts().find(Fact.DURABILITY_LEVEL).orElse(fsync))
            .distinct()
            .toList();
    List<CrashTrialResult> tests =
        runs.stream()
            .flatMap(run -> run.crashTest().stream())
            .filter(test -> test.powerCut() == powerCut)
            .toList();
    return new CrashLosses(
        powerCut,
        levels.size() == 1 ? levels.get(0) : fsync,
        tests.stream().map(CrashTrialResult::crashes).flatMap(List::stream).toList(),
        tests.stream().flatMap(test -> test.cause().stream()).toList());
  }

  /**
   * Returns the reason that {@code runs} may not be ranked at {@code fsync: on}, if there is one.
   */
  static Optional<String> disqualify(Collection<RunRecord> runs, String fsync) {
    return Stream.of(true, false)
        .map(powerCut -> of(runs, fsync, powerCut))
        .filter(CrashLosses::brokeItsWord)
        .map(losses -> "it " + losses.offence())
        .findFirst();
  }

  /** Returns whether {@code run} lost what its level of durability promises to keep. */
  public static boolean brokenPromise(RunRecord run) {
    String fsync = run.factors().getOrDefault(Group.FSYNC, "");
    return Stream.of(true, false)
        .map(powerCut -> of(List.of(run), fsync, powerCut))
        .anyMatch(CrashLosses::brokePromise);
  }

  /** Returns whether it lost more than its level allows, or at a level with a timer everything. */
  boolean brokePromise() {
    return brokeItsWord()
        || beyondInterval()
        || (interval().isPresent() && unavailable().isPresent());
  }

  /** Returns the crashes with a loss, or with enough at stake to prove something. */
  private Stream<Crash> proving() {
    return crashes.stream()
        .filter(crash -> crash.lostWrites().isPresent() && crash.provesNothing().isEmpty());
  }

  /**
   * Returns whether it lost more than its level allows, or returned records that were never
   * written, which no level allows.
   */
  public boolean unsafe() {
    return brokePromise() || wrong() > 0;
  }

  /** Returns the number of crashes with a loss, or with enough at stake to prove something. */
  public int conclusive() {
    return (int) proving().count();
  }

  /** Returns the findings after each {@link #conclusive} crash. */
  public List<LostWrites> proven() {
    return proving().flatMap(crash -> crash.lostWrites().stream()).toList();
  }

  /** Returns the number of crashes without a loss and with too few writes at stake. */
  public int inconclusive() {
    return (int) crashes.stream().filter(crash -> crash.provesNothing().isPresent()).count();
  }

  /**
   * Returns the reason that crashes do not show whether this engine loses something, although they
   * were asked for; empty if they do.
   */
  public Optional<String> unproven() {
    if (crashes.isEmpty() && missing.isEmpty()) {
      return Optional.of("it had no " + (powerCut ? "power cut" : "crash"));
    }
    String of = " of " + CrashTrialResult.label(crashes.size(), powerCut);
    if (!missing.isEmpty()) {
      return Optional.of("some " + (powerCut ? "power cuts" : "kills") + " failed");
    }
    if (hidden().size() >= Crash.REPEATEDLY) {
      return Optional.of(
          "%d attempts ended before the records were read".formatted(hidden().size()));
    }
    return conclusive() > 0 || inconclusive() == 0
        ? Optional.empty()
        : Optional.of(inconclusive() + of + " proved nothing");
  }

  /** Returns the number of attempts that may have lost something: nothing was read after them. */
  public int unknown() {
    return hidden().size();
  }

  /** Returns the causes of attempts whose losses are unknown. */
  private List<Cause> hidden() {
    return crashes.stream().map(Crash::hidden).flatMap(List::stream).toList();
  }

  /** Returns the number of attempts in which the engine ended for an unknown reason. */
  int ended() {
    return (int) hidden().stream().filter(Cause.OUTSIDER::equals).count();
  }

  public List<LostWrites> checked() {
    return crashes.stream().flatMap(crash -> crash.lostWrites().stream()).toList();
  }

  public long sum(ToLongFunction<LostWrites> what) {
    return checked().stream().mapToLong(what).sum();
  }

  public long lost() {
    return sum(LostWrites::lost);
  }

  /** Returns the writes acknowledged before {@link #conclusive} crashes, of which some are lost. */
  public long acknowledged() {
    return acknowledgedEach().getSum();
  }

  /** Returns the same before each of these crashes. */
  public LongSummaryStatistics acknowledgedEach() {
    return proving().mapToLong(Crash::acknowledged).summaryStatistics();
  }

  /**
   * Returns the lost share of the acknowledged writes that can be checked, in [0, 1]; 0 without
   * any. Writes to records that were deleted afterwards cannot be.
   */
  public double lostShare() {
    long checked = sum(LostWrites::checked);
    return checked == 0 ? 0 : (double) lost() / checked;
  }

  /** Returns the writes acknowledged before crashes after which the engine showed no record. */
  public long unread() {
    return crashes.stream()
        .filter(crash -> crash.lostWrites().isEmpty())
        .mapToLong(Crash::acknowledged)
        .sum();
  }

  /** Returns the records that read as something that was never written. */
  public long wrong() {
    return sum(LostWrites::wrong);
  }

  /** Returns the number of crashes in which something was lost or read wrong. */
  public int losing() {
    return crashesWith(each -> each.lost() + each.wrong());
  }

  int crashesWith(ToLongFunction<LostWrites> what) {
    return (int) checked().stream().filter(each -> what.applyAsLong(each) > 0).count();
  }

  /** Returns the number of crashes after which it ended instead of restarting. */
  public int dead() {
    return (int)
        crashes.stream()
            .filter(crash -> crash.restartNanos().isEmpty() && crash.silentNanos().isEmpty())
            .count();
  }

  /** Returns the number of crashes after which it ran, but did not answer in time. */
  public int silent() {
    return (int) crashes.stream().filter(crash -> crash.silentNanos().isPresent()).count();
  }

  /** Returns the longest such time; empty if it always answered or ended. */
  public Optional<Duration> patience() {
    return crashes.stream()
        .flatMapToLong(crash -> crash.silentNanos().stream())
        .mapToObj(Duration::ofNanos)
        .max(Comparator.naturalOrder());
  }

  /** Returns the number of crashes after which it restarted, but did not answer all reads. */
  public int unreadable() {
    return crashes.size() - checked().size() - dead() - silent();
  }

  /**
   * Returns the writes that were acknowledged while the disk stood still, beyond one of each client
   * whose flush may have been over.
   */
  public long acknowledgedWhileFrozen() {
    return crashes.stream()
        .flatMap(crash -> crash.powerCut().stream())
        .mapToLong(PowerCut::unflushedAcknowledgements)
        .sum();
  }

  /** Returns whether a write must be on the device when it is acknowledged. */
  public boolean synced() {
    return level.equals("on");
  }

  /**
   * Returns whether it broke the promise that a write is on the device: a record that cannot be
   * read is as good as lost.
   */
  public boolean brokeItsWord() {
    return synced() && !offence().isEmpty();
  }

  /**
   * Returns for example {@code LOST 12 acknowledged writes in 3 of 5 power cuts}; empty without any
   * offence.
   */
  public String offence() {
    return new CrashOffences(this).text();
  }

  /** Returns each offence besides lost or wrong records, as text. */
  public List<String> otherOffences() {
    return new CrashOffences(this).others();
  }

  /** Returns the crashes after which it did not restart or could not be read, as text. */
  public Optional<String> unavailable() {
    return new CrashOffences(this).unavailable();
  }

  /** Returns the time from the acknowledgement of the oldest lost write to the crash. */
  public OptionalLong oldestLostNanos() {
    return crashes.stream().flatMapToLong(crash -> oldest(crash).stream()).max();
  }

  /** Returns the interval of the timer that syncs writes, such as {@code 1s}, if there is one. */
  public Optional<String> interval() {
    return Optional.of(level)
        .filter(name -> name.startsWith(EVERY))
        .map(name -> name.substring(EVERY.length()));
  }

  /** Returns whether writes were lost that were older than the level allows. */
  public boolean beyondInterval() {
    Optional<Duration> interval = interval().flatMap(DurationFormat::parse);
    return interval.isPresent()
        && crashes.stream()
            .anyMatch(crash -> oldest(crash).orElse(0) > most(interval.get(), crash).toNanos());
  }

  private static OptionalLong oldest(Crash crash) {
    return crash.lostWrites().map(LostWrites::oldestLostNanos).orElse(OptionalLong.empty());
  }

  private static Duration most(Duration interval, Crash crash) {
    long sync = crash.powerCut().map(cut -> cut.syncNanos().orElse(0)).orElse(0L);
    return interval.plus(TOLERANCE).plusNanos(FLUSHES * sync);
  }

  /**
   * Returns the largest share of crashes with a loss that is compatible with those seen, at 95 %
   * confidence (Clopper and Pearson), if only {@link #unknown} attempts lost something: without
   * any, {@code 1 - 0.05^(1/n)}, about {@code 3/n}; NaN if there was a loss or no {@link
   * #conclusive} crash.
   */
  public double mostLosing() {
    int seen = conclusive();
    return seen == 0 || losing() > 0
        ? Double.NaN
        : new BetaDistribution(unknown() + 1, seen).inverseCumulativeProbability(CONFIDENCE);
  }
}
