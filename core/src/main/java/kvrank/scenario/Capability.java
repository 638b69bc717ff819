package kvrank.scenario;

import java.util.Locale;
import java.util.Optional;

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

  /** Returns the capability with that label, if there is one. */
  public static Optional<Capability> of(String label) {
    for (Capability capability : values()) {
      if (capability.label().equals(label)) {
        return Optional.of(capability);
      }
    }
    return Optional.empty();
  }
}
