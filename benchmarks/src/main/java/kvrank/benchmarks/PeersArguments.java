package kvrank.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.benchmarks.table.Pacing;

/**
 * The words after {@code benchmarks/peers}.
 *
 * @param against another build of kvrank, to be measured in the peers' place
 * @param names which rows; none for all of them
 */
record PeersArguments(Pacing pacing, Optional<Path> against, List<String> names) {

  private static final String PAIRS = "--pairs";
  private static final String SECONDS = "--seconds";
  private static final String PATIENCE = "--patience";
  private static final String NOISE = "--noise";
  private static final String AGAINST = "--against";

  PeersArguments {
    names = List.copyOf(names);
  }

  /** Returns the arguments that {@code words} stand for; throws if one is unknown or wrong. */
  static PeersArguments of(List<String> words) {
    Pacing usual = Pacing.DEFAULT;
    Map<String, Integer> options = new TreeMap<>();
    options.put(PAIRS, usual.pairs());
    options.put(SECONDS, usual.seconds());
    options.put(PATIENCE, usual.patienceSeconds());
    options.put(NOISE, usual.noisePercent());
    Optional<Path> against = Optional.empty();
    List<String> names = new ArrayList<>();
    Iterator<String> rest = words.iterator();
    while (rest.hasNext()) {
      String word = rest.next();
      if (options.containsKey(word)) {
        options.put(word, number(word, rest, word.equals(PAIRS) || word.equals(SECONDS) ? 1 : 0));
      } else if (word.equals(AGAINST)) {
        against = Optional.of(folder(rest));
      } else if (word.startsWith("-")) {
        throw new IllegalArgumentException(
            "unknown option '%s'; the options are %s, %s"
                .formatted(word, AGAINST, String.join(", ", options.keySet())));
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
    return new PeersArguments(pacing, against, names);
  }

  private static Path folder(Iterator<String> rest) {
    String word = rest.hasNext() ? rest.next() : "";
    Path folder = Path.of(word).toAbsolutePath().normalize();
    if (word.isEmpty() || !Files.isDirectory(folder.resolve("worker/target/classes"))) {
      throw new IllegalArgumentException(
          "%s needs the folder of another kvrank that is built, not '%s'".formatted(AGAINST, word));
    }
    return folder;
  }

  private static int number(String option, Iterator<String> rest, int least) {
    String word = rest.hasNext() ? rest.next() : "";
    if (!word.matches("\\d{1,6}") || Integer.parseInt(word) < least) {
      throw new IllegalArgumentException(
          "%s needs a whole number of at least %d, not '%s'".formatted(option, least, word));
    }
    return Integer.parseInt(word);
  }

  boolean chooses(String name) {
    return names.isEmpty() || names.stream().anyMatch(name::startsWith);
  }
}
