package kvrank.scenario;

import java.util.Locale;

/** How an engine is had, in the default order of preference. */
public enum ProvisionMethod {
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

  /** Returns the name in YAML, results and tables. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
