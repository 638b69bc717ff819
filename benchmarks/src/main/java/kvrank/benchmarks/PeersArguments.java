package kvrank.benchmarks;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The words after {@code benchmarks/peers}. */
record PeersArguments(Pacing pacing, List<String> names) {

  private static final String PAIRS = "--pairs";
  private static final String SECONDS = "--seconds";
  private static final String PATIENCE = "--patience";
  private static final String NOISE = "--noise";

  PeersArguments {
    names = List.copyOf(names);
  }

  /**
   * Reads them.
   *
   * @throws IllegalArgumentException if they say nothing that can be done
   */
  static PeersArguments of(List<String> words) {
    Pacing usual = Pacing.DEFAULT;
    Map<String, Integer> options = new TreeMap<>();
    options.put(PAIRS, usual.pairs());
    options.put(SECONDS, usual.seconds());
    options.put(PATIENCE, usual.patienceSeconds());
    options.put(NOISE, usual.noisePercent());
    List<String> names = new ArrayList<>();
    Iterator<String> rest = words.iterator();
    while (rest.hasNext()) {
      String word = rest.next();
      if (options.containsKey(word)) {
        options.put(word, number(word, rest));
      } else if (word.startsWith("-")) {
        throw new IllegalArgumentException(
            "unknown option '" + word + "'; the options are " + options.keySet());
      } else {
        names.add(word);
      }
    }
    Pacing pacing =
        new Pacing(
            options.get(PAIRS),
            usual.warmupSeconds(),
            options.get(SECONDS),
            options.get(PATIENCE),
            options.get(NOISE));
    return new PeersArguments(pacing, names);
  }

  private static int number(String option, Iterator<String> rest) {
    String word = rest.hasNext() ? rest.next() : "";
    if (!word.matches("\\d{1,6}")) {
      throw new IllegalArgumentException(option + " needs a whole number, not '" + word + "'");
    }
    return Integer.parseInt(word);
  }

  boolean chooses(String name) {
    return names.isEmpty() || names.stream().anyMatch(name::startsWith);
  }
}
