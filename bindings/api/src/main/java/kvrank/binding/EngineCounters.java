package kvrank.binding;

/**
 * Figures of an engine that explain its throughput over time, such as its debt of compactions or
 * its evictions. Only the first instance of a binding is asked.
 */
public interface EngineCounters {

  /** Takes figures, whose names consist of lower-case letters, digits, dashes and underscores. */
  interface Figures {

    /** Takes a value at this moment; that of a name that contains {@code bytes} is in bytes. */
    void gauge(String name, double value);

    /** Takes a count since the engine was opened, which only grows. */
    void total(String name, double value);
  }

  /**
   * Adds the current figures. kvrank calls this once a second while requests are in flight, in a
   * thread of its own. So it must be safe in any thread, cost the engine next to nothing, and not
   * use the connection of the requests.
   *
   * @throws Exception if the engine does not answer; the figures of this second are then missing
   */
  void addCounters(Figures figures) throws Exception;
}
