package kvrank.capture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import kvrank.capture.Cost.Activity;
import kvrank.engine.Capability;
import kvrank.engine.EngineDefinition;
import kvrank.scenario.read.TestHome;
import kvrank.workload.request.Operation;
import kvrank.workload.value.ValueSizes;
import kvrank.workload.value.ValueSizes.Bin;
import org.junit.jupiter.api.Test;

/** What a capture makes of numbers that are known. */
class CapturePartsTest {

  private final SplittableRandom random = new SplittableRandom(3);

  private int[] sample(int count, IntSupplier size) {
    int[] sizes = new int[count];
    Arrays.setAll(sizes, i -> size.getAsInt());
    Arrays.sort(sizes);
    return sizes;
  }

  private int lognormal(double median, double sigma) {
    double normal = 0;
    for (int i = 0; i < 12; i++) {
      normal += random.nextDouble();
    }
    return (int) Math.max(1, median * Math.exp(sigma * (normal - 6)));
  }

  /** Draws sizes from a histogram, as values are drawn. */
  private int[] drawn(ValueSizes sizes, int count) {
    int all = sizes.bins().stream().mapToInt(Bin::weight).sum();
    return sample(
        count,
        () -> {
          int place = random.nextInt(all);
          for (Bin bin : sizes.bins()) {
            place -= bin.weight();
            if (place < 0) {
              return random.nextInt(bin.min(), bin.max() + 1);
            }
          }
          throw new AssertionError();
        });
  }

  private static int percentile(int[] sorted, double share) {
    return sorted[(int) (share * (sorted.length - 1))];
  }

  /** Kolmogorov's distance, at every length in turn. */
  private static double distance(ValueSizes histogram, int... sorted) {
    double all = histogram.bins().stream().mapToDouble(Bin::weight).sum();
    double most = 0;
    double within = 0;
    int reached = 0;
    for (int bytes = 1; bytes <= sorted[sorted.length - 1]; bytes++) {
      for (Bin bin : histogram.bins()) {
        boolean inside = bin.min() <= bytes && bytes <= bin.max();
        within += inside ? bin.weight() / (bin.max() - bin.min() + 1.0) : 0;
      }
      while (reached < sorted.length && sorted[reached] <= bytes) {
        reached++;
      }
      most = Math.max(most, Math.abs(within / all - (double) reached / sorted.length));
    }
    return most;
  }

  private void staysNear(IntSupplier size) {
    int[] sizes = sample(20_000, size);

    SizeHistogram found = new SizeHistogram(sizes);
    ValueSizes histogram = found.sizes();

    assertThat(histogram.bins()).hasSizeLessThanOrEqualTo(40);
    assertThat(found.distance()).isLessThan(0.01);
    assertThat(distance(histogram, sizes)).isLessThan(found.distance() + 1e-9);
    int[] drawn = drawn(histogram, 200_000);
    assertThat((double) percentile(drawn, 0.99))
        .isCloseTo(percentile(sizes, 0.99), within(0.05 * percentile(sizes, 0.99)));
    assertThat(histogram.mean())
        .isCloseTo(
            Arrays.stream(sizes).average().orElseThrow(),
            within(0.03 * Arrays.stream(sizes).average().orElseThrow()));
  }

  /** A name goes into a comment of the scenario, which ends with the line. */
  @Test
  void aNameOfACommandIsOneWord() {
    String statistics =
        "cmdstat_get:calls=2,usec=1\r\ncmdstat_x\u2028y\u001b[31m:calls=3\r\ncmdstat_config|get:calls=1\r\n";
    assertThat(CapturedServer.calls(statistics)).isEqualTo(Map.of("get", 2L, "config|get", 1L));
  }

  @Test
  void samplesNineThousandKeysInAMinuteAndFiftyAtATimeAtMost() {
    int minute = Capture.samples(60, false);
    assertThat(minute).isEqualTo(290);
    assertThat(minute * Capture.keys(minute)).isEqualTo(9_280);
    assertThat(Capture.keys(Capture.samples(10, false))).isEqualTo(50);
    assertThat(Capture.samples(60, true)).isEqualTo(230);
    int hour = Capture.samples(3_600, false);
    assertThat(hour * Capture.keys(hour)).isLessThan(9_000 * 60);
  }

