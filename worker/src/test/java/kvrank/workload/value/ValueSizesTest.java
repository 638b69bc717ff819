package kvrank.workload.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.workload.ValueSource;
import kvrank.workload.value.ValueSizes.Bin;
import kvrank.workload.value.ValueSizes.Spread;
import org.junit.jupiter.api.Test;

/** Lengths of values as they are drawn, 200,000 of each. */
class ValueSizesTest {

  private static final int VALUES = 200_000;

  private static final ValueSizes HISTOGRAM =
      new ValueSizes(
          Spread.UNIFORM,
          List.of(new Bin(11, 11, 40), new Bin(20, 59, 35), new Bin(1_000, 1_000, 25)));

  @Test
  void meanIsThatOfTheValuesThatAreDrawn() {
    for (ValueSizes sizes :
        List.of(
            ValueSizes.fixed(100),
            ValueSizes.between(100, 1_000, Spread.UNIFORM),
            ValueSizes.between(100, 1_000, Spread.ZIPFIAN),
            ValueSizes.between(16, 300_000, Spread.ZIPFIAN),
            HISTOGRAM)) {
      double sum = 0;
      for (var drawn : drawn(sizes).entrySet()) {
        sum += (double) drawn.getKey() * drawn.getValue();
      }

      assertThat(sizes.mean()).as(sizes.toString()).isCloseTo(sum / VALUES, withinPercentage(2));
    }
  }

  @Test
  void aHistogramsBinsHaveTheirShares() {
    SortedMap<Integer, Integer> drawn = drawn(HISTOGRAM);

    assertThat(drawn).hasSize(1 + 40 + 1);
    assertThat(drawn.get(11) / (double) VALUES).isCloseTo(0.4, within(0.005));
    assertThat(drawn.get(1_000) / (double) VALUES).isCloseTo(0.25, within(0.005));
    for (int bytes = 20; bytes < 60; bytes++) {
      assertThat(drawn.get(bytes) / (double) VALUES).isCloseTo(0.35 / 40, within(0.001));
    }
  }

  private static SortedMap<Integer, Integer> drawn(ValueSizes sizes) {
    ValueShape shape = new ValueShape(ValueShape.Kind.RANDOM, sizes, 0);
    Value value = new ValueSource(shape, 42).value();
    SortedMap<Integer, Integer> drawn = new TreeMap<>();
    for (int i = 0; i < VALUES; i++) {
      value.set(i, Value.FIRST_VERSION);
      drawn.merge(value.size(), 1, Integer::sum);
    }
    return drawn;
  }
}
