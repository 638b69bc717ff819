package kvrank.provision;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import kvrank.engine.Fsync;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.Server;
import kvrank.provision.server.ServerSpec;
import kvrank.scenario.EngineSpec;

/** Starts servers and leaves nothing behind. */
public interface Provisioner extends AutoCloseable {

  /**
   * Returns every method that the engine's definition knows, in the order of preference, with what
   * was found on this machine. Nothing is started or pulled.
   */
  List<MethodStatus> survey(EngineSpec engine);

  /** Pulls the image that {@code engine} needs, if it needs one, and returns its survey then. */
  List<MethodStatus> prepare(EngineSpec engine);

  /**
   * Returns why {@code engine} is not available here by any method; empty if it is, or if its image
   * might be: Docker is not asked for images, which takes longer than all else.
   */
  Optional<String> absence(EngineSpec engine);

  /**
   * Returns the server to start for {@code engine} by the first method that is available (or the
   * one that the scenario names). An executable or library stays the one that it was at first.
   *
   * @param data the folder for this run's files; must not exist
   * @param log where the server's output goes
   * @return empty if none is available; {@link #survey} says why
   * @throws ProvisionException if the file is gone, or is another one by now
   */
  Optional<ServerSpec> choose(EngineSpec engine, Fsync fsync, Path data, Path log)
      throws ProvisionException;

  /** Starts a server and waits until it answers its own ping; else nothing is left but its log. */
  Server start(ServerSpec spec) throws ProvisionException, InterruptedException;

  /** Stops every server that is still running. Safe to call from a shutdown hook. */
  @Override
  void close();
}
