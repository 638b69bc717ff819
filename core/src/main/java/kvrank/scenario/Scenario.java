package kvrank.scenario;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import kvrank.metric.Expectation;
import kvrank.metric.Preference;
import kvrank.table.TableRequest;

/**
 * One question about several engines.
 *
 * @param name the file name without its ending
 * @param engines the rows of the tables
 * @param phases of a run in order, the load first (added if the file leaves it out)
 * @param factors every setting with its values in the order of the file; a setting that does not
 *     vary has one value
 * @param medium the storage of the data directories
 * @param data the folder for data directories, if the scenario names one
 * @param prepare commands before each run, which its user has allowed
 * @param seed of operations, keys and values
 * @param orderSeed of the order of runs; empty for the one of {@code seed}
 * @param crashTest after each run, if any
 * @param prefer the order of engines that meet all expectations
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
    List<String> prepare,
    Repetitions repetitions,
    long seed,
    Optional<Long> orderSeed,
    Optional<CrashTest> crashTest,
    List<TableRequest> tables,
    List<Expectation> expectations,
    Optional<Preference> prefer) {

  /** The end of the name of a row whose counterpart ends with {@link #HEAD}. */
  public static final String BASE = "-base";

  public static final String HEAD = "-head";

  /**
   * Returns this scenario with {@code rows} named after its rows, with {@link #BASE} and {@link
   * #HEAD}. Its number of repetitions is fixed, its expectations are about the heads, and it has no
   * tables.
   */
  public Scenario interleaved(List<EngineSpec> rows) {
    return with(
        name + "-base-head",
        rows,
        Repetitions.fixed(repetitions.atLeast(), repetitions.patience()),
        orderSeed,
        List.of(),
        expectations.stream().map(expectation -> expectation.named(HEAD)).toList());
  }

  public Scenario with(Repetitions newRepetitions) {
    return with(name, engines, newRepetitions, orderSeed, tables, expectations);
  }

  /** Returns the scenario whose runs have the order of {@code drawn}, unless it states its own. */
  public Scenario ordered(long drawn) {
    Optional<Long> order = orderSeed.or(() -> Optional.of(drawn));
    return with(name, engines, repetitions, order, tables, expectations);
  }

  private Scenario with(
      String newName,
      List<EngineSpec> newEngines,
      Repetitions newRepetitions,
      Optional<Long> newOrderSeed,
      List<TableRequest> newTables,
      List<Expectation> newExpectations) {
    return new Scenario(
        newName,
        question,
        file,
        newEngines,
        phases,
        factors,
        medium,
        data,
        isolation,
        prepare,
        newRepetitions,
        seed,
        newOrderSeed,
        crashTest,
        newTables,
        newExpectations,
        prefer);
  }

  /**
   * Returns the scenario with the values that searches chose for options, by name of the engine.
   */
  public Scenario tuned(Map<String, List<String>> values) {
    List<Expectation> newExpectations =
        expectations.stream()
            .flatMap(
                expectation ->
                    engines.stream()
                        .filter(row -> row.label().equals(expectation.engine()))
                        .flatMap(row -> row.tuned(values.getOrDefault(row.row().name(), List.of())))
                        .map(row -> expectation.of(row.label())))
            .distinct()
            .toList();
    List<EngineSpec> newEngines =
        engines.stream()
            .flatMap(row -> row.tuned(values.getOrDefault(row.row().name(), List.of())))
            .distinct()
            .toList();
    return with(name, newEngines, repetitions, orderSeed, tables, newExpectations);
  }

  /** Returns the prefix of every key; empty unless an engine's server is shared. */
  public String keyPrefix() {
    return engines.stream().anyMatch(EngineSpec::shares) ? Shapes.prefix(name, seed) : "";
  }
}
