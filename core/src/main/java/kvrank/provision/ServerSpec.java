package kvrank.provision;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.SortedMap;
import kvrank.scenario.EngineDefinition;

/** One server to start, with everything decided but its port. */
public sealed interface ServerSpec {

  /** The engine that it is an instance of. */
  EngineDefinition engine();

  /**
   * A container.
   *
   * @param image the image that was found
   * @param settings the engine's settings, durability included
   * @param data the folder of this run on the host, mounted into the container; it does not exist
   *     yet
   * @param log where the server's output goes
   */
  record Container(
      EngineDefinition engine,
      String image,
      SortedMap<String, String> settings,
      Path data,
      Path log)
      implements ServerSpec {
    public Container {
      requireNonNull(engine, "engine is null");
      requireNonNull(image, "image is null");
    }
  }

  /**
   * A process of an executable that is installed here or came with the binding.
   *
   * @param executable the file to run
   * @param bundled whether it came with the binding
   * @param settings the engine's settings, durability included
   * @param data the folder of this run; it does not exist yet
   * @param log where the server's output goes
   */
  record LocalProcess(
      EngineDefinition engine,
      Path executable,
      boolean bundled,
      SortedMap<String, String> settings,
      Path data,
      Path log)
      implements ServerSpec {
    public LocalProcess {
      requireNonNull(engine, "engine is null");
      requireNonNull(executable, "executable is null");
    }
  }

  /**
   * No process: the engine lives in the worker and keeps its files in {@code data}.
   *
   * @param data the folder of this run; it does not exist yet
   */
  record Embedded(EngineDefinition engine, Path data) implements ServerSpec {
    public Embedded {
      requireNonNull(engine, "engine is null");
      requireNonNull(data, "data is null");
    }
  }

  /** A server that runs already and is left running. Its data must be empty. */
  record External(EngineDefinition engine, String host, int port) implements ServerSpec {
    public External {
      requireNonNull(engine, "engine is null");
      requireNonNull(host, "host is null");
    }
  }
}
