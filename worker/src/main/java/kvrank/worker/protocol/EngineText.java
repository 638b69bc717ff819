package kvrank.worker.protocol;

import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.binding.RefusedException;
import kvrank.fact.Facts;

/** What an engine may have said, as people can be shown it: no more than they would read. */
final class EngineText {

  private static final int LONGEST = 2_000;

  private EngineText() {}

  static String of(String said) {
    return RefusedException.printable(said, LONGEST);
  }

  /** Returns the same of names and values; of names that are the same then the last. */
  static Facts of(Facts facts) {
    SortedMap<String, String> shown = new TreeMap<>();
    facts.asMap().forEach((name, value) -> shown.put(of(name), of(value)));
    return Facts.of(shown);
  }
}
