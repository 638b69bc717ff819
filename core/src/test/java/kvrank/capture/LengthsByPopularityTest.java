package kvrank.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import kvrank.capture.LengthsByPopularity.Part;
import kvrank.capture.LengthsByPopularity.Sampled;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import org.junit.jupiter.api.Test;

/** Samples of a capture of keys whose lengths are known. */
class LengthsByPopularityTest {

  private static final int KEYS = 80_000;
  private static final int ACCESSES = 50_000;

  private static final KeyChoice HOTSPOT = new KeyChoice(Distribution.HOTSPOT, 0.99, 0.05, 0.7);
  private static final KeyChoice ZIPFIAN = new KeyChoice(Distribution.ZIPFIAN, 0.9, 0.2, 0.8);

  private final SplittableRandom random = new SplittableRandom(9);

  private static double[] weights(KeyChoice choice) {
    double[] weights = new double[KEYS];
    double hot = choice.hotKeys() * KEYS;
    Arrays.setAll(
        weights,
        rank ->
            choice.distribution() == Distribution.ZIPFIAN
                ? Math.pow(rank + 1.0, -choice.exponent())
                : rank < hot
                    ? choice.hotOperations() / hot
                    : (1 - choice.hotOperations()) / (KEYS - hot));
    double all = Arrays.stream(weights).sum();
    return Arrays.stream(weights).map(weight -> weight / all).toArray();
  }

  /** Returns the parts of 3,000 accesses and 6,000 keys. */
  private List<Part> parts(KeyChoice choice, IntUnaryOperator length) {
    double[] reached = weights(choice);
    Arrays.parallelPrefix(reached, Double::sum);
    int[] accesses = new int[KEYS];
    int[] drawn = new int[ACCESSES];
    for (int i = 0; i < ACCESSES; i++) {
      int place = Arrays.binarySearch(reached, random.nextDouble() * reached[KEYS - 1]);
      drawn[i] = place < 0 ? -place - 1 : place;
      accesses[drawn[i]]++;
    }
    Set<Integer> distinct = new HashSet<>();
    double read = 0;
    for (int i = 0; i < 3_000; i++) {
      int rank = drawn[random.nextInt(ACCESSES)];
      distinct.add(rank);
      read += length.applyAsInt(rank) / 3_000.0;
    }
    List<Sampled> sample = new ArrayList<>();
    distinct.forEach(rank -> sample.add(new Sampled(accesses[rank], length.applyAsInt(rank), 1)));
    for (int i = 0; i < 6_000; i++) {
      int rank = random.nextInt(KEYS);
      sample.add(new Sampled(accesses[rank], length.applyAsInt(rank), 1));
    }
    return new LengthsByPopularity(sample, Skew.model(choice, KEYS), ACCESSES, any -> 1)
        .parts(read, 1);
  }

  private static double mean(Part part) {
    return part.bytes().stream().mapToInt(Integer::intValue).average().orElseThrow();
  }

  private static double read(List<Part> parts) {
    return parts.stream().mapToDouble(part -> part.reads() * mean(part)).sum();
  }

  private static double read(KeyChoice choice, IntUnaryOperator length) {
    double[] weights = weights(choice);
    double read = 0;
    for (int rank = 0; rank < KEYS; rank++) {
      read += weights[rank] * length.applyAsInt(rank);
    }
    return read;
  }

  @Test
  void findsThatHotKeysAreLonger() {
    IntUnaryOperator length = rank -> rank < KEYS / 20 ? 4_000 : 100;

    List<Part> parts = parts(HOTSPOT, length);

    assertThat(parts).hasSize(2);
    assertThat(parts.get(0).keys()).isCloseTo(0.05, within(1e-3));
    assertThat(parts.get(0).reads()).isCloseTo(0.7, within(1e-3));
    assertThat(read(parts)).isCloseTo(read(HOTSPOT, length), withinPercentage(2));
    assertThat(mean(parts.get(1))).isCloseTo(100, within(10.0));
  }

  @Test
  void findsLengthsThatFallWithTheRank() {
    IntUnaryOperator length = rank -> (int) Math.max(100, 3_900 / Math.sqrt(1 + rank / 20.0));

    List<Part> parts = parts(ZIPFIAN, length);

    assertThat(parts.size()).isBetween(3, 10);
    assertThat(read(parts)).isCloseTo(read(ZIPFIAN, length), withinPercentage(8));
    assertThat(parts.stream().mapToDouble(Part::keys).sum()).isCloseTo(1, within(1e-9));
  }

  @Test
  void isOnePartIfLengthsDoNotDependOnPopularity() {
    assertThat(parts(ZIPFIAN, rank -> 100)).hasSize(1);
    assertThat(parts(HOTSPOT, KnownTraffic::length)).hasSize(1);
    assertThat(parts(HOTSPOT, rank -> 100 + rank * 31 % 1_000)).hasSize(1);
  }

  /** A tenth of the reads are of one key, whose length decides how long they are. */
  @Test
  void givesTheMostPopularKeyItsOwnLength() {
    KeyChoice steep = new KeyChoice(Distribution.ZIPFIAN, 1.05, 0.2, 0.8);
    IntUnaryOperator length = rank -> rank == 0 ? 50_000 : 100 + rank * 31 % 1_000;

    List<Part> parts = parts(steep, length);

    assertThat(parts.get(0).keys()).isLessThan(10.0 / KEYS);
    assertThat(read(parts)).isCloseTo(read(steep, length), withinPercentage(10));
  }
}
