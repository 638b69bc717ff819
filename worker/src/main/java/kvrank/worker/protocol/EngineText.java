package kvrank.worker.protocol;

import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.binding.RefusedException;
import kvrank.fact.Facts;

/** An engine's messages, printable and limited in length. */
final class EngineText {

  private static final int LONGEST = 2_000;

  private EngineText() {}

  static String of(String said) {
    return RefusedException.printable(said, LONGEST);
  }

  /** Returns the facts with such names and values. */
  static Facts of(Facts facts) {
    SortedMap<String, String> shown = new TreeMap<>();
    facts.asMap().forEach((name, value) -> shown.put(of(name), of(value)));
    return Facts.of(shown);
  }
}
