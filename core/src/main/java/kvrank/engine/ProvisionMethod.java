package kvrank.engine;

import kvrank.workload.request.Labelled;

/** How an engine is had, in the default order of preference. */
public enum ProvisionMethod implements Labelled {
  /** In the worker's own JVM. */
  EMBEDDED,
  /** A container, by Testcontainers. */
  CONTAINER,
  /** An executable that is installed here. */
  PROCESS,
  /** An executable that came with the binding's dependencies. */
  BUNDLED,
  /** A server that runs already; only if the scenario names it. */
  EXTERNAL;
}
