package kvrank.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.metric.Expectation;
import kvrank.plan.Plan;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Repetitions;
import kvrank.scenario.Scenario;
import kvrank.table.TableRequest;

/**
 * What was asked and planned: {@code plan.json}.
 *
 * @param kvrank the version that planned it
 * @param medium the storage that was asked for
 * @param tables those that the report prints beside the rankings
 * @param expectations the bounds that the scenario wants kept
 * @param engines the rows' labels in the order of the scenario
 * @param phases the phases' names in order
 * @param factors every setting by its label, with its values in the order of the scenario
 * @param repetitions how often each engine runs at each factor point, at most
 * @param adaptive when there are enough, if the values decide
 * @param runs the runs' ids in the order of execution
 * @param extended how many repetitions were planned before more were added, each time that some
 *     were
 */
public record Manifest(
    String kvrank,
    String scenario,
    String question,
    String medium,
    @JsonSetter(nulls = Nulls.AS_EMPTY) List<TableRequest> tables,
    @JsonSetter(nulls = Nulls.AS_EMPTY) List<Expectation> expectations,
    List<String> engines,
    List<String> phases,
    SortedMap<String, List<String>> factors,
    int repetitions,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) @JsonSetter(nulls = Nulls.AS_EMPTY)
        Optional<Adaptive> adaptive,
    long seed,
    List<String> runs,
    Instant planned,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        List<Integer> extended) {

  /**
   * Repetitions until the answer is known.
   *
   * @param atLeast the repetitions of all engines
   * @param ratio how far two engines may be apart for their comparison to be settled although they
   *     are not separated
   * @param interval how far the interval of a throughput may reach to each side, as a share of it;
   *     empty if engines are to be separated
   * @param compare what they are to settle: two engines, or one with which each other one is
   *     compared; if there are none, each with the best one
   * @param budgetSeconds how long all runs may take together
   * @param ended after which repetition the budget had no time for what was open; empty if it had
   * @param stopped after which repetition it was over, each time that more were asked for
   */
  public record Adaptive(
      int atLeast,
      double ratio,
      @JsonSetter(nulls = Nulls.AS_EMPTY) Optional<Double> interval,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
          List<List<String>> compare,
      @JsonSetter(nulls = Nulls.AS_EMPTY) Optional<Double> budgetSeconds,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) @JsonSetter(nulls = Nulls.AS_EMPTY)
          Optional<Integer> ended,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
          List<Integer> stopped) {

    private static Adaptive of(Repetitions asked) {
      return new Adaptive(
          asked.atLeast(),
          asked.ratio(),
          asked.interval(),
          asked.compare(),
          asked.budget().map(time -> time.toMillis() / 1e3),
          Optional.empty(),
          List.of());
    }

    private Adaptive ended(int repetition) {
      return new Adaptive(
          atLeast, ratio, interval, compare, budgetSeconds, Optional.of(repetition), stopped);
    }

    private Adaptive stopped(int repetition) {
      List<Integer> stops = new ArrayList<>(stopped);
      stops.add(repetition);
      return new Adaptive(
          atLeast, ratio, interval, compare, budgetSeconds, ended, List.copyOf(stops));
    }
  }

  /** Returns the number of repetitions that each engine has, whatever the measured values are. */
  public int guaranteedRepetitions() {
    return adaptive.map(Adaptive::atLeast).orElse(repetitions);
  }

  /** Returns the number of repetitions that were planned before any were added. */
  public int originalRepetitions() {
    return extended.isEmpty() ? repetitions : extended.get(0);
  }

  /** Returns this manifest for {@code plan}, which has more repetitions or other rows. */
  public Manifest replanned(Plan plan) {
    Manifest now = of(plan, kvrank, planned);
    List<Integer> before = new ArrayList<>(extended);
    if (now.repetitions > repetitions) {
      before.add(repetitions);
    }
    return with(now, adaptive, List.copyOf(before));
  }

  /** Returns this of an execution whose budget was over after that repetition. */
  public Manifest ended(int repetition) {
    return with(this, adaptive.map(until -> until.ended(repetition)), extended);
  }

  /** Returns this of an execution that was over after that repetition, and is to go on. */
  public Manifest stopped(int repetition) {
    return with(this, adaptive.map(until -> until.stopped(repetition)), extended);
  }

  private Manifest with(Manifest now, Optional<Adaptive> until, List<Integer> before) {
    return new Manifest(
        kvrank,
        scenario,
        question,
        medium,
        tables,
        now.expectations,
        now.engines,
        phases,
        factors,
        now.repetitions,
        until,
        seed,
        now.runs,
        planned,
        before);
  }

  /** Returns the labels of the rows of {@code scenario}. */
  public static List<String> rows(Scenario scenario) {
    return scenario.engines().stream().map(EngineSpec::label).toList();
  }

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
        rows(scenario),
        scenario.phases().stream().map(PhaseSpec::name).toList(),
        factors,
        scenario.repetitions().atMost(),
        Optional.of(scenario.repetitions()).filter(Repetitions::adaptive).map(Adaptive::of),
        scenario.seed(),
        plan.ids(),
        planned,
        List.of());
  }
}
