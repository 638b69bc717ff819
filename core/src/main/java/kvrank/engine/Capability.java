package kvrank.engine;

import kvrank.workload.request.Labelled;

/** An operation or a way of sending requests that an engine's binding may support. */
public enum Capability implements Labelled {
  READ,
  INSERT,
  UPDATE,
  DELETE,
  /** Reads records in key order from a start key. */
  RANGE_SCAN,
  /** Reads the records under one prefix without visiting the whole keyspace. */
  PREFIX_SCAN,
  /** Reads records in descending key order, from a key on or under one prefix. */
  REVERSE_SCAN,
  /** Several records in one request. */
  BATCH,
  /** Several requests in flight on one connection. */
  PIPELINE,
  /** Several connections driven by one thread. */
  CONNECTIONS,
  /** Writes records that the engine removes after a number of seconds. */
  TTL;
}
