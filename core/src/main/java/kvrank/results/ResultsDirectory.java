package kvrank.results;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import kvrank.fact.Facts;
import kvrank.input.Reason;

/** One execution of a scenario on disk; {@code docs/reference/results.md} describes the files. */
public record ResultsDirectory(Path path) {

  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** Returns a fresh folder {@code parent/<UTC time>}. */
  public static ResultsDirectory create(Path parent, Instant now) throws IOException {
    Files.createDirectories(parent);
    String name = NAME.format(now);
    for (int attempt = 1; ; attempt++) {
      Path path = parent.resolve(name);
      try {
        Files.createDirectory(path);
        Files.createDirectory(path.resolve("runs"));
        return new ResultsDirectory(path);
      } catch (FileAlreadyExistsException sameSecond) {
        name = NAME.format(now) + "-" + (attempt + 1);
      }
    }
  }

  /** Points {@code latest} beside this folder at it, where links can be made. */
  public void markLatest() throws IOException {
    Path link = path.resolveSibling("latest");
    if (Files.exists(link, LinkOption.NOFOLLOW_LINKS) && !Files.isSymbolicLink(link)) {
      return;
    }
    Path temporary = path.resolveSibling(".latest-" + path.getFileName());
    Files.deleteIfExists(temporary);
    Files.createSymbolicLink(temporary, path.getFileName());
    Files.move(
        temporary, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Writes what was asked and planned, {@link Json#file} of a {@link Manifest}, before any run. */
  public void begin(String scenarioYaml, String planJson, Facts environment) throws IOException {
    Json.writeThrough(scenarioFile(), scenarioYaml);
    Json.write(environmentFile(), Json.file(new Environment(environment)));
    plan(planJson); // the last, as it makes this a results directory
  }

  /** Writes what is planned, whole or not at all, in the place of what was before. */
  public void plan(String planJson) throws IOException {
    Json.write(path.resolve("plan.json"), planJson);
  }

  /** Throws if somebody removed what was begun: nothing that is added could be reported. */
  public void requireThere() throws IOException {
    if (!Files.exists(path.resolve("plan.json"))) {
      throw new IOException(path + ": was removed meanwhile; the remaining runs are not started");
    }
  }

  /** Throws if somebody removed the record of a run that is over; the message names the first. */
  public static void requireRecords(Collection<RunDirectory> over) throws IOException {
    for (RunDirectory run : over) {
      if (!run.complete()) {
        throw new IOException(
            run.record()
                + ": was removed meanwhile; the remaining runs are not started. 'run --resume' does"
                + " them, and what is missing");
      }
    }
  }

  /** Throws if this has no plan, or a record of a newer kvrank, whose run would be done again. */
  public void requireNoneNewer() throws UnreadableException {
    planned();
    try (Stream<Path> runs = Files.list(path.resolve("runs"))) {
      for (Path run : (Iterable<Path>) runs.sorted()::iterator) {
        new RunDirectory(run).done();
      }
    } catch (IOException e) {
      throw new UnreadableException(path + ": its runs cannot be read: " + Reason.of(e));
    }
  }

  /** Returns the folder of a run; it need not exist. */
  public RunDirectory run(String id) {
    return new RunDirectory(path.resolve("runs").resolve(id));
  }

  /** Returns the scenario as it was resolved. */
  public Path scenarioFile() {
    return path.resolve("scenario.yaml");
  }

  /** Returns the text of the scenario as it was resolved. */
  public String scenario() throws UnreadableException {
    return Json.text(scenarioFile());
  }

  /** Returns where the report's files go. */
  public Path report() {
    return path.resolve("report");
  }

  /** Writes texts by their paths in {@code folder}, as UTF-8. */
  public static void writeTexts(Path folder, Map<String, String> texts) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    texts.forEach((name, text) -> files.put(name, text.getBytes(StandardCharsets.UTF_8)));
    writeReport(folder, files);
  }

  /** Writes the report's files by their paths in {@code folder}, which is made if need be. */
  public static void writeReport(Path folder, Map<String, byte[]> files) throws IOException {
    Files.createDirectories(folder);
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path target = folder.resolve(file.getKey());
      Files.createDirectories(target.getParent());
      if (Files.isSymbolicLink(target)
          || !target.getParent().toRealPath().startsWith(folder.toRealPath())) {
        throw new IOException("'%s' leads elsewhere; remove the link".formatted(target));
      }
      Files.write(target, file.getValue());
    }
  }

  /**
   * Returns all that can be read; what cannot is {@link ExecutionResults#unreadable}, but for the
   * plan.
   */
  public ExecutionResults read() throws UnreadableException {
    Manifest manifest = Json.read(planned(), Manifest.class);
    List<String> unreadable = new ArrayList<>();
    Facts environment = new Facts();
    try {
      environment = environment();
    } catch (UnreadableException e) {
      unreadable.add(e.getMessage());
    }
    Map<String, String> problems = new ConcurrentHashMap<>();
    // What was never begun may not have been needed.
    List<String> runs =
        manifest.runs().stream()
            .filter(id -> manifest.adaptive().isEmpty() || Files.exists(run(id).path()))
            .toList();
    List<RunRecord> records =
        runs.parallelStream().flatMap(id -> read(id, problems).stream()).toList();
    runs.stream().map(problems::get).filter(Objects::nonNull).forEach(unreadable::add);
    return new ExecutionResults(
        path, manifest, environment, records, unreadable, tuned(), List.of());
  }

  private Path planned() throws UnreadableException {
    Path plan = path.resolve("plan.json");
    if (Files.isRegularFile(path)) {
      throw new UnreadableException(path + ": is a file; give the folder of results that it is in");
    }
    if (!Files.exists(plan)) {
      throw new UnreadableException(
          path
              + ": is not a results directory, it has no plan.json; give results/SCENARIO/TIME, or"
              + " the name of a scenario that was run");
    }
    return plan;
  }

  /** Returns the facts of the machine and the scenario when this was begun. */
  public Facts environment() throws UnreadableException {
    return Json.read(environmentFile(), Environment.class).facts();
  }

  /** Returns the searches for values of options; none in results of before there were any. */
  private List<Tuned> tuned() throws UnreadableException {
    return Files.exists(tuningsFile())
        ? Json.read(tuningsFile(), Tunings.class).tunings()
        : List.of();
  }

  /** Writes the searches for values of options, whole or not at all. */
  public void tuned(List<Tuned> tunings) throws IOException {
    Json.write(tuningsFile(), Json.file(new Tunings(tunings)));
  }

  private Path tuningsFile() {
    return path.resolve("tunings.json");
  }

  /** Returns the record of a run, or puts into {@code problems} why it cannot be read. */
  private Optional<RunRecord> read(String id, Map<String, String> problems) {
    RunDirectory run = run(id);
    try {
      if (run.complete()) {
        return Optional.of(run.read());
      }
      problems.put(id, run.record() + ": is not there: the run was not finished");
    } catch (UnreadableException e) {
      problems.put(id, e.getMessage());
    }
    return Optional.empty();
  }

  /** Returns the facts' file. */
  public Path environmentFile() {
    return path.resolve("environment.json");
  }

  /** {@code path} or, if it is a link such as {@code latest}, what it points to. */
  public static ResultsDirectory at(Path path) {
    try {
      return new ResultsDirectory(Files.exists(path) ? path.toRealPath() : path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record Environment(Facts facts) {}

  private record Tunings(List<Tuned> tunings) {}
}
