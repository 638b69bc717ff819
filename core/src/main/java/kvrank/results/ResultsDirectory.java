package kvrank.results;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.util.stream.Collectors.joining;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import kvrank.fact.Facts;
import kvrank.fact.Level;
import kvrank.input.Readers;
import kvrank.input.Reason;
import kvrank.input.TrustedPath;
import kvrank.scenario.read.TableReader;

/** One execution of a scenario on disk; {@code docs/reference/results.md} describes the files. */
public record ResultsDirectory(Path path) {

  /** The most unfinished runs that a message names. */
  private static final int MOST_NAMED = 4;

  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** Creates the folder {@code parent/<UTC time>}. */
  public static ResultsDirectory create(Path parent, Instant now) throws IOException {
    TrustedPath.createFolder(parent);
    String name = NAME.format(now);
    for (int attempt = 1; ; attempt++) {
      Path path = parent.resolve(name);
      try {
        Files.createDirectory(path, TrustedPath.NOT_FOR_ALL);
        Files.createDirectory(path.resolve("runs"), TrustedPath.NOT_FOR_ALL);
        return new ResultsDirectory(path);
      } catch (FileAlreadyExistsException sameSecond) {
        name = NAME.format(now) + "-" + (attempt + 1);
      }
    }
  }

  /** Points the link {@code latest} beside this folder to it. */
  public void markLatest() throws IOException {
    Path link = path.resolveSibling("latest");
    if (Files.exists(link, LinkOption.NOFOLLOW_LINKS) && !Files.isSymbolicLink(link)) {
      return;
    }
    Path temporary = path.resolveSibling(".latest-" + path.getFileName());
    Files.deleteIfExists(temporary);
    Files.createSymbolicLink(temporary, path.getFileName());
    Files.move(temporary, link, ATOMIC_MOVE, REPLACE_EXISTING);
  }

  /** Returns the results in the same folder, including these, the newest first. */
  public List<Path> siblings() throws IOException {
    List<Path> siblings = new ArrayList<>(in(path.toRealPath().getParent()));
    Collections.reverse(siblings);
    return siblings;
  }

  /** Returns the results in {@code parent}, by name; links do not count. */
  public static List<Path> in(Path parent) throws IOException {
    try (Stream<Path> folders = Files.list(parent)) {
      return folders
          .filter(folder -> Files.exists(folder.resolve("plan.json")))
          .filter(folder -> !Files.isSymbolicLink(folder))
          .sorted()
          .toList();
    }
  }

  /** Writes the scenario, the environment and the plan before the first run. */
  public void begin(String scenarioYaml, String planJson, Facts environment) throws IOException {
    Json.writeThrough(scenarioFile(), scenarioYaml);
    Json.write(environmentFile(), Json.file(new Environment(environment)));
    plan(planJson); // last: it makes this a results directory
  }

  /** Replaces the plan, the {@link Json#file} of a {@link Manifest}, atomically. */
  public void plan(String planJson) throws IOException {
    Json.write(path.resolve("plan.json"), planJson);
  }

  /** Throws if the plan was removed: later runs could not be reported. */
  public void requireThere() throws IOException {
    if (!Files.exists(path.resolve("plan.json"))) {
      throw new IOException(path + ": was removed meanwhile; the remaining runs are not started");
    }
  }

  /** Throws if the record of a finished run was removed; the message names the first. */
  public static void requireRecords(Collection<RunDirectory> over) throws IOException {
    for (RunDirectory run : over) {
      if (!run.complete()) {
        throw new IOException(
            run.record()
                + ": was removed meanwhile; the remaining runs are not started. 'run --resume' does"
                + " them and restores the missing ones");
      }
    }
  }

  /** Throws if the plan is missing, or if a record of a newer kvrank would be repeated. */
  public void requireNoneNewer() throws UnreadableException {
    planned();
    if (Files.isSymbolicLink(path.resolve("runs"))) {
      throw new UnreadableException(
          path.resolve("runs") + ": is a link, which is not followed; put the folder itself there");
    }
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

  public Path scenarioFile() {
    return path.resolve("scenario.yaml");
  }

  /** Returns the text of the resolved scenario. */
  public String scenario() throws UnreadableException {
    return Json.text(scenarioFile());
  }

  public Path report() {
    return path.resolve("report");
  }

  /** Writes texts by their paths in {@code folder}, as UTF-8. */
  public static void writeTexts(Path folder, Map<String, String> texts) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    texts.forEach((name, text) -> files.put(name, text.getBytes(StandardCharsets.UTF_8)));
    writeReport(folder, files);
  }

