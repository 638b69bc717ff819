package kvrank.scenario;

import java.util.Locale;

/** What an engine can do through its binding; a workload needs some of these. */
public enum Capability {
  READ,
  INSERT,
  UPDATE,
  DELETE,
  /** Reads records in key order from a start key. */
  RANGE_SCAN,
  /** Reads the records under one prefix without a walk of the whole keyspace. */
  PREFIX_SCAN,
  /** Several records in one request. */
  BATCH,
  /** Several requests in flight on one connection. */
  PIPELINE,
  /** Several connections driven by one thread. */
  CONNECTIONS;

  /** Returns the name in YAML and in messages. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
