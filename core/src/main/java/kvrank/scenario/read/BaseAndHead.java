package kvrank.scenario.read;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import kvrank.engine.ProvisionMethod;
import kvrank.input.InvalidInputException;
import kvrank.input.Problem;
import kvrank.input.Suggestion;
import kvrank.scenario.EngineRow;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.EngineSpec.ServerChoice;
import kvrank.scenario.NamedFiles.Kind;
import kvrank.scenario.Scenario;

/**
 * Makes two rows of each engine of a scenario, {@code NAME-base} and {@code NAME-head}, which
 * differ in the folder of engines, the executable or the image.
 */
record BaseAndHead(ScenarioReader reader, Scenario scenario) {

  /**
   * One of the two.
   *
   * @param option the option that gives its values
   * @param folders of engines
   * @param files executables and images by the names of engines or rows
   */
  private record Side(String option, String suffix, List<Path> folders, Map<String, String> files) {

    static Side of(String option, String suffix, List<String> values) throws InvalidInputException {
      List<Path> folders = new ArrayList<>();
      Map<String, String> files = new LinkedHashMap<>();
      for (String value : values) {
        int equals = value.indexOf('=');
        if (equals > 0) {
          files.put(value.substring(0, equals), value.substring(equals + 1));
          continue;
        }
        Path folder = Path.of(value).toAbsolutePath().normalize();
        if (!Files.isDirectory(folder)) {
          throw refused(
              option,
              ("there is no folder '%s'; give a folder of engines, ENGINE=EXECUTABLE or"
                      + " ENGINE=IMAGE")
                  .formatted(value));
        }
        Path below = folder.resolve(Kind.ENGINES.folder);
        folders.add(Files.isDirectory(below) ? below : folder);
      }
      return new Side(option, suffix, folders, files);
    }

    Optional<Path> folder(EngineSpec engine) {
      return folders.stream().filter(folder -> Files.exists(file(folder, engine))).findFirst();
    }

    static Path file(Path folder, EngineSpec engine) {
      return folder.resolve(engine.definition().name() + Kind.ENGINES.ending());
    }

    Optional<String> file(EngineSpec engine) {
      return Stream.of(engine.row().name(), engine.definition().name())
          .filter(files::containsKey)
          .map(files::get)
          .findFirst();
    }

    EngineRow row(EngineSpec engine) {
      return new EngineRow(engine.row().name() + suffix, engine.row().options());
    }
  }

  /** Returns the scenario with two rows of each engine; throws if a value fits none of them. */
  Scenario rows(List<String> base, List<String> head) throws InvalidInputException {
    List<EngineSpec> rows = new ArrayList<>();
    List<Side> sides =
        List.of(Side.of("--base", Scenario.BASE, base), Side.of("--head", Scenario.HEAD, head));
    for (Side side : sides) {
      requireUse(side);
    }
    for (EngineSpec engine : scenario.engines()) {
      if (engine.tuning().isPresent()) {
        throw refused(
            "--base", "'%s' has 'tune'; give its options fixed values".formatted(engine.label()));
      }
      for (Side side : sides) {
        rows.add(row(engine, side));
      }
    }
    return scenario.interleaved(rows);
  }

  private EngineSpec row(EngineSpec engine, Side side) throws InvalidInputException {
    EngineSpec row = engine.as(side.row(engine));
    Optional<Path> folder = side.folder(engine);
    if (folder.isPresent()) {
      row = row.with(reader.readEngine(Side.file(folder.get(), engine)), folder.get());
    }
    Optional<String> file = side.file(engine);
    if (file.isEmpty()) {
      return row;
    }
    if (row.definition().server().isEmpty()) {
      throw refused(
          side.option(),
          "%s is embedded and has no executable or image; give a folder with its engine.yaml"
              .formatted(engine.definition().name()));
    }
    Path executable = Path.of(file.get()).toAbsolutePath().normalize();
    return row.with(
        Files.isRegularFile(executable)
            ? new ServerChoice(ProvisionMethod.PROCESS, executable.toString())
            : new ServerChoice(ProvisionMethod.CONTAINER, file.get()));
  }

  private void requireUse(Side side) throws InvalidInputException {
    Set<String> names = new TreeSet<>();
    for (EngineSpec engine : scenario.engines()) {
      names.addAll(List.of(engine.row().name(), engine.definition().name()));
    }
    for (String name : side.files().keySet()) {
      if (!names.contains(name)) {
        throw refused(
            side.option(), "no engine '%s'%s".formatted(name, Suggestion.of(name, names)));
      }
    }
    for (Path folder : side.folders()) {
      if (scenario.engines().stream().noneMatch(e -> Files.exists(Side.file(folder, e)))) {
        throw refused(
            side.option(),
            "'%s' has none of the engines %s; give a checkout of kvrank or a folder of engines"
                .formatted(folder, String.join(", ", names)));
      }
    }
  }

  private static InvalidInputException refused(String option, String message) {
    return new InvalidInputException(List.of(new Problem(Path.of(option), 0, 0, "", message, "")));
  }
}
