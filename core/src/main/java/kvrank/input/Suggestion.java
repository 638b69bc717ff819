package kvrank.input;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.text.similarity.JaroWinklerSimilarity;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** The next step for a name that does not exist. */
public final class Suggestion {

  private static final double NEAR = 0.9;

  private Suggestion() {}

  /** {@code ; did you mean 'read'?}, or the valid names if none is near. */
  public static String of(String given, Collection<String> valid) {
    if (valid.isEmpty()) {
      return "; there are none";
    }
    return nearest(given, valid)
        .map(name -> "; did you mean '" + name + "'?")
        .orElseGet(() -> "; valid: " + String.join(", ", valid));
  }

  /** Returns the name of {@code valid} that was probably meant. */
  public static Optional<String> nearest(String given, Collection<String> valid) {
    String wanted = plain(given);
    JaroWinklerSimilarity similarity = new JaroWinklerSimilarity();
    // Edits find a slip of the keyboard, the common prefix finds `batch-size` for `batch`.
    int edits = wanted.length() <= 3 ? 1 : wanted.length() <= 8 ? 2 : 3;
    return valid.stream()
        .filter(
            name ->
                new LevenshteinDistance(edits).apply(wanted, plain(name)) >= 0
                    || swaps(wanted, plain(name))
                    || similarity.apply(wanted, plain(name)) >= NEAR)
        .max(Comparator.comparingDouble(name -> similarity.apply(wanted, plain(name))));
  }

  /** Returns whether {@code wanted} is {@code name} with two neighbours in each other's place. */
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
