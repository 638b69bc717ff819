package kvrank.provision.server;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import kvrank.engine.EngineDefinition;
import kvrank.engine.EngineDefinition.ServerDefinition;
import kvrank.engine.ProvisionMethod;
import kvrank.failure.Cause;
import kvrank.machine.MemoryGroup;
import kvrank.provision.host.ProvisionException;
import kvrank.scenario.EngineSpec.Access;
import kvrank.scenario.MemoryLimit;

/**
 * What to start for one run.
 *
 * @param method how the engine is provided
 * @param subject the image, the executable, or {@code host:port} of a server that runs already; of
 *     an embedded engine its native library, or nothing
 * @param access how a server that runs already is used
 * @param settings the engine's settings, durability included; of no use to a server that runs
 *     already
 * @param expected what the running server must say of itself, by the name of the fact
 * @param data the folder of this run on the host, which a container mounts; it does not exist yet
 * @param log where the server's output goes
 * @param group the control group that limits the memory of a process; empty for no limit
 * @param memory the most that a container may take; empty for what there is
 */
public record ServerSpec(
    ProvisionMethod method,
    EngineDefinition engine,
    String subject,
    Access access,
    SortedMap<String, String> settings,
    SortedMap<String, String> expected,
    Path data,
    Path log,
    Optional<MemoryGroup> group,
    Optional<MemoryLimit> memory) {

  /** Returns this with limits: a process has the first, a container the second. */
  public ServerSpec within(Optional<MemoryGroup> group, Optional<MemoryLimit> memory) {
    return new ServerSpec(
        method, engine, subject, access, settings, expected, data, log, group, memory);
  }

  /** Returns how the engine's servers are started and asked; throws if it is embedded. */
  public ServerDefinition definition() {
    return engine.server().orElseThrow();
  }

  /** Throws if an answer of {@code who} differs from what is expected of it, or is missing. */
  void requireExpected(SortedMap<String, String> answers, String who) throws ProvisionException {
    for (Map.Entry<String, String> fact : expected.entrySet()) {
      String answer = answers.get(fact.getKey());
      if (!fact.getValue().equals(answer)) {
        // Why a binding could not tell all that it is.
        String why = answers.containsKey("unknown") ? ": " + answers.get("unknown") : "";
        String told = answer == null ? "does not report it" + why : "reports '" + answer + "'";
        throw new ProvisionException(
            Cause.ENGINE, "%s was asked for %s and %s".formatted(who, fact, told));
      }
    }
  }
}
