package kvrank.provision;

import java.nio.file.Path;
import java.util.SortedMap;
import kvrank.scenario.EngineDefinition;
import kvrank.scenario.EngineSpec.Access;
import kvrank.scenario.ProvisionMethod;

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
 */
public record ServerSpec(
    ProvisionMethod method,
    EngineDefinition engine,
    String subject,
    Access access,
    SortedMap<String, String> settings,
    SortedMap<String, String> expected,
    Path data,
    Path log) {}
