package kvrank.workload.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.random.Permutation;
import kvrank.workload.random.RecordOrder;
import org.junit.jupiter.api.Test;

class KeyChooserTest {

  private static final int RECORDS = 1000;
  private static final int DRAWS = 400_000;

  private static long[] counts(KeyChoice choice, int known) {
    KeyChooser chooser = KeyChooser.of(choice, RECORDS, 42, 0, 1);
    CounterRandom random = new CounterRandom(3);
    long[] counts = new long[known];
    for (int i = 0; i < DRAWS; i++) {
      random.seek(i);
      counts[(int) chooser.choose(i, random, known)]++;
    }
    return counts;
  }

  private static double[] even(int classes) {
    double[] probabilities = new double[classes];
    Arrays.fill(probabilities, 1.0 / classes);
    return probabilities;
  }

  private static long[] descending(long[] counts) {
    long[] sorted = new long[counts.length];
    Arrays.sort(counts);
    for (int i = 0; i < counts.length; i++) {
      sorted[i] = counts[counts.length - 1 - i];
    }
    return sorted;
  }

  @Test
  void uniformIncludesNewRecords() {
    long[] counts = counts(KeyChoice.of(Distribution.UNIFORM), RECORDS + 200);
    assertThat(ChiSquared.deviation(counts, even(RECORDS + 200))).isBetween(-4.0, 4.0);
  }

  @Test
  void zipfianIsZipfScattered() {
    long[] counts = counts(KeyChoice.of(Distribution.ZIPFIAN), RECORDS);
    double[] zipf = ChiSquared.zipf(RECORDS, 0.99);
    Permutation scatter =
        new Permutation(RECORDS, CounterRandom.key(42, CounterRandom.Purpose.SCATTER, 0));
    double[] scattered = new double[RECORDS];
    for (int rank = 0; rank < RECORDS; rank++) {
      scattered[(int) scatter.of(rank)] = zipf[rank];
    }
    assertThat(ChiSquared.deviation(counts, scattered)).isBetween(-4.0, 4.0);
    assertThat(counts[0] + counts[1] + counts[2]).isLessThan(DRAWS / 20);
  }

  @Test
  void zipfianKeepsItsHotKeysWhenRecordsAreAdded() {
    long[] before = counts(KeyChoice.of(Distribution.ZIPFIAN), RECORDS);
    long[] after = counts(KeyChoice.of(Distribution.ZIPFIAN), RECORDS + 10);
    assertThat(hottest(after)).isEqualTo(hottest(before));
    assertThat(Arrays.stream(after, RECORDS, RECORDS + 10).sum()).isPositive();
  }

  private static int hottest(long[] counts) {
    int hottest = 0;
    for (int i = 0; i < counts.length; i++) {
      hottest = counts[i] > counts[hottest] ? i : hottest;
    }
    return hottest;
  }

  @Test
  void latestIsZipfFromTheNewestRecordBack() {
    int known = RECORDS + 50;
    long[] counts = counts(KeyChoice.of(Distribution.LATEST), known);
    double[] zipf = ChiSquared.zipf(known, 0.99);
    double[] newestLast = new double[known];
    for (int rank = 0; rank < known; rank++) {
      newestLast[known - 1 - rank] = zipf[rank];
    }
    assertThat(ChiSquared.deviation(counts, newestLast)).isBetween(-4.0, 4.0);
  }

  @Test
  void hotspotGivesTheHotKeysTheirShare() {
    KeyChoice choice = new KeyChoice(Distribution.HOTSPOT, 0.99, 0.1, 0.9);
    long[] counts = descending(counts(choice, RECORDS));
    long hot = Arrays.stream(counts, 0, RECORDS / 10).sum();
    assertThat(hot / (double) DRAWS).isCloseTo(0.9, within(0.003));
    long[] hotCounts = Arrays.copyOf(counts, RECORDS / 10);
    assertThat(ChiSquared.deviation(hotCounts, even(RECORDS / 10))).isBetween(-4.0, 4.0);
  }

  @Test
  void hotspotMayBeEverything() {
    KeyChoice choice = new KeyChoice(Distribution.HOTSPOT, 0.99, 1, 0.5);
    assertThat(ChiSquared.deviation(counts(choice, RECORDS), even(RECORDS))).isBetween(-4.0, 4.0);
  }

