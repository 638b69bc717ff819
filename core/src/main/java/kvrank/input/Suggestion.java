package kvrank.input;

import static java.util.Map.entry;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.text.similarity.JaroWinklerSimilarity;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Suggests a valid name instead of an unknown one. */
public final class Suggestion {

  private static final double SIMILAR = 0.9;

  /** The fewest characters of a name that suggest the rest. */
  private static final int SHORTEST = 3;

  /** What other tools call an operation. */
  private static final Map<String, String> SYNONYMS =
      Map.ofEntries(
          entry("get", "read"),
          entry("write", "update"),
          entry("put", "update"),
          entry("set", "update"),
          entry("upsert", "update"),
          entry("add", "insert"),
          entry("create", "insert"),
          entry("del", "delete"),
          entry("remove", "delete"),
          entry("scan", "range-scan"),
          entry("rmw", "read-modify-write"));

  private Suggestion() {}

  /** Returns {@code ; did you mean 'read'?}, or the valid names if none is similar. */
  public static String of(String given, Collection<String> valid) {
    if (valid.isEmpty()) {
      return "; there are none";
    }
    return nearest(given, valid)
        .map(name -> "; did you mean '" + name + "'?")
        .orElseGet(() -> "; valid: " + String.join(", ", valid));
  }

  /** Returns the synonym or most similar name of {@code valid}; empty if there is none. */
  public static Optional<String> nearest(String given, Collection<String> valid) {
    String wanted = plain(given);
    String synonym = SYNONYMS.getOrDefault(wanted.replaceFirst("(?<=[a-z])s$", ""), "");
    if (valid.contains(synonym)) {
      return Optional.of(synonym);
    }
    JaroWinklerSimilarity similarity = new JaroWinklerSimilarity();
    // Edits catch typing errors; the common prefix catches `batch-size` for `batch`, and `mem`.
    int edits = wanted.length() <= 3 ? 1 : wanted.length() <= 8 ? 2 : 3;
    return valid.stream()
        .filter(
            name ->
                new LevenshteinDistance(edits).apply(wanted, plain(name)) >= 0
                    || swaps(wanted, plain(name))
                    || (wanted.length() >= SHORTEST && plain(name).startsWith(wanted))
                    || similarity.apply(wanted, plain(name)) >= SIMILAR)
        .max(Comparator.comparingDouble(name -> similarity.apply(wanted, plain(name))));
  }

  /** Returns whether {@code wanted} is {@code name} with two adjacent letters swapped. */
  private static boolean swaps(String wanted, String name) {
    int first = Arrays.mismatch(wanted.toCharArray(), name.toCharArray());
    return wanted.length() == name.length()
        && first >= 0
        && first + 1 < name.length()
        && wanted.charAt(first) == name.charAt(first + 1)
        && wanted.charAt(first + 1) == name.charAt(first)
        && wanted.substring(first + 2).equals(name.substring(first + 2));
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '-').replace(' ', '-');
  }
}
