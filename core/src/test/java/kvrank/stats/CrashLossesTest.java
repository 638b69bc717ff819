package kvrank.stats;

import static kvrank.report.CrashExamples.lately;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import kvrank.Wording;
import kvrank.failure.Cause;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.results.CrashTrialResult.PowerCut;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CrashLossesTest {

  @RegisterExtension final Wording wording = new Wording();

  private static final OptionalLong RESTARTED = OptionalLong.of(1);

  private static CrashLosses cuts(String level, Crash... crashes) {
    return new CrashLosses(true, level, List.of(crashes), List.of());
  }

  private static Crash crash(OptionalLong restart, Optional<LostWrites> found) {
    return new Crash(
        "was killed",
        100,
        restart,
        found,
        "",
        Optional.empty(),
        OptionalLong.empty(),
        List.of(),
        List.of());
  }

  private static Crash found(long lost, long wrongValues, long unexpectedKeys) {
    LostWrites writes =
        new LostWrites(
            100,
            lost,
            0,
            0,
            wrongValues,
            unexpectedKeys,
            "",
            OptionalLong.empty(),
            OptionalLong.empty());
    return crash(RESTARTED, Optional.of(writes));
  }

  private static PowerCut cut(long flushes, long syncMillis) {
    OptionalLong sync = OptionalLong.of(syncMillis * 1_000_000);
    return new PowerCut("ext4", "none", 1, 4096, flushes, 0, 0, 0, 0, 0, 50, 4, 12, sync);
  }

  @Test
  void anEngineThatKeepsItsWordHasNoOffence() {
    CrashLosses kept = cuts("on", found(0, 0, 0), found(0, 0, 0));
    assertThat(kept.brokeItsWord()).isFalse();
    assertThat(kept.offence()).isEmpty();
    assertThat(kept.losing()).isZero();
  }

  /** An engine that hardly writes cannot lose anything. */
  @Test
  void aCrashWithTooLittleAtStakeCountsOnlyIfItLoses() {
    CrashLosses idle = cuts("on", lately(found(0, 0, 0), 9), lately(found(0, 0, 0), 0));
    assertThat(idle.conclusive()).isZero();
    assertThat(idle.mostLosing()).isNaN();
    CrashLosses some = cuts("on", lately(found(0, 0, 0), 9), lately(found(0, 0, 0), 10));
    assertThat(some.conclusive()).isEqualTo(1);
    assertThat(some.mostLosing()).isCloseTo(0.95, within(1e-9));
    CrashLosses lost = cuts("on", lately(found(1, 0, 0), 1));
    assertThat(lost.conclusive()).isEqualTo(1);
    assertThat(lost.brokeItsWord()).isTrue();
    assertThat(cuts("on", found(0, 0, 0)).conclusive()).as("an older result").isEqualTo(1);
  }

  /** Nothing is known about writes before a crash that was not read, or that proves nothing. */
  @Test
  void lossesAreAmongTheWritesOfCrashesThatProveSomething() {
    Crash dead = crash(OptionalLong.empty(), Optional.empty());
    Crash idle = lately(found(0, 0, 0), 9);
    CrashLosses some = cuts("off", found(3, 0, 0), dead, idle, found(0, 0, 0));
    assertThat(some.lost()).isEqualTo(3);
    assertThat(some.acknowledged()).as("100 in each crash").isEqualTo(200);
    assertThat(some.proven()).hasSize(2);
    assertThat(cuts("off", dead, idle).acknowledged()).isZero();
  }

  /** An engine that ends by itself when it finds a loss has another chance, but only one. */
  @Test
  void anEngineThatEndsRepeatedlyBeforeItIsReadHasNotKeptItsWord() {
    Crash once = found(0, 0, 0).after(List.of(), List.of(Cause.OUTSIDER));
    assertThat(cuts("on", once, found(0, 0, 0)).brokeItsWord()).isFalse();
    assertThat(cuts("on", once, found(0, 0, 0)).unproven()).isEmpty();
    CrashLosses again = cuts("on", once, once, found(0, 0, 0));
    assertThat(again.brokeItsWord()).isTrue();
    wording.check(again.offence());
  }

  @Test
  void anAttemptWithAnUnknownResultCountsAsLostInTheBound() {
    Crash hidden = found(0, 0, 0).after(List.of(), List.of(Cause.OUTSIDER));
    assertThat(cuts("on", found(0, 0, 0), found(0, 0, 0), found(0, 0, 0)).mostLosing())
        .isCloseTo(1 - Math.cbrt(0.05), within(1e-9));
    assertThat(cuts("on", hidden, found(0, 0, 0), found(0, 0, 0)).mostLosing())
        .as("one of four, after Clopper and Pearson")
        .isCloseTo(0.7514, within(1e-4));
  }

  @Test
  void cutsThatHideTheirLossesProveNothing() {
    Crash disturbed = found(0, 0, 0).after(List.of(), List.of(Cause.MACHINE));
    assertThat(cuts("on", disturbed, found(0, 0, 0)).unproven()).isEmpty();
    CrashLosses hidden = cuts("on", disturbed, disturbed, found(0, 0, 0));
    assertThat(hidden.brokeItsWord()).isFalse();
    wording.check(hidden.unproven().orElseThrow());
    CrashLosses failed =
        new CrashLosses(true, "on", List.of(found(0, 0, 0)), List.of(Cause.MACHINE));
    wording.check(failed.unproven().orElseThrow());
    wording.check(cuts("on", lately(found(0, 0, 0), 3)).unproven().orElseThrow());
    wording.check(cuts("on").unproven().orElseThrow());
  }

  /** A sync under way keeps the next one waiting, and each is more than one flush. */
  @Test
  void theAgeOfALossIsComparedWithTheIntervalAndTheTimeOfTheDisk() {
    for (long syncMillis : new long[] {1, 100}) {
      long most = 1_250 + 4 * syncMillis;
      for (long age : new long[] {most, most + 1}) {
        OptionalLong oldest = OptionalLong.of(age * 1_000_000);
        LostWrites lost = new LostWrites(100, 1, 0, 0, 0, 0, "", oldest, oldest);
        Crash killed = crash(RESTARTED, Optional.of(lost));
        Crash cut =
            new Crash(
                killed.ending(),
                killed.acknowledged(),
                killed.restartNanos(),
                killed.lostWrites(),
                "",
                Optional.of(cut(12, syncMillis)),
                killed.lately(),
                List.of(),
                List.of());
        assertThat(cuts("every-1s", cut).beyondInterval()).isEqualTo(age > most);
        assertThat(cuts("every-1s", killed).beyondInterval()).as("of a kill").isTrue();
      }
    }
  }

  /** The engine's data are elsewhere: the power of their disk was not cut. */
  @Test
  void aCutOfADiskThatTheEngineDidNotFlushProvesNothing() {
    for (long flushes : new long[] {11, 12}) {
      Crash found = found(0, 0, 0);
      Crash cut =
          new Crash(
              "was killed",
              100,
              RESTARTED,
              found.lostWrites(),
              "",
              Optional.of(cut(flushes, 1)),
              OptionalLong.of(50),
              List.of(),
              List.of());
      CrashLosses losses = cuts("on", cut);
      assertThat(losses.unproven().isPresent()).isEqualTo(flushes < 12);
      assertThat(losses.brokeItsWord())
          .as("acknowledgements while this disk stood still")
          .isEqualTo(flushes == 12);
    }
  }

  @Test
  void lossesAreNamedAndForgivenWhereNothingIsPromised() {
    wording.check(cuts("on", found(3, 1, 0), found(0, 0, 0)).offence());
    assertThat(cuts("off", found(3, 1, 0)).brokeItsWord()).isFalse();
  }

  /** A store that answers a read of a missing record with anything else would lose nothing. */
  @Test
  void aRecordThatReadsAsAnythingElseIsNotKept() {
    for (CrashLosses wrong : List.of(cuts("on", found(0, 2, 0)), cuts("on", found(0, 0, 2)))) {
      assertThat(wrong.brokeItsWord()).isTrue();
      assertThat(wrong.losing()).isEqualTo(1);
      wording.check(wrong.offence());
    }
  }

  @Test
  void noLevelAllowsWrongRecords() {
    assertThat(cuts("off", found(0, 1, 0)).unsafe()).isTrue();
    assertThat(cuts("every-1s", found(0, 0, 1)).unsafe()).isTrue();
    assertThat(cuts("off", found(9, 0, 0)).unsafe()).isFalse();
    assertThat(cuts("on", found(9, 0, 0)).unsafe()).isTrue();
  }

  /** A store that refuses to start or to answer exactly when it has lost something hides that. */
  @Test
  void aStoreThatCannotBeReadHasNotKeptItsRecords() {
    CrashLosses dead = cuts("on", crash(OptionalLong.empty(), Optional.empty()), found(0, 0, 0));
    assertThat(dead.brokeItsWord()).isTrue();
    wording.check(dead.offence());
    assertThat(dead.acknowledged()).as("of crashes that show losses").isEqualTo(100);
    assertThat(cuts("every-1s", dead.crashes().get(0)).brokePromise()).isTrue();
    assertThat(cuts("off", dead.crashes().get(0)).brokePromise()).isFalse();
    CrashLosses unreadable = cuts("on", crash(RESTARTED, Optional.empty()));
    assertThat(unreadable.brokeItsWord()).isTrue();
    wording.check(unreadable.offence());
    assertThat(unreadable.dead()).isZero();
    Crash silent = crash(OptionalLong.empty(), Optional.empty()).silent(30_000_000_000L);
    CrashLosses late = cuts("on", silent, dead.crashes().get(0), found(0, 0, 0));
    assertThat(late.brokeItsWord()).isTrue();
    wording.check(late.offence());
    assertThat(late.unread()).isEqualTo(200);
    assertThat(late.unreadable()).isZero();
    CrashLosses refused = new CrashLosses(false, "on", List.of(), List.of(Cause.ENGINE));
    wording.check(refused.offence());
    CrashLosses disturbed = new CrashLosses(true, "on", List.of(), List.of(Cause.MACHINE));
    assertThat(disturbed.brokeItsWord()).isFalse();
  }

  /** Of the acknowledged writes of a test, those to records that were deleted leave no trace. */
  @Test
  void theShareThatIsLostIsOneOfTheWritesThatCanBeChecked() {
    Crash kept = found(0, 0, 0);
    LostWrites writes = kept.lostWrites().orElseThrow();
    Crash all =
        crash(
            RESTARTED,
            Optional.of(
                new LostWrites(
                    75, 70, 5, 0, 0, 0, "", OptionalLong.empty(), OptionalLong.empty())));
    assertThat(cuts("off", all).lostShare()).isEqualTo(1);
    assertThat(cuts("off", all, kept).lostShare()).isEqualTo(75.0 / (75 + writes.checked()));
    assertThat(cuts("off").lostShare()).isZero();
  }

  /** The simulated disk is not the one on which it served the phases. */
  @Test
  void aStoreThatFailsBeforeAnyPowerCutHasLostNothing() {
    CrashLosses failed = new CrashLosses(true, "on", List.of(), List.of(Cause.ENGINE));
    assertThat(failed.offence()).isEmpty();
    assertThat(failed.unproven()).isPresent();
  }
}
