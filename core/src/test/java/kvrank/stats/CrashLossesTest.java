package kvrank.stats;

import static kvrank.report.CrashExamples.lately;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import kvrank.failure.Cause;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.CrashTrialResult.LostWrites;
import org.junit.jupiter.api.Test;

class CrashLossesTest {

  private static final OptionalLong RESTARTED = OptionalLong.of(1);

  private static CrashLosses cuts(String level, Crash... crashes) {
    return new CrashLosses(true, level, List.of(crashes), List.of());
  }

  private static Crash crash(OptionalLong restart, Optional<LostWrites> found) {
    return new Crash(
        "was killed", 100, restart, found, "", Optional.empty(), OptionalLong.empty(), List.of());
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

  @Test
  void lossesAreNamedAndForgivenWhereNothingIsPromised() {
    assertThat(cuts("on", found(3, 1, 0), found(0, 0, 0)).offence())
        .isEqualTo("LOST 3 acknowledged writes in 1 of 2 power cuts");
    assertThat(cuts("off", found(3, 1, 0)).brokeItsWord()).isFalse();
  }

  /** A store that answers a read of a missing record with anything else would lose nothing. */
  @Test
  void aRecordThatReadsAsAnythingElseIsNotKept() {
    for (CrashLosses wrong : List.of(cuts("on", found(0, 2, 0)), cuts("on", found(0, 0, 2)))) {
      assertThat(wrong.brokeItsWord()).isTrue();
      assertThat(wrong.losing()).isEqualTo(1);
      assertThat(wrong.offence()).isEqualTo("returned 2 WRONG records after 1 of 1 power cut");
    }
  }

  /** A store that refuses to start or to answer exactly when it has lost something hides that. */
  @Test
  void aStoreThatCannotBeReadHasNotKeptItsRecords() {
    CrashLosses dead = cuts("on", crash(OptionalLong.empty(), Optional.empty()), found(0, 0, 0));
    assertThat(dead.brokeItsWord()).isTrue();
    assertThat(dead.offence()).isEqualTo("did not restart after 1 of 2 power cuts");
    CrashLosses unreadable = cuts("on", crash(RESTARTED, Optional.empty()));
    assertThat(unreadable.brokeItsWord()).isTrue();
    assertThat(unreadable.offence()).isEqualTo("could not be read after 1 of 1 power cut");
    assertThat(unreadable.dead()).isZero();
    CrashLosses refused = new CrashLosses(true, "on", List.of(), List.of(Cause.ENGINE));
    assertThat(refused.offence()).isEqualTo("failed before a power cut");
    CrashLosses disturbed = new CrashLosses(true, "on", List.of(), List.of(Cause.MACHINE));
    assertThat(disturbed.brokeItsWord()).isFalse();
  }
}