  /**
   * Writes a report's files by their paths in {@code folder}, which is created. They are written
   * beside those of an earlier report and renamed at the end: a failure leaves the earlier one.
   */
  @SuppressWarnings("try") // a failure of the removal does not hide one of the report
  public static void writeReport(Path folder, Map<String, byte[]> files) throws IOException {
    TrustedPath.createFolder(folder);
    Path temporary = Files.createTempDirectory(folder, ".report-");
    try (Closeable removal = () -> remove(temporary)) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        Path target = folder.resolve(file.getKey());
        TrustedPath.createFolder(target.getParent());
        if (Files.isSymbolicLink(target)
            || !target.getParent().toRealPath().startsWith(folder.toRealPath())) {
          throw new IOException("'%s' leads elsewhere; remove the link".formatted(target));
        }
        Path written = temporary.resolve(file.getKey());
        Files.createDirectories(written.getParent());
        Files.write(written, file.getValue());
      }
      for (String name : files.keySet()) {
        Files.move(temporary.resolve(name), folder.resolve(name), ATOMIC_MOVE, REPLACE_EXISTING);
      }
    }
  }

  private static void remove(Path temporary) throws IOException {
    try (Stream<Path> left = Files.walk(temporary)) {
      for (Path path : (Iterable<Path>) left.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(path);
      }
    }
  }

  /** Returns everything readable, and messages about the rest; throws if the plan is broken. */
  public ExecutionResults read() throws UnreadableException {
    return read("; './kvrank run --resume %s' measures them".formatted(ShellWord.of(path)));
  }

  /**
   * As {@link #read()}.
   *
   * @param next what follows the message about runs without a record
   */
  public ExecutionResults read(String next) throws UnreadableException {
    Path plan = planned();
    Manifest manifest = Json.read(plan, Manifest.class);
    new Plausibility(plan).require(manifest);
    List<String> unreadable = new ArrayList<>();
    Facts environment = new Facts();
    try {
      environment = environment();
    } catch (UnreadableException e) {
      unreadable.add(e.getMessage());
    }
    for (int i = 0; i < manifest.tables().size(); i++) {
      if (TableReader.read(manifest.tables().get(i)).isEmpty()) {
        unreadable.add(
            "%s: tables[%d]: is not a table of this kvrank; it is left out".formatted(plan, i));
      }
    }
    Map<String, String> problems = new ConcurrentHashMap<>();
    // Adaptive executions need not start all planned runs.
    List<String> runs =
        manifest.runs().stream()
            .filter(id -> manifest.adaptive().isEmpty() || Files.exists(run(id).path()))
            .toList();
    Map<String, RunRecord> read = new ConcurrentHashMap<>();
    try {
      Readers.forEach(runs, id -> read(id, problems).ifPresent(run -> read.put(id, run)));
    } catch (IOException e) {
      throw new UnreadableException(e.getMessage());
    }
    List<RunRecord> records = runs.stream().map(read::get).filter(Objects::nonNull).toList();
    runs.stream().map(problems::get).filter(Objects::nonNull).forEach(unreadable::add);
    List<String> unfinished = runs.stream().filter(id -> !run(id).complete()).toList();
    if (!unfinished.isEmpty()) {
      unreadable.add(unfinished(unfinished, runs.size()) + next);
    }
    return new ExecutionResults(
        path, manifest, environment, records, unreadable, tuned(), List.of());
  }

  private String unfinished(List<String> unfinished, int runs) {
    int more = unfinished.size() - MOST_NAMED;
    return "%s: has no record of %d of %d runs (%s%s)"
        .formatted(
            path,
            unfinished.size(),
            runs,
            unfinished.stream().limit(MOST_NAMED).collect(joining(", ")),
            more > 0 ? " and %d more".formatted(more) : "");
  }

  private Path planned() throws UnreadableException {
    Path plan = path.resolve("plan.json");
    if (Files.isRegularFile(path)) {
      throw new UnreadableException(path + ": is a file; give the folder of results that it is in");
    }
    if (!Files.exists(path)) {
      throw new UnreadableException(
          path
              + ": does not exist; give results/SCENARIO/TIME, or the name of a scenario that was"
              + " run");
    }
    if (!Files.exists(plan)) {
      throw new UnreadableException(
          path
              + ": is not a results directory, it has no plan.json; give results/SCENARIO/TIME, or"
              + " the name of a scenario that was run");
    }
    return plan;
  }

  /** Returns the facts of the machine and the scenario at the start. */
  public Facts environment() throws UnreadableException {
    Facts facts = Json.read(environmentFile(), Environment.class).facts();
    new Plausibility(environmentFile()).facts("facts", facts, Level.MACHINE);
    return facts;
  }

  /** Returns the option searches; older results have none. */
  private List<Tuned> tuned() throws UnreadableException {
    if (!Files.exists(tuningsFile())) {
      return List.of();
    }
    List<Tuned> tunings = Json.read(tuningsFile(), Tunings.class).tunings();
    new Plausibility(tuningsFile()).require(tunings);
    return tunings;
  }

  /** Replaces the option searches atomically. */
  public void tuned(List<Tuned> tunings) throws IOException {
    Json.write(tuningsFile(), Json.file(new Tunings(tunings)));
  }

  private Path tuningsFile() {
    return path.resolve("tunings.json");
  }

  /** Returns the record of a run, or adds the reason to {@code problems}. */
  private Optional<RunRecord> read(String id, Map<String, String> problems) {
    RunDirectory run = run(id);
    try {
      if (run.complete()) {
        return Optional.of(run.read());
      }
    } catch (UnreadableException e) {
      problems.put(id, e.getMessage());
    }
    return Optional.empty();
  }

  public Path environmentFile() {
    return path.resolve("environment.json");
  }

  /** Resolves {@code path}, which may be a link such as {@code latest}. */
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