  @Test
  void exponentialFallsFromTheNewestRecordBack() {
    long[] counts = counts(KeyChoice.of(Distribution.EXPONENTIAL), RECORDS);
    double gamma = -Math.log(0.05) / 0.8571428571 / RECORDS;
    double all = 1 - Math.exp(-gamma * RECORDS);
    double[] expected = new double[RECORDS];
    for (int age = 0; age < RECORDS; age++) {
      expected[RECORDS - 1 - age] = (Math.exp(-gamma * age) - Math.exp(-gamma * (age + 1))) / all;
    }
    assertThat(ChiSquared.deviation(counts, expected)).isBetween(-4.0, 4.0);
  }

  /** YCSB's {@code exponential.frac=0.25} and {@code exponential.percentile=80}. */
  @Test
  void exponentialHasItsParameters() {
    KeyChoice choice = new KeyChoice(Distribution.EXPONENTIAL, 0.99, 0.25, 0.8);
    long[] counts = counts(choice, RECORDS);
    double gamma = -Math.log(0.2) / 0.25 / RECORDS;
    double all = 1 - Math.exp(-gamma * RECORDS);
    double[] expected = new double[RECORDS];
    for (int age = 0; age < RECORDS; age++) {
      expected[RECORDS - 1 - age] = (Math.exp(-gamma * age) - Math.exp(-gamma * (age + 1))) / all;
    }
    assertThat(ChiSquared.deviation(counts, expected)).isBetween(-4.0, 4.0);
  }

  @Test
  void hotspotMayHaveAllOperationsOrNone() {
    long[] all = counts(new KeyChoice(Distribution.HOTSPOT, 0.99, 0.1, 1), RECORDS);
    long[] none = counts(new KeyChoice(Distribution.HOTSPOT, 0.99, 0.1, 0), RECORDS);
    assertThat(Arrays.stream(all).filter(count -> count > 0).count()).isEqualTo(RECORDS / 10);
    assertThat(Arrays.stream(none).filter(count -> count == 0).count()).isEqualTo(RECORDS / 10);
  }

  @Test
  void walksVisitEveryKeyOncePerCycleWhateverTheThreads() {
    for (Distribution walk :
        new Distribution[] {
          Distribution.SEQUENTIAL, Distribution.REVERSE, Distribution.RANDOM, Distribution.TIMESTAMP
        }) {
      int threads = 4;
      long[] counts = new long[RECORDS];
      for (int thread = 0; thread < threads; thread++) {
        KeyChooser chooser = KeyChooser.of(KeyChoice.of(walk), RECORDS, 1, thread, threads);
        for (int i = 0; i < 2 * RECORDS / threads; i++) {
          counts[(int) chooser.choose(i, new CounterRandom(0), RECORDS)]++;
        }
      }
      assertThat(counts).as(walk.label()).containsOnly(2);
    }
  }

  @Test
  void sequentialAscendsAndReverseDescends() {
    KeyChooser up = KeyChooser.of(KeyChoice.of(Distribution.SEQUENTIAL), 10, 1, 1, 3);
    KeyChooser down = KeyChooser.of(KeyChoice.of(Distribution.REVERSE), 10, 1, 1, 3);
    CounterRandom random = new CounterRandom(0);
    assertThat(new long[] {up.choose(0, random, 10), up.choose(1, random, 10)})
        .containsExactly(1, 4);
    assertThat(new long[] {down.choose(0, random, 10), down.choose(1, random, 10)})
        .containsExactly(8, 5);
  }

  @Test
  void timestampsArriveAlmostInOrder() {
    for (long records : new long[] {1, 63, 64, 65, 1000}) {
      RecordOrder order = RecordOrder.of(Distribution.TIMESTAMP, records, 9);
      java.util.Set<Long> seen = new java.util.HashSet<>();
      for (long place = 0; place < records; place++) {
        long record = order.record(place);
        assertThat(record / RecordOrder.STRETCH).isEqualTo(place / RecordOrder.STRETCH);
        seen.add(record);
      }
      assertThat(seen).hasSize((int) records).allMatch(record -> record >= 0 && record < records);
    }
  }
}
