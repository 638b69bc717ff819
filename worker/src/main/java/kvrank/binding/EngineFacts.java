package kvrank.binding;

import java.util.SortedMap;

/** What an embedded engine says about itself: its version and the settings that are in force. */
public interface EngineFacts {

  /** Facts by name, for example {@code rocksdb.version} or {@code sync}; asked after init. */
  SortedMap<String, String> facts();
}
