package kvrank.binding;

import java.util.SortedMap;

/** What an embedded engine says about itself: its version and the settings that are in force. */
public interface EngineFacts {

  /**
   * Facts by name, for example {@code sync}, which a record has as {@code engine.sync}; asked after
   * init.
   */
  SortedMap<String, String> facts();
}
