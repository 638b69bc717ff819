package kvrank.provision;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import kvrank.engine.Fsync;
import kvrank.provision.disk.VolatileDisk;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.Server;
import kvrank.provision.server.ServerSpec;
import kvrank.scenario.CrashTest.FileSystem;
import kvrank.scenario.CrashTest.PowerCut;
import kvrank.scenario.EngineSpec;

/** Starts servers and leaves nothing behind. */
public interface Provisioner extends AutoCloseable {

  /** Returns the engine's methods by preference and their state here, without starting anything. */
  List<MethodStatus> survey(EngineSpec engine);

  /** Pulls the image of {@code engine}, if it needs one, and returns the survey afterwards. */
  List<MethodStatus> prepare(EngineSpec engine);

  /** Returns the reason why no method provides {@code engine}, without looking for images. */
  Optional<String> absence(EngineSpec engine);

  /**
   * Returns the server for {@code engine} by the first available method, or the scenario's.
   *
   * @param data the folder for this run's files; must not exist
   * @return empty if no method is available; {@link #survey} has the reasons
   * @throws ProvisionException if its file changed or was removed since the first call
   */
  Optional<ServerSpec> choose(EngineSpec engine, Fsync fsync, Path data, Path log)
      throws ProvisionException;

  /** Starts a server and waits for the answer to its ping; after a failure only its log remains. */
  Server start(ServerSpec spec) throws ProvisionException, InterruptedException;

  /** Returns the reasons why this machine cannot have a {@link #disk}, with remedies, if any. */
  Optional<String> missing(FileSystem fileSystem);

  /** Creates a disk that can lose its power, with its files in {@code folder}. */
  VolatileDisk disk(Path folder, PowerCut cut) throws ProvisionException, InterruptedException;

  /** Stops all servers. Safe to call from a shutdown hook. */
  @Override
  void close();
}
