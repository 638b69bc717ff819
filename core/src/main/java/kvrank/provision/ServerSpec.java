package kvrank.provision;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.scenario.EngineDefinition;

/** One server to start, with everything decided but its port. */
public sealed interface ServerSpec {

  /** Returns the engine that it is an instance of. */
  EngineDefinition engine();

  /**
   * A container.
   *
   * @param image the image that was found
   * @param settings the engine's settings, durability included
   * @param expected what the running server must say of itself, by the name of the fact
   * @param data the folder of this run on the host, mounted into the container; it does not exist
   *     yet
   * @param log where the server's output goes
   */
  record Container(
      EngineDefinition engine,
      String image,
      SortedMap<String, String> settings,
      SortedMap<String, String> expected,
      Path data,
      Path log)
      implements ServerSpec {
    public Container {
      settings = copy(settings);
      expected = copy(expected);
    }
  }

  /**
   * A process of an executable that is installed here or came with the binding.
   *
   * @param executable the file to run
   * @param bundled whether it came with the binding
   * @param settings the engine's settings, durability included
   * @param expected what the running server must say of itself, by the name of the fact
   * @param data the folder of this run; it does not exist yet
   * @param log where the server's output goes
   */
  record LocalProcess(
      EngineDefinition engine,
      Path executable,
      boolean bundled,
      SortedMap<String, String> settings,
      SortedMap<String, String> expected,
      Path data,
      Path log)
      implements ServerSpec {
    public LocalProcess {
      settings = copy(settings);
      expected = copy(expected);
    }
  }

  /**
   * No process: the engine lives in the worker and keeps its files in {@code data}.
   *
   * @param library the native library that the engine is, if it is one
   * @param data the folder of this run; it does not exist yet
   */
  record Embedded(EngineDefinition engine, Optional<Path> library, Path data)
      implements ServerSpec {}

  /**
   * A server that runs already and is left running. Its data must be empty.
   *
   * @param expected what the server must say of itself, by the name of the fact: its settings are
   *     not ours to make
   */
  record External(
      EngineDefinition engine, String host, int port, SortedMap<String, String> expected)
      implements ServerSpec {
    public External {
      expected = copy(expected);
    }
  }

  private static SortedMap<String, String> copy(SortedMap<String, String> map) {
    return Collections.unmodifiableSortedMap(new TreeMap<>(map));
  }
}