  /** As a capture draws them: Kolmogorov's distance of a sample and its histogram from all keys. */
  @Test
  void aMinuteKnowsLengthsToTwoHundredths() {
    int[] all = IntStream.range(0, 250_000).map(KnownTraffic::length).sorted().toArray();
    int[] sampled = sample(9_000, () -> all[random.nextInt(all.length)]);

    ValueSizes histogram = new SizeHistogram(sampled).sizes();

    assertThat(distance(histogram, all)).isLessThan(0.02);
    assertThat((double) percentile(drawn(histogram, 200_000), 0.99))
        .isCloseTo(percentile(all, 0.99), within(0.05 * percentile(all, 0.99)));
  }

  @Test
  void histogramStaysNearToTheSample() {
    staysNear(() -> 1 + random.nextInt(1_000));
    staysNear(() -> lognormal(200, 0.5));
    staysNear(() -> lognormal(200, 1.5));
    staysNear(() -> random.nextInt(3) == 0 ? 100 : lognormal(500, 1));
    staysNear(() -> random.nextInt(100) == 0 ? 1_000_000 : 64);
    assertThat(new SizeHistogram(sample(100, () -> 42)).sizes().bins())
        .containsExactly(new Bin(42, 42, 100));
  }

  @Test
  void mixLeavesOutWhatTheCaptureAskedItself() {
    CommandMix mix =
        CommandMix.between(
            Map.of("get", 1_000L, "set", 100L, "strlen", 7L, "ping", 5L),
            new TreeMap<>(
                Map.of(
                    "get",
                    1_800L,
                    "set",
                    250L,
                    "strlen",
                    107L,
                    "del",
                    50L,
                    "ping",
                    905L,
                    "memory|usage",
                    9L)),
            Map.of("strlen", 100L, "ping", 800L));

    assertThat(mix.calls()).isEqualTo(Map.of("get", 800L, "set", 150L, "del", 50L));
    assertThat(mix.others()).isEqualTo(Map.of("ping", 100L));
    assertThat(mix.rest()).isEqualTo("100 others (ping 100)");
    assertThat(new CommandMix(mix.calls(), new TreeMap<>()).rest()).isEqualTo("0 others");
    assertThat(mix.weights(0, 0))
        .isEqualTo(
            Map.of(
                Operation.READ,
                8_000,
                Operation.INSERT,
                500,
                Operation.UPDATE,
                1_000,
                Operation.DELETE,
                500));
    assertThat(mix.weights(100, 0))
        .isEqualTo(Map.of(Operation.READ, 8_000, Operation.INSERT, 1_500, Operation.DELETE, 500));
    assertThat(mix.weights(-50, 150))
        .isEqualTo(Map.of(Operation.READ, 8_000, Operation.DELETE, 500));
  }

  @Test
  void keysHaveTheirPrefixesInCommon() {
    KeySample sample = new KeySample(1);
    for (int i = 0; i < 20_000; i++) {
      int key = random.nextInt(250_000);
      byte[] bytes = "user:%d:%d".formatted(key / 100, key).getBytes(UTF_8);
      sample.add(bytes, new KeySample.Key(key, i % 4 == 0 ? -1 : 100, i % 5 == 0 ? 9 : -1, false));
    }

    assertThat((double) sample.perPrefix(250_000)).isCloseTo(100, within(5.0));
    assertThat(sample.prefixed()).isEqualTo(1);
    assertThat(sample.remaining()).hasSize(4_000);
    assertThat(sample.others()).isEqualTo(5_000);
  }

  @Test
  void noLengthThatAServerStatesIsLongerThanAValueCanBe() {
    for (long stated : new long[] {Long.MIN_VALUE, -1, Integer.MAX_VALUE, Long.MAX_VALUE}) {
      assertThat(KeySample.bounded(stated)).isBetween(0, ValueSizes.MOST_BYTES);
      assertThat(new KeySample(1).bytes(stated, 5)).isBetween(1, ValueSizes.MOST_BYTES);
    }
  }

  /** The remaining times of keys with these times to live, written again before that or never. */
  private TimesToLive times(int count, int again, LongSupplier seconds) {
    long[] left =
        LongStream.range(0, count)
            .map(i -> 1_000 * seconds.getAsLong())
            .map(millis -> millis - random.nextLong(again > 0 ? Math.min(millis, again) : millis))
            .toArray();
    return new TimesToLive(left, 60);
  }

