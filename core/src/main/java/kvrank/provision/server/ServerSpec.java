package kvrank.provision.server;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import kvrank.engine.EngineDefinition;
import kvrank.engine.ProvisionMethod;
import kvrank.engine.ServerDefinition;
import kvrank.failure.Cause;
import kvrank.machine.MemoryGroup;
import kvrank.provision.host.Boot;
import kvrank.provision.host.ProvisionException;
import kvrank.scenario.EngineSpec.Access;
import kvrank.scenario.MemoryLimit;

/**
 * The server to start for one run.
 *
 * @param subject the image, the path of the executable or library, or {@code host:port}, if any
 * @param settings the engine's settings with durability; external servers ignore them
 * @param expected facts that the running server must report
 * @param group the control group that limits a process's memory; empty for no limit
 * @param memory the limit of a container; empty for none
 * @param boot how a process starts that finds its data on a simulated disk; empty for this machine
 * @param hidden a folder that a process finds empty, if it has a mount namespace
 * @param credentials those of an earlier start, so that its clients can come back; empty for new
 *     ones
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
    Optional<MemoryLimit> memory,
    Optional<Boot> boot,
    Optional<Path> hidden,
    Optional<SortedMap<String, String>> credentials) {

  /**
   * Returns a copy with limits: {@code newGroup} for a process, {@code newMemory} for a container.
   */
  public ServerSpec within(Optional<MemoryGroup> newGroup, Optional<MemoryLimit> newMemory) {
    return with(data, newGroup, newMemory, boot, hidden, credentials);
  }

  /** Returns a copy with its files in {@code folder}, which the process finds after a boot. */
  public ServerSpec in(Path folder, Boot newBoot) {
    return with(folder, group, memory, Optional.of(newBoot), hidden, credentials);
  }

  /** Returns a copy whose process finds {@code folder} empty. */
  public ServerSpec hiding(Path folder) {
    return with(data, group, memory, boot, Optional.of(folder), credentials);
  }

  /** Returns a copy for a server that replaces {@code gone}, with the same password. */
  public ServerSpec replacing(Server gone) {
    return with(data, group, memory, boot, hidden, Optional.of(gone.credentials()));
  }

  private ServerSpec with(
      Path newData,
      Optional<MemoryGroup> newGroup,
      Optional<MemoryLimit> newMemory,
      Optional<Boot> newBoot,
      Optional<Path> newHidden,
      Optional<SortedMap<String, String>> newCredentials) {
    return new ServerSpec(
        method,
        engine,
        subject,
        access,
        settings,
        expected,
        newData,
        log,
        newGroup,
        newMemory,
        newBoot,
        newHidden,
        newCredentials);
  }

  /** Returns the path at which the engine finds its data. */
  Path place() {
    return boot.map(Boot::data).orElse(data);
  }

  /** Returns the credentials of one start. */
  public SortedMap<String, String> login() {
    return credentials.orElseGet(() -> ListenAddress.credentials(definition()));
  }

  /** Returns the definition of the engine's servers; throws if it is embedded. */
  public ServerDefinition definition() {
    return engine.server().orElseThrow();
  }

  /** Throws if {@code who} reports an expected fact differently, or not at all. */
  void requireExpected(SortedMap<String, String> answers, String who) throws ProvisionException {
    for (Map.Entry<String, String> fact : expected.entrySet()) {
      String answer = answers.get(fact.getKey());
      if (!fact.getValue().equals(answer)) {
        // The binding's reason for missing facts.
        String why = answers.containsKey("unknown") ? ": " + answers.get("unknown") : "";
        String report = answer == null ? "does not report it" + why : "reports '" + answer + "'";
        throw new ProvisionException(
            Cause.ENGINE, "%s was asked for %s and %s".formatted(who, fact, report));
      }
    }
  }
}
