package kvrank.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.workload.OperationMix;
import kvrank.workload.Workload;
import kvrank.workload.key.KeyShape;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Operation;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;
import org.junit.jupiter.api.Test;

class ShapesTest {

  private static final ValueShape JSON =
      new ValueShape(
          ValueShape.Kind.JSON, ValueSizes.between(200, 900, ValueSizes.Spread.ZIPFIAN), 0);

  private static final List<PhaseSpec> PHASES =
      List.of(
          phase("load", Optional.empty(), Optional.empty()),
          phase("first", Optional.of(new KeyShape(24, 10)), Optional.of(JSON)),
          phase("second", Optional.of(new KeyShape(9, 1)), Optional.of(ValueShape.fixed(1))));

  @Test
  void settingsDecide() {
    assertThat(Shapes.keys(PHASES, Map.of(Setting.KEY_BYTES, "12", Setting.PREFIX_RECORDS, "7")))
        .isEqualTo(new KeyShape(12, 7));
    assertThat(Shapes.keys(PHASES, Map.of(Setting.KEY_BYTES, "12")))
        .isEqualTo(new KeyShape(12, 10));
    assertThat(Shapes.values(PHASES, Map.of(Setting.VALUE_BYTES, "300")))
        .isEqualTo(new ValueShape(ValueShape.Kind.JSON, ValueSizes.fixed(300), 0));
  }

  @Test
  void elseTheFirstWorkloadThatStatesAShape() {
    Map<Setting, String> nothing = Map.of(Setting.KEY_BYTES, "", Setting.VALUE_BYTES, "");
    assertThat(Shapes.keys(PHASES, nothing)).isEqualTo(new KeyShape(24, 10));
    assertThat(Shapes.values(PHASES, Map.of())).isEqualTo(JSON);
  }

  @Test
  void elseTheDefault() {
    assertThat(Shapes.keys(PHASES.subList(0, 1), Map.of())).isEqualTo(KeyShape.DEFAULT);
    assertThat(Shapes.values(PHASES.subList(0, 1), Map.of())).isEqualTo(ValueShape.DEFAULT);
  }

  @Test
  void keysNeedTheDigitsOfTheirLastGroupAndMember() {
    assertThat(Shapes.keyDigits(1, 1)).isEqualTo(1);
    assertThat(Shapes.keyDigits(10, 1)).isEqualTo(1);
    assertThat(Shapes.keyDigits(11, 1)).isEqualTo(2);
    assertThat(Shapes.keyDigits(1_000_000, 100)).isEqualTo(6);
    assertThat(Shapes.keyDigits(1_000_001, 100)).isEqualTo(7);
    assertThat(Shapes.keyDigits(1_000, 101)).isEqualTo(4);
  }

  private static PhaseSpec phase(
      String name, Optional<KeyShape> keys, Optional<ValueShape> values) {
    Workload workload =
        new Workload(
            name,
            "A workload.",
            new OperationMix(
                new TreeMap<>(Map.of(Operation.READ, 1)),
                KeyChoice.of(Distribution.UNIFORM),
                100,
                false),
            keys,
            values,
            Optional.empty(),
            Optional.empty());
    return new PhaseSpec(name, workload, false, new TreeMap<>(), Optional.empty());
  }
}
