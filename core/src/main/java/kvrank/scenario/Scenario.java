package kvrank.scenario;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.metric.Expectation;

/**
 * One question, asked of several engines.
 *
 * @param name the name of its file without the ending
 * @param question the question, for a reader
 * @param file where it was read from
 * @param engines the rows of its tables
 * @param phases the phases of a run in order, the load first (added if the file leaves it out)
 * @param factors every setting with its values in the order of the file; one value for a setting
 *     that does not vary
 * @param medium the storage that it asks for
 * @param data the folder for data directories, if it names one
 * @param repetitions how often each engine runs at each factor point
 * @param seed the seed of every choice
 * @param table the extra tables that the report prints, by name, for example {@code kvbench}
 * @param expectations the bounds that must be kept
 * @param kills how often the engine is killed after each run, to see what it lost; 0 for no kill
 *     test
 * @param isolation whether client and server have CPUs of their own
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
    int repetitions,
    long seed,
    Optional<String> table,
    List<Expectation> expectations,
    int kills,
    Isolation isolation) {

  public Scenario {
    requireNonNull(name, "name is null");
    requireNonNull(question, "question is null");
    requireNonNull(file, "file is null");
    engines = List.copyOf(engines);
    phases = List.copyOf(phases);
    factors = Collections.unmodifiableSortedMap(new TreeMap<>(factors));
    requireNonNull(medium, "medium is null");
    requireNonNull(data, "data is null");
    requireNonNull(table, "table is null");
    expectations = List.copyOf(expectations);
    requireNonNull(isolation, "isolation is null");
  }

  /** A scenario without a kill test that says nothing of isolation. */
  public Scenario(
      String name,
      String question,
      Path file,
      List<EngineSpec> engines,
      List<PhaseSpec> phases,
      SortedMap<Setting, List<String>> factors,
      Medium medium,
      Optional<Path> data,
      int repetitions,
      long seed,
      Optional<String> table,
      List<Expectation> expectations) {
    this(
        name,
        question,
        file,
        engines,
        phases,
        factors,
        medium,
        data,
        repetitions,
        seed,
        table,
        expectations,
        0,
        new Isolation.Automatic());
  }
}