  @Test
  void tellsTheTimeToLiveFromWhatIsLeftOfIt() {
    assertThat(times(4_000, 0, () -> 30).seconds()).hasValue(30);
    assertThat(times(4_000, 3_000, () -> 30).seconds()).hasValue(30);
    assertThat(times(4_000, 0, () -> 3_600).seconds().orElseThrow()).isBetween(3_580, 3_620);
    assertThat(times(200, 0, () -> 60).seconds().orElseThrow()).isBetween(58, 62);
    // A tenth more or less is still as one; and a few of another kind do not count.
    assertThat(times(4_000, 0, () -> 54 + random.nextInt(13)).seconds().orElseThrow())
        .isBetween(57, 64);
    assertThat(
            times(4_000, 0, () -> random.nextInt(200) == 0 ? 86_400 : 30).seconds().orElseThrow())
        .isBetween(29, 31);
  }

  @Test
  void tellsNoTimeToLiveWhereThereIsNotOne() {
    TimesToLive several = times(4_000, 0, () -> random.nextInt(5) == 0 ? 600 : 60);
    assertThat(several.seconds()).isEmpty();
    assertThat(several.toString()).contains("which a single time to live does not explain: with 5");
    TimesToLive few = times(TimesToLive.LEAST - 1, 0, () -> 60);
    assertThat(few.seconds()).isEmpty();
    assertThat(few.toString()).contains("too few");
    assertThat(times(0, 0, () -> 60).seconds()).isEmpty();
    assertThat(times(0, 0, () -> 60).toString()).isEmpty();
    // Of what was loaded once, and is sampled over a minute.
    TimesToLive loaded =
        new TimesToLive(
            LongStream.range(0, 4_000).map(i -> 90_000 - 15 * i + random.nextLong(900)).toArray(),
            60);
    assertThat(loaded.seconds()).isEmpty();
    assertThat(loaded.toString()).contains("shrinking during the capture");
  }

  private static Keeping keeping(String policy, int evicted, int misses) {
    Map<String, String> before =
        Map.of("evicted_keys", "7", "keyspace_hits", "100", "keyspace_misses", "10");
    Map<String, String> after =
        Map.of(
            "evicted_keys", String.valueOf(7 + evicted),
            "keyspace_hits", "1050",
            "keyspace_misses", String.valueOf(10 + misses + 7));
    Map<String, String> memory = Map.of("maxmemory", "1000000", "maxmemory_policy", policy);
    return Keeping.between(before, after, memory, 50, 7);
  }

  @Test
  void tellsACacheByWhatItGivesUpAndByWritesThatFollowMisses() {
    Keeping cache = keeping("allkeys-lfu", 80, 100);
    assertThat(cache.evicts()).isTrue();
    assertThat(cache.hitRatio()).isCloseTo(0.9, within(1e-9));
    assertThat(cache.fills(89)).isFalse();
    assertThat(cache.fills(100)).isTrue();
    assertThat(cache.fills(500)).isTrue();

    assertThat(keeping("volatile-lru", 80, 100).evicts()).isFalse();
    Keeping forgetting = keeping("noeviction", 0, 100);
    assertThat(forgetting.evicts()).isFalse();
    assertThat(forgetting.fills(100)).isTrue();
    assertThat(forgetting.fills(500)).isFalse();
    assertThat(keeping("noeviction", 0, 0).fills(0)).isFalse();
    // Of 1,000 writes 90 ended, or 10 though a tenth of the reads miss.
    assertThat(new Keeping(0, "", 0, 90, 900, 100).missesOfExpired(1_000))
        .isEqualTo(0.1, within(1e-9));
    assertThat(new Keeping(0, "", 0, 10, 900, 100).missesOfExpired(1_000)).isEqualTo(0.01);
  }

  @Test
  void arrivalsTellIndependenceFromBursts() {
    ArrivalCounts even = new ArrivalCounts();
    ArrivalCounts bursts = new ArrivalCounts();
    for (int i = 0; i < 600; i++) {
      int count = 0;
      for (int trial = 0; trial < 3_000; trial++) {
        count += random.nextInt(100) == 0 ? 1 : 0;
      }
      even.add(0.1, count);
      bursts.add(0.1, i % 10 == 0 ? 300 : 0);
    }

    assertThat(even.dispersion()).isCloseTo(1, within(0.2));
    assertThat(even.rate()).isCloseTo(300, within(10.0));
    assertThat(bursts.dispersion()).isGreaterThan(200);
    assertThat(bursts.peak()).isCloseTo(10, within(0.01));
  }

