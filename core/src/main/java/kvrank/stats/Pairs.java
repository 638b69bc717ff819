package kvrank.stats;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every two engines of a table compared, with a probability of at most 5 % that the whole table
 * separates any two that are equal.
 *
 * <p>All pairs count, also where only those with the best are shown: the best one is chosen by the
 * same data, so that comparing it with the others alone would err too often.
 */
final class Pairs {

  private record Key(int better, int worse) {}

  private record Verdict(WelchTest contrast, double level) {}

  private final List<Estimate> ordered;
  private final Map<Key, Verdict> verdicts = new LinkedHashMap<>();

  /** The pairs of {@code ordered}, which are known by their places in it. */
  Pairs(List<Estimate> ordered) {
    this.ordered = List.copyOf(ordered);
    Map<Key, WelchTest> contrasts = new LinkedHashMap<>();
    for (int i = 0; i < ordered.size(); i++) {
      for (int j = i + 1; j < ordered.size(); j++) {
        Optional<WelchTest> contrast = WelchTest.of(ordered.get(j), ordered.get(i));
        if (contrast.isPresent()) {
          contrasts.put(new Key(i, j), contrast.get());
        }
      }
    }
    double[] p = contrasts.values().stream().mapToDouble(WelchTest::p).toArray();
    double[] levels = MultipleTesting.holmLevels(p, 1 - Estimate.CONFIDENCE);
    List<Key> keys = new ArrayList<>(contrasts.keySet());
    for (int i = 0; i < keys.size(); i++) {
      verdicts.put(keys.get(i), new Verdict(contrasts.get(keys.get(i)), levels[i]));
    }
  }

  /**
   * Whether the data cannot separate the two: their values are equal, or the interval of their
   * ratio includes 1. Of a pair of which one has no interval nothing can be told; it is not tied.
   */
  boolean tied(int better, int worse) {
    if (ordered.get(better).value() == ordered.get(worse).value()) {
      return true;
    }
    Verdict verdict = verdicts.get(new Key(better, worse));
    return verdict != null && verdict.contrast().p() > verdict.level();
  }

  /** The value at {@code worse} divided by that at {@code better}. */
  Ratio ratio(int better, int worse) {
    Verdict verdict = verdicts.get(new Key(better, worse));
    if (verdict != null) {
      return verdict.contrast().ratio(1 - verdict.level());
    }
    double one = ordered.get(better).value();
    double other = ordered.get(worse).value();
    return one == other ? Ratio.ONE : Ratio.withoutInterval(one == 0 ? Double.NaN : other / one);
  }
}
