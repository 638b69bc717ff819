package kvrank.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.List;
import kvrank.workload.Value;
import kvrank.workload.ValueShape;
import kvrank.workload.ValueSource;
import org.junit.jupiter.api.Test;

class LogicalBytesTest {

  @Test
  void meanIsThatOfTheValuesThatAreDrawn() {
    for (ValueShape shape :
        List.of(
            ValueShape.fixed(100),
            shape(100, 1_000, ValueShape.Sizes.UNIFORM),
            shape(100, 1_000, ValueShape.Sizes.ZIPFIAN),
            shape(16, 300_000, ValueShape.Sizes.ZIPFIAN))) {
      Value value = new ValueSource(shape, 42).value();
      int values = 200_000;
      double sum = 0;
      for (int i = 0; i < values; i++) {
        value.set(i, Value.FIRST_VERSION);
        sum += value.size();
      }

      assertThat(LogicalBytes.meanBytes(shape))
          .as(shape.toString())
          .isCloseTo(sum / values, withinPercentage(2));
    }
  }

  private static ValueShape shape(int least, int most, ValueShape.Sizes sizes) {
    return new ValueShape(ValueShape.Kind.RANDOM, least, most, sizes, 0);
  }
}
