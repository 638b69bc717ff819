package kvrank.scenario;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import kvrank.metric.Expectation;
import kvrank.table.TableRequest;

/**
 * One question, asked of several engines.
 *
 * @param name the name of its file without the ending
 * @param engines the rows of its tables
 * @param phases the phases of a run in order, the load first (added if the file leaves it out)
 * @param factors every setting with its values in the order of the file; one value for a setting
 *     that does not vary
 * @param medium the storage under the data directories
 * @param data the folder for data directories, if the scenario names one
 * @param crashes how often the engine is killed after each run, to see what it lost; 0 for no crash
 *     test
 */
public record Scenario(
    String name,
    String question,
    Path file,
    List<EngineSpec> engines,
    List<PhaseSpec> phases,
    SortedMap<Setting, List<String>> factors,
    Medium medium,
    Optional<Path> data,
    Isolation isolation,
    Repetitions repetitions,
    long seed,
    int crashes,
    List<TableRequest> tables,
    List<Expectation> expectations) {

  public Scenario with(Repetitions more) {
    return with(engines, more, expectations);
  }

  private Scenario with(List<EngineSpec> rows, Repetitions asked, List<Expectation> judged) {
    return new Scenario(
        name, question, file, rows, phases, factors, medium, data, isolation, asked, seed, crashes,
        tables, judged);
  }

  /**
   * Returns the scenario with the values that a search found for an engine's option, by its name.
   */
  public Scenario tuned(Map<String, List<String>> values) {
    List<Expectation> judged =
        expectations.stream()
            .flatMap(
                each ->
                    engines.stream()
                        .filter(row -> row.label().equals(each.engine()))
                        .flatMap(row -> row.tuned(values.getOrDefault(row.row().name(), List.of())))
                        .map(row -> each.of(row.label())))
            .distinct()
            .toList();
    List<EngineSpec> rows =
        engines.stream()
            .flatMap(row -> row.tuned(values.getOrDefault(row.row().name(), List.of())))
            .distinct()
            .toList();
    return with(rows, repetitions, judged);
  }

  /** Returns what every key begins with; empty unless an engine's server is shared. */
  public String keyPrefix() {
    return engines.stream().anyMatch(EngineSpec::shares) ? Shapes.prefix(name, seed) : "";
  }
}
