package kvrank.results;

import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.jdk.StringDeserializer;

/**
 * Reads texts of JSON files, of which equal ones are mostly one object. The records of many runs
 * have the same settings and many of the same facts, and texts are most of their memory.
 */
final class SharedTexts extends StringDeserializer {

  private static final int PLACES = 1 << 14;

  /** Longer texts are seldom equal. */
  private static final int LONGEST = 200;

  /** The latest text of each place. Threads may replace each other's, which only shares less. */
  private final String[] latest = new String[PLACES];

  @Override
  public String deserialize(JsonParser parser, DeserializationContext context) {
    String text = oneLine(super.deserialize(parser, context));
    if (text == null || text.length() > LONGEST) {
      return text;
    }
    int hash = text.hashCode();
    int place = (hash ^ (hash >>> 16)) & (PLACES - 1);
    String shared = latest[place];
    if (text.equals(shared)) {
      return shared;
    }
    latest[place] = text;
    return text;
  }

  /** Returns {@code text} in one line: others could look like those of kvrank's messages. */
  private static String oneLine(String text) {
    return text == null || text.indexOf('\n') < 0 ? text : text.replace('\n', ' ');
  }
}
