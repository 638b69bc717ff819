package kvrank.workload;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import kvrank.workload.pace.Pacing;
import kvrank.workload.request.DurationFormat;
import kvrank.workload.request.Limits;

/**
 * How the clients of a phase apply its requests.
 *
 * @param connections the number of clients, each with its own binding, that a thread drives
 * @param batch the number of records in a request
 * @param pipeline the number of requests in flight per client
 * @param errorsAllowed whether a failed request is repeated until it succeeds, instead of failing
 *     the phase
 */
public record ClientSettings(
    int threads,
    int connections,
    int batch,
    int pipeline,
    Pacing pacing,
    Limits limits,
    boolean errorsAllowed) {

  private static final String THREADS = "threads";
  private static final String CONNECTIONS = "connections";
  private static final String BATCH = "batch";
  private static final String PIPELINE = "pipeline";
  private static final String RATE = "rate";
  private static final String ARRIVALS = "arrivals";
  private static final String WARMUP = "warmup";
  private static final String DURATION = "duration";
  private static final String OPERATIONS = "operations";
  private static final String ERRORS = "errors";
  private static final String ALLOWED = "allowed";

  /** Settings of a phase that no request may fail. */
  public ClientSettings(
      int threads, int connections, int batch, int pipeline, Pacing pacing, Limits limits) {
    this(threads, connections, batch, pipeline, pacing, limits, false);
  }

  /**
   * Returns settings from their text in YAML.
   *
   * @param text the normal form of a setting by its label; empty if it does not apply
   * @throws IllegalArgumentException if one is malformed
   */
  public static ClientSettings of(UnaryOperator<String> text) {
    return new ClientSettings(
        Integer.parseInt(text.apply(THREADS)),
        Integer.parseInt(text.apply(CONNECTIONS)),
        Integer.parseInt(text.apply(BATCH)),
        Integer.parseInt(text.apply(PIPELINE)),
        Pacing.of(text.apply(RATE), text.apply(ARRIVALS)),
        Limits.of(text.apply(WARMUP), text.apply(DURATION), text.apply(OPERATIONS)),
        text.apply(ERRORS).equals(ALLOWED));
  }

  /** Returns the normal form of each setting by its label; empty if it does not apply. */
  public SortedMap<String, String> texts() {
    SortedMap<String, String> texts = new TreeMap<>();
    texts.put(THREADS, Integer.toString(threads));
    texts.put(CONNECTIONS, Integer.toString(connections));
    texts.put(BATCH, Integer.toString(batch));
    texts.put(PIPELINE, Integer.toString(pipeline));
    texts.put(RATE, pacing.rateText());
    texts.put(ARRIVALS, pacing.arrivals().label());
    texts.put(WARMUP, limits.warmupText());
    texts.put(DURATION, limits.counted() ? "" : DurationFormat.format(limits.duration()));
    texts.put(OPERATIONS, limits.counted() ? Long.toString(limits.operations()) : "");
    texts.put(ERRORS, errorsAllowed ? ALLOWED : "");
    return texts;
  }

  public ClientSettings with(int newThreads) {
    return new ClientSettings(
        newThreads, connections, batch, pipeline, pacing, limits, errorsAllowed);
  }

  public ClientSettings with(Pacing newPacing) {
    return new ClientSettings(
        threads, connections, batch, pipeline, newPacing, limits, errorsAllowed);
  }

  public ClientSettings with(Limits newLimits) {
    return new ClientSettings(
        threads, connections, batch, pipeline, pacing, newLimits, errorsAllowed);
  }

  /** Returns the number of clients of all threads. */
  public int clients() {
    return threads * connections;
  }

  /** Returns the setting by which there are fewer clients. */
  public String clientsSetting() {
    return connections > 1 ? CONNECTIONS : THREADS;
  }

  /** Returns the largest number of requests in flight. */
  public long inFlight() {
    return (long) clients() * pipeline;
  }
}
