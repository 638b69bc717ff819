package kvrank.results;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.metric.Expectation;
import kvrank.plan.Plan;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Scenario;

/**
 * What was asked and planned: {@code plan.json}.
 *
 * @param kvrank the version that planned it
 * @param purpose what is to be found out
 * @param design what is compared, and how often
 * @param runs the runs' ids in the order of execution
 * @param planned when
 */
public record Manifest(
    String kvrank,
    @JsonUnwrapped Purpose purpose,
    @JsonUnwrapped Design design,
    List<String> runs,
    Instant planned) {

  public Manifest {
    runs = List.copyOf(runs);
  }

  /**
   * Returns the manifest of {@code plan}.
   *
   * @param kvrank the version that planned it
   * @param planned when
   */
  public static Manifest of(Plan plan, String kvrank, Instant planned) {
    Scenario scenario = plan.scenario();
    SortedMap<String, List<String>> factors = new TreeMap<>();
    scenario
        .factors()
        .forEach(
            (setting, values) -> {
              if (!values.equals(List.of(""))) {
                factors.put(setting.label(), values);
              }
            });
    return new Manifest(
        kvrank,
        new Purpose(
            scenario.name(),
            scenario.question(),
            scenario.machine().medium().label(),
            scenario.tables(),
            scenario.expectations()),
        new Design(
            scenario.engines().stream().map(EngineSpec::label).toList(),
            scenario.phases().stream().map(PhaseSpec::name).toList(),
            factors,
            scenario.replication().repetitions(),
            scenario.replication().seed()),
        plan.ids(),
        planned);
  }

  /** Returns the scenario's name. */
  public String scenario() {
    return purpose.scenario();
  }

  /** Returns the scenario's question. */
  public String question() {
    return purpose.question();
  }

  /** Returns the storage that was asked for. */
  public String medium() {
    return purpose.medium();
  }

  /** Returns the bounds that the scenario wants kept. */
  public List<Expectation> expectations() {
    return purpose.expectations();
  }

  /** Returns the rows' labels in the order of the scenario. */
  public List<String> engines() {
    return design.engines();
  }

  /** Returns the phases' names in order. */
  public List<String> phases() {
    return design.phases();
  }

  /** Returns every setting by its label, with its values in the order of the scenario. */
  public SortedMap<String, List<String>> factors() {
    return design.factors();
  }

  /** Returns how often each engine runs at each factor point. */
  public int repetitions() {
    return design.repetitions();
  }

  /** Returns the scenario's seed. */
  public long seed() {
    return design.seed();
  }
}
