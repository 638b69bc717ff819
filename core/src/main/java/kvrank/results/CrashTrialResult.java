package kvrank.results;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import kvrank.failure.Cause;

/**
 * The acknowledged writes lost in crashes, and the reason for missing trials, if any.
 *
 * @param powerCut whether the disk lost its power, too
 * @param cause who prevented the missing trials; empty if none are missing, or if they cannot be
 * @param load what wrote, compared with the phases; empty in older results
 * @param unsupported what this machine or the engine lacks for any crash; then there is no reason
 */
public record CrashTrialResult(
    boolean powerCut,
    List<Crash> crashes,
    String reason,
    @JsonSetter(nulls = Nulls.AS_EMPTY) Optional<Cause> cause,
    @JsonSetter(nulls = Nulls.AS_EMPTY) Optional<Load> load,
    @JsonSetter(nulls = Nulls.AS_EMPTY) Optional<String> unsupported) {

  private static final String UNSUPPORTED = "unsupported: ";

  public CrashTrialResult(boolean powerCut, List<Crash> crashes, String reason) {
    this(powerCut, crashes, reason, Optional.empty());
  }

  public CrashTrialResult(
      boolean powerCut, List<Crash> crashes, String reason, Optional<Cause> cause) {
    this(powerCut, crashes, reason, cause, Optional.empty(), Optional.empty());
  }

  /** Reads a record; the reason of older records begins with what now has a field. */
  @JsonCreator
  static CrashTrialResult of(
      @JsonProperty("powerCut") boolean powerCut,
      @JsonProperty("crashes") List<Crash> crashes,
      @JsonProperty("reason") String reason,
      @JsonProperty("cause") @JsonSetter(nulls = Nulls.AS_EMPTY) Optional<Cause> cause,
      @JsonProperty("load") @JsonSetter(nulls = Nulls.AS_EMPTY) Optional<Load> load,
      @JsonProperty("unsupported") @JsonSetter(nulls = Nulls.AS_EMPTY) Optional<String> why) {
    return crashes.isEmpty() && reason.startsWith(UNSUPPORTED)
        ? unsupported(powerCut, reason.substring(UNSUPPORTED.length())).with(load)
        : new CrashTrialResult(powerCut, crashes, reason, cause, load, why);
  }

  /**
   * The clients of the trials.
   *
   * @param phaseClients of the phase with the most writes in flight
   * @param expires whether records of the phases have a time to live, which those here never have
   */
  public record Load(int clients, int phaseClients, boolean expires) {

    /** Returns the differences from the phases, as they continue "with"; empty if equal. */
    public String difference() {
      List<String> parts = new ArrayList<>();
      if (clients < phaseClients) {
        parts.add("%,d of %,d clients".formatted(clients, phaseClients));
      }
      if (expires) {
        parts.add("records without a time to live");
      }
      return String.join(" and ", parts);
    }
  }

  public CrashTrialResult with(Load own) {
    return with(Optional.of(own));
  }

  private CrashTrialResult with(Optional<Load> own) {
    return new CrashTrialResult(powerCut, crashes, reason, cause, own, unsupported);
  }

  /**
   * Returns this result with the crashes of an {@code earlier} attempt, which count too: what
   * disturbed its figures does not excuse what the engine lost.
   */
  public CrashTrialResult after(CrashTrialResult earlier) {
    List<Crash> all = new ArrayList<>(earlier.crashes);
    all.addAll(crashes);
    boolean blamed = cause.isEmpty() && earlier.cause.filter(Cause.ENGINE::equals).isPresent();
    CrashTrialResult why = blamed ? earlier : this;
    Optional<Load> any = load.or(() -> earlier.load);
    return all.isEmpty()
        ? why.with(any)
        : new CrashTrialResult(powerCut, all, why.missing(), why.cause, any, Optional.empty());
  }

  /** Returns the result of a test that a run with {@code outcome} did not reach. */
  public static CrashTrialResult missed(boolean powerCut, Outcome outcome) {
    return new CrashTrialResult(
        powerCut, List.of(), outcome.label() + " before it: " + outcome.reason());
  }

  /** Returns whether a crash, or an attempt, was begun. */
  public boolean begun() {
    return !crashes.isEmpty() || cause.isPresent();
  }

  /** Returns the result of a test for which this machine or the engine lacks something. */
  public static CrashTrialResult unsupported(boolean powerCut, String why) {
    return new CrashTrialResult(
        powerCut, List.of(), "", Optional.empty(), Optional.empty(), Optional.of(why));
  }

  /** Returns the reason why trials are missing, as a sentence; empty if none are. */
  public String missing() {
    return unsupported.map(UNSUPPORTED::concat).orElse(reason);
  }

  /** Returns for example {@code 3 crashes} or {@code 1 power cut}. */
  public static String label(int crashes, boolean powerCut) {
    String one = powerCut ? " power cut" : " crash";
    String plural = powerCut ? "s" : "es";
    return crashes + one + (crashes == 1 ? "" : plural);
  }

  /**
   * One SIGKILL under load, with or without a power cut, and the state of the data after a restart.
   *
   * @param ending for example {@code was killed by SIGKILL (exit status 137)}
   * @param acknowledged the writes acknowledged before the kill
   * @param restartNanos until the engine answered, with its JVM's start if embedded; empty if never
   * @param lostWrites empty if the data could not be checked, for the {@code reason}
   * @param powerCut empty if the engine was only killed
   * @param lately the writes acknowledged in the last 500 ms before the kill, or before the disk
   *     stopped flushing; empty in older results
   * @param repeated why earlier attempts were void: the machine or an outsider disturbed them
   * @param hidden the causes of those of these attempts that ended after the kill, so that their
   *     losses are unknown; an outsider if the engine may have ended itself
   * @param silentNanos how long it had to answer after the restart and did not, though it ran;
   *     empty if it answered or ended, and in older results
   */
  public record Crash(
      String ending,
      long acknowledged,
      OptionalLong restartNanos,
      Optional<LostWrites> lostWrites,
      String reason,
      Optional<PowerCut> powerCut,
      @JsonSetter(nulls = Nulls.AS_EMPTY) OptionalLong lately,
      @JsonSetter(nulls = Nulls.AS_EMPTY) List<String> repeated,
      @JsonSetter(nulls = Nulls.AS_EMPTY) List<Cause> hidden,
      @JsonSetter(nulls = Nulls.AS_EMPTY) OptionalLong silentNanos) {

    /** An engine that ends this often after a kill, for an unknown reason, ends by itself. */
    public static final int REPEATEDLY = 2;

    /** The time that {@link #lately} covers. */
    public static final Duration LATELY = Duration.ofMillis(500);

    /** A disk that keeps half of its sectors keeps all of ten in one of a thousand cuts. */
    public static final int ENOUGH = 10;

    public Crash {
      repeated = List.copyOf(repeated);
      hidden = List.copyOf(hidden);
    }

    /** Creates one after which the engine answered or ended. */
    public Crash(
        String ending,
        long acknowledged,
        OptionalLong restartNanos,
        Optional<LostWrites> lostWrites,
        String reason,
        Optional<PowerCut> powerCut,
        OptionalLong lately,
        List<String> repeated,
        List<Cause> hidden) {
      this(
          ending,
          acknowledged,
          restartNanos,
          lostWrites,
          reason,
          powerCut,
          lately,
          repeated,
          hidden,
          OptionalLong.empty());
    }

    /** Returns this crash after which the engine did not answer within {@code nanos}. */
    public Crash silent(long nanos) {
      return with(repeated, hidden, OptionalLong.of(nanos));
    }

    /**
     * Returns this crash after void attempts, {@code causes} for those that ended after the kill.
     */
    public Crash after(List<String> attempts, List<Cause> causes) {
      return with(attempts, causes, silentNanos);
    }

    private Crash with(List<String> attempts, List<Cause> causes, OptionalLong silence) {
      return new Crash(
          ending,
          acknowledged,
          restartNanos,
          lostWrites,
          reason,
          powerCut,
          lately,
          attempts,
          causes,
          silence);
    }

    /** Returns the reason that this crash without a loss proves nothing; empty if it does. */
    public Optional<String> provesNothing() {
      if (lostWrites.filter(found -> found.lost() + found.wrong() == 0).isEmpty()) {
        return Optional.empty();
      }
      if (lately.orElse(ENOUGH) < ENOUGH) {
        return Optional.of(
            "fewer than %d writes acknowledged in the last %d ms"
                .formatted(ENOUGH, LATELY.toMillis()));
      }
      return powerCut
          .filter(PowerCut::elsewhere)
          .map(cut -> "fewer flushes of the simulated disk than durable writes need");
    }
  }

  /**
   * What happened to the disk.
   *
   * @param fileSystem on the disk, such as {@code ext4}
   * @param kept which writes it kept besides the flushed ones: {@code none}, {@code some}, {@code
   *     written-back}
   * @param seed of the draw of the sectors that were kept
   * @param flushes that the disk completed from the first acknowledgement to the cut
   * @param unflushedWrites writes to the disk that were not flushed
   * @param sectors of these writes
   * @param keptSectors of these, those that it kept
   * @param frozenNanos how long the disk stood still before the kill
   * @param acknowledgedWhileFrozen writes that the engine acknowledged meanwhile
   * @param clients each of which may have had a write whose flush was over
   * @param flushesNeeded for the acknowledged writes to be durable on this disk; 0 if the level
   *     promises none
   * @param syncNanos how long the disk took for a flush; empty in older results
   */
  public record PowerCut(
      String fileSystem,
      String kept,
      long seed,
      int sectorBytes,
      long flushes,
      long unflushedWrites,
      long unflushedBytes,
      long sectors,
      long keptSectors,
      long frozenNanos,
      long acknowledgedWhileFrozen,
      int clients,
      long flushesNeeded,
      @JsonSetter(nulls = Nulls.AS_EMPTY) OptionalLong syncNanos) {

    /** Returns whether this disk cannot have all acknowledged writes that must be durable. */
    public boolean elsewhere() {
      return flushes < flushesNeeded;
    }

    /**
     * Returns the writes that were acknowledged without a flush for certain; none if the engine may
     * use another disk.
     */
    public long unflushedAcknowledgements() {
      return elsewhere() ? 0 : Math.max(0, acknowledgedWhileFrozen - clients);
    }
  }

  /**
   * How the data after a kill differs from the acknowledged writes.
   *
   * @param checked acknowledged writes with a visible effect, thus not those of deleted records
   * @param lostUpdates those whose record has an older version, or is missing
   * @param lostDeletes those whose record still exists
   * @param wrongValues records with a value that was never written
   * @param unexpectedKeys records that were never written
   * @param example one of these; empty if nothing differs
   * @param oldestLostNanos how long before the crash the oldest lost write was acknowledged, to a
   *     millisecond; before the disk stopped flushing in a power cut; without the times in which
   *     kvrank itself stood still, as on a suspended machine, or the engine waited for the disk
   * @param newestLostNanos the same of the newest; 0 if it was acknowledged after that
   */
  public record LostWrites(
      long checked,
      long lostInserts,
      long lostUpdates,
      long lostDeletes,
      long wrongValues,
      long unexpectedKeys,
      String example,
      OptionalLong oldestLostNanos,
      OptionalLong newestLostNanos) {

    /** Returns the acknowledged writes that have no effect. */
    public long lost() {
      return lostInserts + lostUpdates + lostDeletes;
    }

    /** Returns the records that read as something that was never written. */
    public long wrong() {
      return wrongValues + unexpectedKeys;
    }

    /** Returns the lost share of {@code checked}, in [0, 1]. */
    public double lostShare() {
      return checked == 0 ? 0 : (double) lost() / checked;
    }
  }
}
