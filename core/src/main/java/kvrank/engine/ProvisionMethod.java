package kvrank.engine;

import kvrank.workload.request.Labelled;

/** How an engine is obtained, in the default order of preference. */
public enum ProvisionMethod implements Labelled {
  /** In the worker's own JVM. */
  EMBEDDED,
  /** A container, with Testcontainers. */
  CONTAINER,
  /** An executable installed on this machine. */
  PROCESS,
  /** An executable from the binding's dependencies. */
  BUNDLED,
  /** A running server; only if the scenario names it. */
  EXTERNAL;
}
