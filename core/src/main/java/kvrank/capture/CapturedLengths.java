package kvrank.capture;

import static kvrank.capture.SizeHistogram.mean;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kvrank.capture.FrequencyProfile.Popular;
import kvrank.capture.LengthsByPopularity.Part;
import kvrank.capture.LengthsByPopularity.Sampled;
import kvrank.workload.random.Distribution;
import kvrank.workload.value.ValueSizes;
import kvrank.workload.value.ValueSizes.Bin;

/**
 * Lengths of captured values, and those of the workload.
 *
 * @param all of all keys, the shortest first
 * @param parts of the keys by popularity; one if lengths do not depend on it
 * @param sizes of the workload
 * @param read the mean length that a read of the workload returns
 */
record CapturedLengths(List<Integer> all, List<Part> parts, ValueSizes sizes, double read) {

  /** The fewest accessed keys for a mean length. */
  static final int LEAST_ACCESSED = 300;

  /** Shares of keys are rounded to multiples of this. */
  private static final double SHARE = 1e-9;

  /**
   * Returns the lengths that a sample shows.
   *
   * @param keys the number of keys of the server
   * @param population the number of keys that clients ask for
   */
  static CapturedLengths of(
      KeySample sample,
      long keys,
      long population,
      Accesses accesses,
      Optional<Skew> skew,
      Optional<Survival> survival) {
    List<KeySample.Key> strings = sample.strings();
    double existing = keys;
    double living =
        existing * strings.stream().filter(KeySample.Key::expires).count() / strings.size();
    // A key that expires stands for those that have expired, too.
    double weight =
        survival.isEmpty() || living == 0 ? 1 : Math.max(1, 1 + (population - existing) / living);
    List<Part> parts = List.of();
    int[] accessed = sample.accessedBytes();
    if (accessed.length >= LEAST_ACCESSED
        && skew.filter(found -> found.choice().distribution() != Distribution.LATEST).isPresent()) {
      List<Popular> model = Skew.model(Skew.choiceOf(skew), population);
      List<KeySample.Key> drawn = new ArrayList<>(sample.distinct(key -> true));
      drawn.addAll(strings);
      Map<Long, Integer> counts =
          accesses.countsOf(drawn.stream().map(KeySample.Key::hash).toList());
      List<Sampled> sampled =
          drawn.stream()
              .filter(key -> key.bytes() >= 0)
              .map(
                  key ->
                      new Sampled(counts.get(key.hash()), key.bytes(), key.expires() ? weight : 1))
              .toList();
      parts =
          new LengthsByPopularity(
                  sampled,
                  model,
                  accesses.count(),
                  key -> survival.map(each -> each.exists(key)).orElse(1.0))
              .parts(mean(accessed), sampled.size());
    }
    List<Integer> all = weighted(strings, weight);
    if (parts.size() < 2) {
      ValueSizes sizes = new SizeHistogram(ints(all)).sizes();
      return new CapturedLengths(all, List.of(new Part(1, 1, all)), sizes, sizes.mean());
    }
    List<ValueSizes.Part> sizes = new ArrayList<>();
    double read = 0;
    double left = 1;
    for (Part part : parts) {
      ValueSizes ofPart =
          new SizeHistogram(ints(part.bytes().isEmpty() ? all : part.bytes())).sizes();
      boolean last = sizes.size() == parts.size() - 1;
      double share = last ? left : Math.max(1, Math.round(part.keys() / SHARE)) * SHARE;
      left -= share;
      sizes.add(new ValueSizes.Part(share, ofPart));
      read += part.reads() * ofPart.mean();
    }
    return new CapturedLengths(
        all, parts, new ValueSizes(ValueSizes.Spread.UNIFORM, List.of(), sizes, false), read);
  }

  /** Returns lengths of values, the shortest first, with those of expiring keys more often. */
  private static List<Integer> weighted(List<KeySample.Key> keys, double weight) {
    SplittableRandom random = new SplittableRandom(keys.size());
    IntStream.Builder lengths = IntStream.builder();
    for (KeySample.Key key : keys) {
      double left = key.expires() ? weight : 1;
      for (; left > 0 && random.nextDouble() < left; left--) {
        lengths.add(key.bytes());
      }
    }
    return lengths.build().sorted().boxed().toList();
  }

  static int[] ints(List<Integer> numbers) {
    return numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Returns the YAML of the workload's lengths. */
  String yaml() {
    if (sizes.parts().isEmpty()) {
      return histogram(sizes).indent(10);
    }
    return "          by-popularity:\n"
        + sizes.parts().stream()
            .map(
                part ->
                    "- keys: %s\n  bytes:\n%s"
                        .formatted(share(part.records()), histogram(part.sizes()).indent(4)))
            .collect(Collectors.joining())
            .indent(12);
  }

  private static String histogram(ValueSizes sizes) {
    return sizes.bins().stream()
        .map(CapturedLengths::bin)
        .collect(Collectors.joining("", "histogram:\n", ""));
  }

  private static String bin(Bin bin) {
    String length = bin.min() == bin.max() ? "bytes: %d" : "min: %d, max: %d";
    return "  - {%s, weight: %d}\n".formatted(length.formatted(bin.min(), bin.max()), bin.weight());
  }

  /** Returns a share of keys, rounded. */
  static String share(double share) {
    return BigDecimal.valueOf(Math.round(share / SHARE), 9).stripTrailingZeros().toPlainString();
  }

  /** Returns a sentence on how they depend on popularity; empty if they do not. */
  String byPopularity() {
    return parts.size() < 2
        ? ""
        : "They depend on popularity (STRLEN of accessed keys): "
            + parts.stream()
                .map(
                    part ->
                        "%.3g %% of the keys with %.3g %% of the reads have a mean of %.1f"
                            .formatted(
                                100 * part.keys(), 100 * part.reads(), mean(ints(part.bytes()))))
                .collect(Collectors.joining("; ", "", ". "));
  }
}
