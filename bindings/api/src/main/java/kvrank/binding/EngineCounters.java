package kvrank.binding;

/**
 * Figures of an engine that explain its throughput over time, such as its debt of compactions or
 * its evictions. Only the first instance of a binding is asked.
 */
public interface EngineCounters {

  /** Takes figures, whose names consist of lower-case letters, digits, dashes and underscores. */
  interface Figures {

    /** A total: the bytes that the engine read from its files. */
    String STORAGE_READ = "storage-read-bytes";

    /** A total: the bytes that the engine wrote to its files. */
    String STORAGE_WRITTEN = "storage-written-bytes";

    /** Takes a value at this moment; those of names that contain {@code bytes} are in bytes. */
    void gauge(String name, double value);

    /**
     * Takes a count since the engine was opened, which only grows. kvrank divides the growth of
     * {@value #STORAGE_READ} and {@value #STORAGE_WRITTEN} in the measured time by the bytes of
     * keys and values: read and write amplification by the engine's own count.
     */
    void total(String name, double value);
  }

  /**
   * Adds the current figures. kvrank calls this once a second while requests are in flight, and at
   * the edges of the measured time, in a thread of its own. So it must be safe in any thread, cost
   * the engine next to nothing, and not use the connection of the requests.
   *
   * @throws Exception if the engine does not answer; the figures of this second are then missing
   */
  void addCounters(Figures figures) throws Exception;
}
