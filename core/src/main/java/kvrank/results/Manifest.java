package kvrank.results;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.metric.Expectation;
import kvrank.plan.Plan;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Scenario;
import kvrank.scenario.TableRequest;

/**
 * What was asked and planned: {@code plan.json}.
 *
 * @param kvrank the version that planned it
 * @param medium the storage that was asked for
 * @param tables those that the report prints beside the rankings; 0.1.0 named at most one
 * @param expectations the bounds that the scenario wants kept
 * @param engines the rows' labels in the order of the scenario
 * @param phases the phases' names in order
 * @param factors every setting by its label, with its values in the order of the scenario
 * @param repetitions how often each engine runs at each factor point
 * @param runs the runs' ids in the order of execution
 */
public record Manifest(
    String kvrank,
    String scenario,
    String question,
    String medium,
    @JsonAlias("table")
        @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
        @JsonSetter(nulls = Nulls.AS_EMPTY)
        List<TableRequest> tables,
    @JsonSetter(nulls = Nulls.AS_EMPTY) List<Expectation> expectations,
    List<String> engines,
    List<String> phases,
    SortedMap<String, List<String>> factors,
    int repetitions,
    long seed,
    List<String> runs,
    Instant planned) {

  /** Returns the manifest of {@code plan}, made by the version {@code kvrank}. */
  public static Manifest of(Plan plan, String kvrank, Instant planned) {
    Scenario scenario = plan.scenario();
    SortedMap<String, List<String>> factors = new TreeMap<>();
    scenario.factors().forEach((setting, values) -> factors.put(setting.label(), values));
    factors.values().removeIf(List.of("")::equals);
    return new Manifest(
        kvrank,
        scenario.name(),
        scenario.question(),
        scenario.medium().label(),
        scenario.tables(),
        scenario.expectations(),
        scenario.engines().stream().map(EngineSpec::label).toList(),
        scenario.phases().stream().map(PhaseSpec::name).toList(),
        factors,
        scenario.repetitions(),
        scenario.seed(),
        plan.ids(),
        planned);
  }
}
