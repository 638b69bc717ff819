package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The archives that the build made are those that controller, workers and bindings start from. */
class ArchivedClassesIT extends InstalledKvrank {

  @Test
  void controllerWorkerAndBindingLoadTheirClassesFromTheArchives() throws Exception {
    String training = Files.readString(PROJECT.resolve("launcher/training.yaml"));
    scenario("training", training.replace("noop", "caffeine"));
    Path logs = Files.createDirectory(home.resolve("logs"));
    ProcessBuilder builder =
        new ProcessBuilder(home.resolve("kvrank").toString(), "run", "training");
    builder
        .environment()
        .put(
            "JDK_JAVA_OPTIONS",
            "-Djava.io.tmpdir=%1$s -Xlog:class+load:file=%1$s/%%p.log".formatted(logs));
    Path text = home.resolve("text");
    builder.directory(home.toFile()).redirectErrorStream(true).redirectOutput(text.toFile());

    Execution execution = new Execution(builder.start(), text, text);

    assertThat(execution.status()).as(execution.text()).isZero();
    assertThat(loads(logs))
        .contains(
            "kvrank.cli.Main source: shared objects file",
            "picocli.CommandLine source: shared objects file",
            "kvrank.worker.Main source: shared objects file",
            "org.HdrHistogram.Histogram source: shared objects file",
            "kvrank.caffeine.CaffeineBinding source: shared objects file (top)");
  }

  private static List<String> loads(Path logs) throws IOException {
    List<String> loads = new ArrayList<>();
    try (Stream<Path> files = Files.list(logs)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".log")).toList()) {
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
          loads.add(line.replaceFirst("^\\[.*]\\s*", "").strip());
        }
      }
    }
    return loads;
  }
}
