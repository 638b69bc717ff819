package kvrank.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.metric.Expectation;
import kvrank.metric.Metric;
import kvrank.metric.Preference;
import kvrank.plan.Plan;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Repetitions;
import kvrank.scenario.Scenario;
import kvrank.table.TableRequest;

/**
 * The request and the plan of an execution: {@code plan.json}.
 *
 * @param medium the requested storage
 * @param tables the tables in the report besides the rankings
 * @param prefer the order of engines that meet all expectations
 * @param engines the row labels in the order of the scenario
 * @param factors the values of every setting by its label
 * @param repetitions the maximum number of runs of each engine at each factor point
 * @param orderSeed the seed of the order of runs; empty in results of kvrank 0.2.0
 * @param extended the planned repetitions before each extension
 */
public record Manifest(
    String kvrank,
    String scenario,
    String question,
    String medium,
    @JsonSetter(nulls = Nulls.AS_EMPTY) List<TableRequest> tables,
    @JsonSetter(nulls = Nulls.AS_EMPTY) List<Expectation> expectations,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) @JsonSetter(nulls = Nulls.AS_EMPTY)
        Optional<Preference> prefer,
    List<String> engines,
    List<String> phases,
    SortedMap<String, List<String>> factors,
    int repetitions,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) @JsonSetter(nulls = Nulls.AS_EMPTY)
        Optional<Adaptive> adaptive,
    long seed,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) @JsonSetter(nulls = Nulls.AS_EMPTY)
        Optional<Long> orderSeed,
    List<String> runs,
    Instant planned,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        List<Integer> extended) {

  /**
   * Repetitions that end when the results are precise enough.
   *
   * @param ratio two engines whose ratio is below this count as equal
   * @param interval the maximum half-width of throughput intervals; empty to separate engines
   * @param compare two engines, or one against all; empty for all against the best
   * @param ended the repetition after which the budget was used up
   * @param stopped the repetitions after which it ended before each extension
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

  /** Returns whether an expectation or the preference is about {@code metric}. */
  public boolean requires(Metric metric) {
    return expectations.stream().anyMatch(each -> each.metric().equals(metric))
        || prefer.filter(each -> each.metric().equals(metric)).isPresent();
  }

  /** Returns the number of repetitions that each engine has at least. */
  public int guaranteedRepetitions() {
    return adaptive.map(Adaptive::atLeast).orElse(repetitions);
  }

  /** Returns the number of repetitions planned before any extension. */
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

  /** Returns a copy with these of the rows, and the expectations about them. */
  public Manifest only(Set<String> rows) {
    return new Manifest(
        kvrank,
        scenario,
        question,
        medium,
        tables,
        expectations.stream().filter(each -> rows.contains(each.engine())).toList(),
        prefer,
        engines.stream().filter(rows::contains).toList(),
        phases,
        factors,
        repetitions,
        adaptive,
        seed,
        orderSeed,
        runs,
        planned,
        extended);
  }

  /** Returns a copy whose budget was used up after {@code repetition}. */
  public Manifest ended(int repetition) {
    return with(this, adaptive.map(until -> until.ended(repetition)), extended);
  }

  /** Returns a copy that ended after {@code repetition} and will be extended. */
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
        now.prefer,
        now.engines,
        phases,
        factors,
        now.repetitions,
        until,
        seed,
        orderSeed,
        now.runs,
        planned,
        before);
  }

  public static List<String> rows(Scenario scenario) {
    return scenario.engines().stream().map(EngineSpec::label).toList();
  }

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
        scenario.prefer(),
        rows(scenario),
        scenario.phases().stream().map(PhaseSpec::name).toList(),
        factors,
        scenario.repetitions().atMost(),
        Optional.of(scenario.repetitions()).filter(Repetitions::adaptive).map(Adaptive::of),
        scenario.seed(),
        scenario.orderSeed(),
        plan.ids(),
        planned,
        List.of());
  }
}
