package kvrank.results;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.scenario.read.TableReader;
import kvrank.table.TableSpec;

/**
 * The results of one execution, or of several merged ones.
 *
 * @param directory where the results were read; for merged ones, the first directory
 * @param environment the facts of the machine
 * @param unreadable a message for each record that could not be read
 * @param tuned the option searches before the runs
 * @param parts the merged executions; empty for a single one
 */
public record ExecutionResults(
    Path directory,
    Manifest manifest,
    Facts environment,
    List<RunRecord> runs,
    List<String> unreadable,
    List<Tuned> tuned,
    List<ExecutionResults> parts) {

  /** The facts that must be equal for engines to be ranked and an execution to be continued. */
  public static final List<Fact> MACHINE =
      List.of(
          Fact.HOST,
          Fact.CPU_MODEL,
          Fact.CPU_CORES,
          Fact.MEMORY_TOTAL,
          Fact.ISOLATION_CLIENT_CPUS,
          Fact.ISOLATION_SERVER_CPUS,
          Fact.OS,
          Fact.JAVA_VERSION,
          Fact.STORAGE_MEDIUM,
          Fact.STORAGE_FILE_SYSTEM,
          Fact.STORAGE_MOUNT_OPTIONS,
          Fact.STORAGE_DEVICE,
          Fact.STORAGE_MODEL,
          Fact.STORAGE_FIRMWARE,
          Fact.STORAGE_SIZE_BYTES,
          Fact.STORAGE_ROTATIONAL,
          Fact.STORAGE_READ_AHEAD_BYTES,
          Fact.STORAGE_SCHEDULER,
          Fact.STORAGE_WRITE_CACHE,
          Fact.STORAGE_DISCARD);

  /** The part of {@link Fact#COMMIT} that names kvrank itself. */
  public static final String KVRANK = "kvrank";

  /** A commit of Git, of which seven digits are shown; and whether its files were changed. */
  private static final Pattern COMMIT =
      Pattern.compile("([0-9a-f]{7})[0-9a-f]{33}(?:[0-9a-f]{24})?(-dirty|)");

  /** As the kernel reports memory; it leaves a little of it to itself. */
  private static final Pattern KIBIBYTES = Pattern.compile("([0-9]{7,15}) kB");

  /**
   * Returns the value of a fact of {@link #MACHINE} that is compared. Memory is rounded to a GiB,
   * because a kernel's share of it varies.
   */
  public static Optional<String> compared(Fact fact, Facts environment) {
    return environment
        .find(fact)
        .map(
            value -> {
              Matcher memory = KIBIBYTES.matcher(value);
              return fact == Fact.MEMORY_TOTAL && memory.matches()
                  ? Math.round(Long.parseLong(memory.group(1)) / (double) (1 << 20)) + " GiB"
                  : value;
            });
  }

  public ExecutionResults(
      Path directory,
      Manifest manifest,
      Facts environment,
      List<RunRecord> runs,
      List<String> unreadable) {
    this(directory, manifest, environment, runs, unreadable, List.of(), List.of());
  }

  /** Returns these results with other messages about what could not be read. */
  public ExecutionResults with(List<String> messages) {
    return new ExecutionResults(
        directory, manifest, environment, runs, List.copyOf(messages), tuned, parts);
  }

  /**
   * Returns whether a run, or a phase of one, was completed; otherwise there is nothing to rank.
   */
  public boolean measured() {
    return runs.stream()
        .anyMatch(
            run ->
                run.outcome() instanceof Outcome.Completed
                    || run.phases().stream()
                        .anyMatch(phase -> phase.outcome() instanceof Outcome.Completed));
  }

  /** Returns whether both are one execution, of which one may be a copy or an earlier state. */
  public boolean sameExecution(ExecutionResults other) {
    return manifest.scenario().equals(other.manifest.scenario())
        && manifest.planned().equals(other.manifest.planned())
        && runs.stream()
            .anyMatch(
                run ->
                    other.runs.stream()
                        .anyMatch(
                            each ->
                                each.id().equals(run.id())
                                    && each.started().equals(run.started())));
  }

  /** Returns the merged executions, or itself. */
  public List<ExecutionResults> executions() {
    return parts.isEmpty() ? List.of(this) : parts;
  }

  /** Returns the commit of the clone that kvrank ran in, as {@link Fact#COMMIT} has it. */
  public Optional<String> commit() {
    return Optional.ofNullable(environment.parts(Fact.COMMIT).get(KVRANK))
        .filter(COMMIT.asMatchPredicate());
  }

  /**
   * Returns the version of kvrank with the commit, if it ran in a clone, for example {@code
   * 0.2.0+g3907b1e-dirty}.
   */
  public String version() {
    String build = commit().map(text -> COMMIT.matcher(text).replaceFirst("+g$1$2")).orElse("");
    return manifest.kvrank() + build;
  }

  /** Returns the distinct versions of the executions. */
  public List<String> versions() {
    return executions().stream().map(ExecutionResults::version).distinct().toList();
  }

  /** Returns the results of the first repetitions. */
  public ExecutionResults upTo(int repetitions) {
    List<RunRecord> first = runs.stream().filter(run -> run.repetition() <= repetitions).toList();
    return new ExecutionResults(
        directory, manifest, environment, first, unreadable, tuned, List.of());
  }

  /** Returns the labels of all engines: the manifest's, then those that only the records have. */
  public List<String> engines() {
    Set<String> engines = new LinkedHashSet<>(manifest.engines());
    runs.stream().map(RunRecord::engine).sorted().forEach(engines::add);
    return List.copyOf(engines);
  }

  /** Returns the last recorded repetition; 0 without any. */
  public int repetitions() {
    return runs.stream().mapToInt(RunRecord::repetition).max().orElse(0);
  }

  public List<TableSpec> tables() {
    return manifest.tables().stream()
        .flatMap(request -> TableReader.read(request).stream())
        .toList();
  }

  /** Returns the warnings about the machine before the runs. */
  public List<String> warnings() {
    return executions().stream()
        .flatMap(execution -> execution.environment().parts(Fact.MACHINE_WARNING).values().stream())
        .distinct()
        .toList();
  }

  /** Returns a short name, for example {@code quick/2026-01-02T030405Z}. */
  public String name() {
    Path path = directory.normalize();
    int names = path.getNameCount();
    return (names > 2 ? path.subpath(names - 2, names) : path).toString();
  }
}
