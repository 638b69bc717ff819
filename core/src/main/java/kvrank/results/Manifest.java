package kvrank.results;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.metric.Expectation;

/**
 * What was asked and planned: {@code plan.json}.
 *
 * @param schema the version of this format, {@code major.minor}
 * @param kvrank the version that planned it
 * @param scenario the scenario's name
 * @param question the scenario's question
 * @param engines the rows' labels in the order of the scenario
 * @param phases the phases' names in order
 * @param factors every setting by its label, with its values in the order of the scenario
 * @param medium the storage that was asked for
 * @param repetitions how often each engine runs at each factor point
 * @param seed the scenario's seed
 * @param table the extra table that the scenario asks for
 * @param runs the runs' ids in the order of execution
 * @param planned when
 * @param expectations the bounds that the scenario wants kept
 */
public record Manifest(
    String schema,
    String kvrank,
    String scenario,
    String question,
    List<String> engines,
    List<String> phases,
    SortedMap<String, List<String>> factors,
    String medium,
    int repetitions,
    long seed,
    Optional<String> table,
    List<String> runs,
    Instant planned,
    @JsonSetter(nulls = Nulls.AS_EMPTY) List<Expectation> expectations) {

  public Manifest {
    requireNonNull(schema, "schema is null");
    requireNonNull(scenario, "scenario is null");
    requireNonNull(question, "question is null");
    engines = List.copyOf(engines);
    phases = List.copyOf(phases);
    factors = Collections.unmodifiableSortedMap(new TreeMap<>(factors));
    requireNonNull(table, "table is null");
    runs = List.copyOf(runs);
    requireNonNull(planned, "planned is null");
    expectations = List.copyOf(expectations);
  }

  /** A plan without expectations. */
  public Manifest(
      String schema,
      String kvrank,
      String scenario,
      String question,
      List<String> engines,
      List<String> phases,
      SortedMap<String, List<String>> factors,
      String medium,
      int repetitions,
      long seed,
      Optional<String> table,
      List<String> runs,
      Instant planned) {
    this(
        schema,
        kvrank,
        scenario,
        question,
        engines,
        phases,
        factors,
        medium,
        repetitions,
        seed,
        table,
        runs,
        planned,
        List.of());
  }
}
