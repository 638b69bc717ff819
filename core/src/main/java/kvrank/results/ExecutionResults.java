package kvrank.results;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.scenario.read.TableReader;
import kvrank.table.TableSpec;

/**
 * The results of one execution, as its directory holds them, or of several that were merged.
 *
 * @param directory where it was read from; of merged ones, the first
 * @param environment the machine, by the name of the fact
 * @param runs the records that are there, in the order of the plan
 * @param unreadable a message, naming the file, for each record that could not be read
 * @param tuned the searches for values of options that came before the runs
 * @param parts what was merged, with the same records as {@code runs}; of one directory itself
 *     alone, written as an empty list
 */
public record ExecutionResults(
    Path directory,
    Manifest manifest,
    Facts environment,
    List<RunRecord> runs,
    List<String> unreadable,
    List<Tuned> tuned,
    List<ExecutionResults> parts) {

  /** The facts of a machine across which nothing is ranked, and no execution is gone on with. */
  public static final List<Fact> MACHINE =
      List.of(
          Fact.HOST,
          Fact.CPU_MODEL,
          Fact.CPU_CORES,
          Fact.ISOLATION_CLIENT_CPUS,
          Fact.ISOLATION_SERVER_CPUS,
          Fact.OS,
          Fact.JAVA_VERSION,
          Fact.STORAGE_MEDIUM,
          Fact.STORAGE_FILE_SYSTEM,
          Fact.STORAGE_DEVICE);

  /** One results directory. */
  public ExecutionResults(
      Path directory,
      Manifest manifest,
      Facts environment,
      List<RunRecord> runs,
      List<String> unreadable) {
    this(directory, manifest, environment, runs, unreadable, List.of(), List.of());
  }

  /** Returns the executions that this consists of: itself, or what was merged. */
  public List<ExecutionResults> executions() {
    return parts.isEmpty() ? List.of(this) : parts;
  }

  /** Returns what was known after so many repetitions. */
  public ExecutionResults upTo(int repetitions) {
    List<RunRecord> then = runs.stream().filter(run -> run.repetition() <= repetitions).toList();
    return new ExecutionResults(
        directory, manifest, environment, then, unreadable, tuned, List.of());
  }

  /** Returns the labels of all engines: the manifest's, then those that only the records have. */
  public List<String> engines() {
    Set<String> engines = new LinkedHashSet<>(manifest.engines());
    runs.stream().map(RunRecord::engine).sorted().forEach(engines::add);
    return List.copyOf(engines);
  }

  /** Returns the last repetition of which there is a record; 0 without any. */
  public int repetitions() {
    return runs.stream().mapToInt(RunRecord::repetition).max().orElse(0);
  }

  /** Returns the tables that the scenario asks for. */
  public List<TableSpec> tables() {
    return manifest.tables().stream()
        .flatMap(request -> TableReader.read(request).stream())
        .toList();
  }

  /** Returns the warnings about the machine before the runs. */
  public List<String> warnings() {
    return executions().stream()
        .flatMap(each -> each.environment().parts(Fact.MACHINE_WARNING).values().stream())
        .distinct()
        .toList();
  }

  /** Returns the execution for people, for example {@code quick/2026-01-02T030405Z}. */
  public String name() {
    Path path = directory.normalize();
    int names = path.getNameCount();
    return (names > 2 ? path.subpath(names - 2, names) : path).toString();
  }
}
