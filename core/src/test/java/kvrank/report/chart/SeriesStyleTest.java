package kvrank.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SeriesStyleTest {

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "engine-" + i).toList();
  }

  @Test
  void sixtyEnginesHaveStylesOfTheirOwn() {
    assertThat(SeriesStyle.of(names(60)).values()).doesNotHaveDuplicates();
  }

  /** A report of more rows than styles never ended. */
  @Test
  void moreEnginesShareStyles() {
    Map<String, SeriesStyle> styles = SeriesStyle.of(names(1_000));

    assertThat(styles).hasSize(1_000);
    assertThat(styles.values().stream().distinct()).hasSize(60);
  }
}
