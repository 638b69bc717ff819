package kvrank.binding;

import java.util.SortedMap;

/** What an embedded engine reports about itself: its version and its settings in force. */
public interface EngineFacts {

  /**
   * Returns facts by name, such as {@code version} and {@code sync}. kvrank calls this once after
   * {@code init} and records them as {@code engine.version} and {@code engine.sync}.
   */
  SortedMap<String, String> facts();
}
