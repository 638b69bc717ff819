package kvrank.engine;

import kvrank.workload.request.Labelled;

/** What an engine can do through its binding; a workload needs some of these. */
public enum Capability implements Labelled {
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
  CONNECTIONS,
  /** Writes of records that the engine forgets after some seconds, and reads that know it. */
  TTL;
}
