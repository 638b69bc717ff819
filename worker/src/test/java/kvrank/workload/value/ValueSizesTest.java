package kvrank.workload.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.workload.Dataset;
import kvrank.workload.ValueSource;
import kvrank.workload.key.KeyChooser;
import kvrank.workload.key.KeyShape;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.value.ValueSizes.Bin;
import kvrank.workload.value.ValueSizes.Part;
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
            HISTOGRAM,
            HISTOGRAM.times(10),
            ValueSizes.between(16, 100, Spread.ZIPFIAN).times(3))) {
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

  @Test
  void theLengthsOfFieldsAreDrawnOneByOneAndAdded() {
    SortedMap<Integer, Integer> drawn = drawn(ValueSizes.between(11, 12, Spread.UNIFORM).times(2));

    assertThat(drawn).containsOnlyKeys(22, 23, 24);
    assertThat(drawn.get(22) / (double) VALUES).isCloseTo(0.25, within(0.005));
    assertThat(drawn.get(23) / (double) VALUES).isCloseTo(0.5, within(0.005));
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

  private static final ValueSizes PARTS =
      new ValueSizes(
          Spread.UNIFORM,
          List.of(),
          List.of(
              new Part(0.2, ValueSizes.fixed(4_000)),
              new Part(0.3, ValueSizes.between(1_000, 1_200, Spread.UNIFORM)),
              new Part(0.5, ValueSizes.fixed(100))),
          false);

  /** The load and an update of each record, then reads of the chosen ones. */
  @Test
  void lengthsFollowPopularity() {
    int records = 10_000;
    for (Distribution distribution : Distribution.values()) {
      boolean newest = Set.of(Distribution.LATEST, Distribution.EXPONENTIAL).contains(distribution);
      ValueSizes sizes = new ValueSizes(Spread.UNIFORM, List.of(), PARTS.parts(), newest);
      ValueShape shape = new ValueShape(ValueShape.Kind.RANDOM, sizes, 0);
      Value value =
          new ValueSource(new Dataset(records, KeyShape.DEFAULT, shape, false), 7).value();
      int[] lengths = new int[records];
      double stored = 0;
      for (int id = 0; id < records; id++) {
        value.set(id, 12);
        boolean fixed = value.size() == 4_000 || value.size() == 100;
        assertThat(fixed || (value.size() >= 1_000 && value.size() <= 1_200)).isTrue();
        int updated = value.size();
        value.set(id, Value.FIRST_VERSION);
        lengths[id] = value.size();
        assertThat(Math.abs(updated - lengths[id])).isLessThanOrEqualTo(fixed ? 0 : 200);
        stored += (double) lengths[id] / records;
      }
      assertThat(stored).as("%s", distribution).isCloseTo(sizes.mean(), within(2.0));

      KeyChooser chooser = KeyChooser.of(KeyChoice.of(distribution), records, 7, 0, 1);
      CounterRandom random = new CounterRandom(3);
      int[] counts = new int[records];
      double read = 0;
      for (int i = 0; i < VALUES; i++) {
        random.seek(i);
        int id = (int) chooser.choose(i, random, records);
        counts[id]++;
        read += (double) lengths[id] / VALUES;
      }
      // By how often records were chosen, without the ranks that the code has.
      int[] sorted = Arrays.stream(counts).sorted().toArray();
      double popular = 0;
      for (int i = 0; i < records; i++) {
        double share = (double) sorted[records - 1 - i] / VALUES;
        popular += share * (i < 0.2 * records ? 4_000 : i < 0.5 * records ? 1_100 : 100);
      }
      boolean equal = counts[0] == counts[1] && counts[1] == counts[2];
      boolean flat = equal || distribution == Distribution.UNIFORM;
      assertThat(read)
          .as("%s", distribution)
          .isCloseTo(flat ? sizes.mean() : popular, withinPercentage(flat ? 1 : 5));
    }
  }

  @Test
  void aNewRecordIsTheLeastPopularOrTheMostPopular() {
    for (boolean newest : new boolean[] {false, true}) {
      ValueSizes sizes = new ValueSizes(Spread.UNIFORM, List.of(), PARTS.parts(), newest);
      ValueShape shape = new ValueShape(ValueShape.Kind.RANDOM, sizes, 0);
      Value value = new ValueSource(new Dataset(100, KeyShape.DEFAULT, shape, false), 7).value();
      value.set(100, 5);
      assertThat(value.size()).isEqualTo(newest ? 4_000 : 100);
    }
  }
}