  @Test
  void compressibilityIsThatOfTheBytes() {
    Compressibility noise = new Compressibility();
    Compressibility half = new Compressibility();
    for (int i = 0; i < 500; i++) {
      byte[] value = new byte[1_000];
      random.nextBytes(value);
      noise.add(value);
      Arrays.fill(value, 0, 500, (byte) i);
      half.add(value);
    }

    assertThat(noise.share()).isZero();
    assertThat(half.share()).isCloseTo(0.5, within(0.03));
    assertThat(half.values()).isEqualTo(500);
  }

  @Test
  void endsWhenTheServerSlowsDownOrWorksHarder() throws Exception {
    Cost slow = new Cost();
    Cost busy = new Cost();
    for (int i = 0; i < Cost.QUIET_SECONDS; i++) {
      slow.add(Activity.NOTHING, 0.3, 200, 210, 5_000);
      busy.add(Activity.NOTHING, 0.3, 200, 210, 5_000);
    }
    slow.add(Activity.SAMPLING, 0.3, 2_000, 2_000);
    slow.add(Activity.NOTHING, 0.3, 2_000, 2_000);
    slow.add(Activity.SAMPLING, 0.3, 300);
    slow.add(Activity.NOTHING, 0.3, 2_000);
    slow.add(Activity.SAMPLING, 0.3, 2_000);
    assertThatThrownBy(() -> slow.add(Activity.NOTHING, 0.3, 2_000))
        .hasMessageContaining("PING takes 2.0 ms, and took 0.2 ms at first");

    Cost silent = new Cost();
    for (int i = 0; i < Cost.QUIET_SECONDS; i++) {
      silent.add(Activity.NOTHING, 0.3, 200);
    }
    silent.add(Activity.SAMPLING, 0.3);
    silent.add(Activity.NOTHING, 0.3, 1_300_000);
    assertThatThrownBy(() -> silent.add(Activity.SAMPLING, 0.3))
        .hasMessageContaining("PING takes 1000.0 ms, and took 0.2 ms at first");

    for (int i = 0; i < 3; i++) {
      busy.add(Activity.SAMPLING, 0.36 + i % 2 * 0.02, 200);
      busy.add(Activity.NOTHING, 0.3, 200);
    }
    assertThat(busy.points(Activity.SAMPLING)).isCloseTo(6.7, within(0.1));
    assertThatThrownBy(() -> busy.add(Activity.SAMPLING, 0.37, 200))
        .hasMessageContaining("sampling costs the server 6.8 % of a core");
  }

  /** Sums of squares of 0.5 and 2, 5 degrees of freedom: 2.571 times 0.540. */
  @Test
  void theIntervalOfACostIsStudents() throws Exception {
    Cost cost = new Cost();
    for (double percent : new double[] {30, 31, 30.5}) {
      cost.add(Activity.NOTHING, percent / 100, 200);
    }
    for (double percent : new double[] {30, 31, 32, 31}) {
      cost.add(Activity.SAMPLING, percent / 100, 200);
    }

    assertThat(cost.of(Activity.SAMPLING)).contains("0.50 +- 1.39 %");
  }

  /** But for the one that does nothing, and the one that is Redis again. */
  @Test
  void aCaptureOfACacheRanksAllThatEvict() throws Exception {
    assertThat(CapturedScenario.EVICTING.split(", "))
        .containsExactlyInAnyOrderElementsOf(
            names(engine -> engine.eviction().isPresent(), "noop", "redis-32bit"));
    assertThat(names(engine -> engine.capabilities().contains(Capability.TTL)))
        .contains(CapturedScenario.FORGETTING.split(", "));
  }

  private static List<String> names(Predicate<EngineDefinition> chosen, String... others)
      throws Exception {
    return TestHome.engines().stream()
        .filter(chosen)
        .map(EngineDefinition::name)
        .filter(name -> !List.of(others).contains(name))
        .toList();
  }
}
