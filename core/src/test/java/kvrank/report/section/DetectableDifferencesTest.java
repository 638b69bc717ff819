package kvrank.report.section;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
import kvrank.Wording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DetectableDifferencesTest {

  @RegisterExtension final Wording wording = new Wording();

  @Test
  void saysWhatRepetitionsShowAndHowManyEachRatioTakes() {
    wording.check(DetectableDifferences.of(4, new TreeSet<>(List.of(3)), false, 0.026));
  }

  @Test
  void comparesLooksWithAFixedNumber() {
    assertThat(DetectableDifferences.of(2, new TreeSet<>(List.of(4, 10)), true, 0.1))
        .matches(
            "with 4 repetitions of 2 engines, a difference of .* can be found; with 10, one of .* in"
                + " 4 of 5 tables; with a fixed number, \\d+ show 1.05x, .*")
        .doesNotContain("3 show 1.5x, 3 show");
  }

  /** Where 1,000 are too few it said that 1,000 show it. */
  @Test
  void countsNoFurtherThanAThousand() {
    assertThat(DetectableDifferences.of(2, new TreeSet<>(List.of(3)), false, 0.9))
        .contains("; more than 1000 show 1.05x, more than 1000 show 1.1x, ");
  }

  @Test
  void sayThatTwoRepetitionsTellNothing() {
    assertThat(DetectableDifferences.of(2, new TreeSet<>(List.of(2)), false, 0.1))
        .contains("cannot distinguish");
  }
}
