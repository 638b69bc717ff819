package kvrank.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The script {@code build} of a module, beside an engine named {@code some} and the module's own
 * {@code noop}, with a compiler that says and does what a test wants.
 *
 * @param folder where all that is
 * @param module the module's name
 */
public record BuildScript(Path folder, String module) {

  /**
   * Copies the script of this module, and makes the engines.
   *
   * @param manifest the file that makes a folder an engine's
   */
  public static BuildScript copy(Path folder, String module, String manifest) throws IOException {
    Path copy = Files.createDirectories(folder.resolve(module)).resolve("build");
    Files.copy(Path.of("build"), copy);
    Files.copy(Path.of("..", "properties"), folder.resolve("properties"));
    for (String engine : new String[] {"some", module + "/noop"}) {
      Files.createDirectories(folder.resolve(engine));
      Files.writeString(folder.resolve(engine).resolve(manifest), "");
    }
    BuildScript script = new BuildScript(folder, module);
    script.tool("cc", "exit 0");
    return script;
  }

  /** Puts a tool first on the path, a script for the shell. */
  public void tool(String name, String script) throws IOException {
    Path tools = Files.createDirectories(folder.resolve("tools"));
    Path file = tools.resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    if (!file.toFile().setExecutable(true)) {
      throw new IOException(file + " cannot be made executable");
    }
  }

  /** Runs it. */
  public void run(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("sh", folder.resolve(module + "/build").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder build = new ProcessBuilder(command);
    build
        .environment()
        .merge("PATH", folder.resolve("tools").toString(), (path, first) -> first + ":" + path);
    int status = build.inheritIO().start().waitFor();
    if (status != 0) {
      throw new IOException("the build ended with " + status);
    }
  }

  /** Runs the script; returns the properties that it found in the sources. */
  public List<String> properties() throws IOException, InterruptedException {
    run();
    return Files.readAllLines(folder.resolve(module + "/target/native/some.properties"));
  }

  /** Runs it; returns the lines that say what is missing that the engine needs. */
  public List<String> missing(String... arguments) throws IOException, InterruptedException {
    return absence("some.missing", arguments);
  }

  /** Runs it; returns the lines that say how the build of the engine failed. */
  public List<String> broken() throws IOException, InterruptedException {
    return absence("some.broken");
  }

  private List<String> absence(String name, String... arguments)
      throws IOException, InterruptedException {
    run(arguments);
    try (Stream<Path> files = Files.walk(folder.resolve(module + "/target/native"))) {
      Path file =
          files
              .filter(each -> each.endsWith(name))
              .findFirst()
              .orElseThrow(() -> new IOException("there is no " + name));
      return Files.readAllLines(file);
    }
  }
}
