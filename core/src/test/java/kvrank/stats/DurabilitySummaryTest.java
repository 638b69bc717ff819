package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import kvrank.results.Durability;
import kvrank.results.Durability.Verdict;
import org.junit.jupiter.api.Test;

class DurabilitySummaryTest {

  private static Optional<DurabilitySummary> of(Durability... repetitions) {
    return DurabilitySummary.of(
        Arrays.stream(repetitions)
            .map(
                durability ->
                    Runs.phase("set").operation("update", 100.0).durability(durability).build())
            .toList());
  }

  private static Durability flushes(Verdict verdict, long flushes) {
    return Runs.durability(verdict, flushes, 1000, flushes + " flushes");
  }

  @Test
  void provenOnlyIfEachIs() {
    DurabilitySummary all =
        of(flushes(Verdict.PROVEN, 1000), flushes(Verdict.PROVEN, 1010)).orElseThrow();
    assertThat(all.label()).isEqualTo("proven");
    assertThat(all.flushesPerWrite()).hasValue(1.005);

    DurabilitySummary some =
        of(
                flushes(Verdict.PROVEN, 1000),
                flushes(Verdict.NOT_PROVEN, 3),
                flushes(Verdict.NOT_MEASURABLE, 800))
            .orElseThrow();
    assertThat(some.label()).isEqualTo("not proven 1/3");
    assertThat(some.reasons()).containsExactly("3 flushes");
    assertThat(some.flushesPerWrite()).hasValue(0.8);
  }

  /** A cache without a log was accused for 11 flushes of a neighbour, in one of five. */
  @Test
  void aFewRepetitionsWithFlushesDoNotAccuseALevelThatPromisesNone() {
    Durability few = flushes(Verdict.PROVEN, 3);
    Durability many = flushes(Verdict.NOT_PROVEN, 900);
    DurabilitySummary one = of(few, few, many).orElseThrow();
    assertThat(one.doubted(false)).isFalse();
    assertThat(one.doubted(true)).isTrue();
    assertThat(of(few, many).orElseThrow().doubted(false)).isFalse();
    assertThat(of(few, many, many).orElseThrow().doubted(false)).isTrue();
    assertThat(of(few, few).orElseThrow().doubted(true)).isFalse();
  }

  @Test
  void whatCannotBeMeasuredIsNotProven() {
    DurabilitySummary proof =
        of(flushes(Verdict.PROVEN, 1000), flushes(Verdict.NOT_MEASURABLE, 800)).orElseThrow();
    assertThat(proof.verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    assertThat(proof.label()).isEqualTo("not measurable 1/2");
  }

  @Test
  void saysNothingOfWhatWasNotLookedAtOrWroteNothing() {
    assertThat(DurabilitySummary.of(List.of(Runs.phase("get").operation("read", 1.0).build())))
        .isEmpty();
    assertThat(DurabilitySummary.of(List.of())).isEmpty();
    DurabilitySummary none =
        of(Runs.durability(Verdict.NO_WRITES, 0, 0, "the phase wrote nothing")).orElseThrow();
    assertThat(none.writes()).isFalse();
    assertThat(none.flushesPerWrite()).isEmpty();
  }
}
