package kvrank.stats.history;

import static java.util.stream.Collectors.joining;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kvrank.fact.Fact;
import kvrank.metric.Metric;
import kvrank.results.ExecutionResults;
import kvrank.results.PhaseRecord;
import kvrank.scenario.Scenario;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.Rankings;
import kvrank.stats.Standing;
import kvrank.stats.change.Sides;
import kvrank.stats.infer.ChangePoints;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.Ratio;

/**
 * The executions of one scenario in order, and for each engine and phase the values of the metric
 * that decides it. The sample is the execution: its value is the geometric mean of its repetitions,
 * as repetitions tell nothing about the difference between executions.
 *
 * @param lines in the order of the scenario's phases, then by engine
 * @param notes what is kept apart or left out, a sentence each
 */
public record History(
    String scenario, List<Moment> executions, List<Line> lines, List<String> notes) {

  /** A commit, of which ten digits are shown; a suffix stays. */
  private static final Pattern LONG = Pattern.compile("^(.{10})[0-9a-f]+");

  /**
   * One execution.
   *
   * @param label the stated one, else commits, else the time
   * @param name the last names of its folder
   */
  public record Moment(String label, Instant time, String name, Optional<String> commit) {}

  /**
   * One engine in one phase at one factor point.
   *
   * @param part what distinguishes it from a line with the same names; may be empty
   * @param values of each execution; NaN for none
   * @param newest the value of the newest execution with the interval of its repetitions
   */
  public record Line(
      Group group,
      String engine,
      Metric metric,
      String part,
      List<Double> values,
      Optional<Estimate> newest,
      List<Change> changes) {

    /** Returns the executions that have a value. */
    public int[] measured() {
      return IntStream.range(0, values.size()).filter(i -> !values.get(i).isNaN()).toArray();
    }

    /** Returns the geometric mean of the values from one execution to before another. */
    public double level(int from, int to) {
      return Math.exp(
          values.subList(from, to).stream()
              .filter(value -> !value.isNaN())
              .mapToDouble(Math::log)
              .average()
              .orElse(Double.NaN));
    }

    /** Returns the starts of the stretches without a change, and the end of the last. */
    public List<Integer> ends() {
      List<Integer> ends = new ArrayList<>(List.of(0));
      changes.forEach(change -> ends.add(change.at()));
      ends.add(values.size());
      return ends;
    }

    /**
     * Returns the newest level divided by the level before the first change at or after {@code
     * since}; 1 without such a change.
     */
    public double net(int since) {
      List<Integer> ends = ends();
      int first = 1;
      while (first < ends.size() - 1 && ends.get(first) < since) {
        first++;
      }
      return first == ends.size() - 1
          ? 1
          : level(ends.get(ends.size() - 2), values.size())
              / level(ends.get(first - 1), ends.get(first));
    }

    /** Returns whether {@code ratio} is worse by more than {@code tolerance}. */
    public boolean worse(double ratio, double tolerance) {
      return metric.direction().worse(ratio, tolerance);
    }

    /** Returns whether {@code ratio} is better by more than {@code tolerance}. */
    public boolean better(double ratio, double tolerance) {
      return metric.direction().better(ratio, tolerance);
    }

    /** Returns the logarithm of each value relative to the level there; NaN for none. */
    public double[] noise() {
      double[] noise = new double[values.size()];
      List<Integer> ends = ends();
      for (int i = 0; i + 1 < ends.size(); i++) {
        double level = level(ends.get(i), ends.get(i + 1));
        for (int k = ends.get(i); k < ends.get(i + 1); k++) {
          noise[k] = Math.log(values.get(k) / level);
        }
      }
      return noise;
    }

    /** Returns the correlation of the noise of neighbours; NaN without any. */
    private double resemblance() {
      double[] noise = Arrays.stream(noise()).filter(value -> !Double.isNaN(value)).toArray();
      double products = 0;
      double squares = 0;
      for (int i = 0; i < noise.length; i++) {
        squares += noise[i] * noise[i];
        products += i == 0 ? 0 : noise[i - 1] * noise[i];
      }
      return products / squares;
    }

    /** Returns for example {@code redis, get at fsync=off}. */
    public String label() {
      return engine + ", " + group.label() + (part.isEmpty() ? "" : ", " + part);
    }
  }

  /**
   * A change of the level of a line.
   *
   * @param at the index of the first execution after it; with 95 % confidence it is from {@code
   *     first} to {@code last}
   * @param ratio the level after it divided by the level before it
   */
  public record Change(int at, int first, int last, Ratio ratio) {}

  /** Returns whether a line is worse than before the changes of its last executions. */
  public boolean worse(int recent, double tolerance) {
    return lines.stream().anyMatch(line -> line.worse(line.net(since(recent)), tolerance));
  }

  /**
   * Returns the mean correlation of the noise of neighbouring executions if it is too large for
   * chance: the test assumes that there is none.
   */
  public OptionalDouble resemblance() {
    double mean =
        lines.stream()
            .mapToDouble(Line::resemblance)
            .filter(r -> !Double.isNaN(r))
            .average()
            .orElse(0);
    // Two standard errors of the correlation of one line.
    return mean > 2 / Math.sqrt(executions.size())
        ? OptionalDouble.of(mean)
        : OptionalDouble.empty();
  }

  /** Returns the index of the first of the last {@code recent} executions. */
  public int since(int recent) {
    return Math.max(0, executions.size() - recent);
  }

  /**
   * A history under construction. Executions are added one by one, as many do not fit in memory.
   */
  public static final class Builder {

    private record Key(
        String engine,
        String phase,
        Optional<String> operation,
        SortedMap<String, String> factors,
        Metric metric,
        List<String> machine,
        String work) {

      /** Returns the line with only these facts of its machine. */
      Key known(List<Boolean> facts) {
        List<String> kept =
            IntStream.range(0, machine.size())
                .mapToObj(i -> facts.get(i) ? machine.get(i) : "")
                .toList();
        return new Key(engine, phase, operation, factors, metric, kept, work);
      }

      String host() {
        return machine.isEmpty() ? "" : machine.get(ExecutionResults.MACHINE.indexOf(Fact.HOST));
      }

      /** Returns the parts that have names. */
      List<Object> named() {
        return List.of(engine, phase, operation, factors, metric);
      }
    }

    private final boolean acrossMachines;
    private final List<Moment> moments = new ArrayList<>();
    private Map<Key, Map<Moment, Estimate>> values = new LinkedHashMap<>();
    private Map<Key, Group> groups = new HashMap<>();
    private final SortedMap<String, SortedSet<String>> factors = new TreeMap<>();
    private final List<String> scenarios = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Gaps gaps = new Gaps();

    public Builder(boolean acrossMachines) {
      this.acrossMachines = acrossMachines;
    }

    /** Adds an execution; of one with a base and a head, the head. */
    public void add(ExecutionResults execution) {
      Optional<Sides> sides = Sides.of(execution, Scenario.BASE, Scenario.HEAD);
      ExecutionResults results = sides.map(Sides::head).orElse(execution);
      String name = execution.manifest().scenario();
      String end = Scenario.BASE + Scenario.HEAD;
      String scenario =
          sides.isPresent() && name.endsWith(end)
              ? name.substring(0, name.length() - end.length())
              : name;
      if (!scenarios.contains(scenario)) {
        scenarios.add(scenario);
      }
      Moment moment = moment(execution);
      moments.add(moment);
      notes.addAll(execution.unreadable());
      List<String> machine =
          acrossMachines
              ? List.of()
              : ExecutionResults.MACHINE.stream()
                  .map(fact -> ExecutionResults.compared(fact, execution.environment()).orElse(""))
                  .toList();
      Map<String, String> works = works(results);
      for (Ranking ranking : Rankings.decidingValues(results)) {
        Group group = ranking.group();
        group
            .factors()
            .forEach(
                (factor, value) ->
                    factors.computeIfAbsent(factor, any -> new TreeSet<>()).add(value));
        gaps.add(ranking);
        for (Standing standing : ranking.standings()) {
          Key key =
              new Key(
                  standing.engine(),
                  group.phase(),
                  group.operation(),
                  group.factors(),
                  ranking.metric(),
                  machine,
                  works.getOrDefault(group.phase() + group.factors(), ""));
          if (standing.estimate().value() > 0) {
            groups.putIfAbsent(key, group);
            values.computeIfAbsent(key, any -> new HashMap<>()).put(moment, standing.estimate());
          }
        }
      }
    }

    /** Returns the scenarios of the executions, by name. */
    public List<String> scenarios() {
      return List.copyOf(scenarios);
    }

    private static Moment moment(ExecutionResults execution) {
      SortedMap<String, String> commits = new TreeMap<>(execution.environment().parts(Fact.COMMIT));
      String own = commits.remove(ExecutionResults.KVRANK);
      commits.keySet().removeIf(row -> row.endsWith(Scenario.BASE));
      Optional<String> commit =
          commits.isEmpty()
              ? Optional.ofNullable(own)
              : Optional.of(commits.values().stream().distinct().collect(joining(" ")));
      Instant time = execution.manifest().planned();
      String label =
          execution
              .environment()
              .find(Fact.LABEL)
              .or(() -> commit.map(Builder::abbreviated))
              .orElseGet(() -> time.toString().substring(0, "2026-01-02T03:04".length()));
      return new Moment(label, time, execution.name(), commit);
    }

    private static String abbreviated(String commits) {
      return List.of(commits.split(" ", -1)).stream()
          .map(commit -> LONG.matcher(commit).replaceFirst("$1"))
          .collect(joining(" "));
    }

    /** Returns workload, settings and earlier phases of each phase and factor point. */
    private static Map<String, String> works(ExecutionResults results) {
      Map<String, String> works = new HashMap<>();
      List<String> phases = results.manifest().phases();
      results
          .runs()
          .forEach(
              run -> {
                for (PhaseRecord phase : run.phases()) {
                  int place = Math.max(0, phases.indexOf(phase.name()));
                  works.putIfAbsent(
                      phase.name() + run.factors(),
                      phase.workload() + phase.settings() + phases.subList(0, place));
                }
              });
      return works;
    }

    /**
     * Returns the history with its changes.
     *
     * @param asGiven whether executions are in the order in which they were added, else by time
     */
    public History build(boolean asGiven) {
      List<Moment> order = new ArrayList<>(moments);
      if (!asGiven) {
        order.sort(Comparator.comparing(Moment::time));
      }
      SortedSet<String> varying = new TreeSet<>();
      factors.forEach(
          (factor, each) -> {
            if (each.size() > 1) {
              varying.add(factor);
            }
          });
      joinMachines();
      List<Line> lines = new ArrayList<>();
      values.forEach(
          (key, byMoment) -> {
            Group group = groups.get(key);
            lines.add(
                new Line(
                    group.showing(varying),
                    key.engine(),
                    key.metric(),
                    part(key, byMoment, order),
                    order.stream()
                        .map(byMoment::get)
                        .map(estimate -> estimate == null ? Double.NaN : estimate.value())
                        .toList(),
                    Optional.ofNullable(byMoment.get(order.get(order.size() - 1))),
                    List.of()));
          });
      List<String> all = new ArrayList<>(gaps.notes(places(), varying));
      all.addAll(notes);
      return new History(String.join(" + ", scenarios), order, changed(lines), List.copyOf(all));
    }

    private Set<Gaps.Place> places() {
      return values.keySet().stream()
          .map(key -> new Gaps.Place(key.engine(), key.phase(), key.factors()))
          .collect(Collectors.toSet());
    }

    /**
     * Joins lines whose machines differ only in facts that some executions do not have, as those of
     * older versions of kvrank, and notes what keeps others apart.
     */
    private void joinMachines() {
      List<List<String>> machines = values.keySet().stream().map(Key::machine).distinct().toList();
      if (acrossMachines || machines.size() < 2) {
        return;
      }
      List<Boolean> known = new ArrayList<>();
      for (int i = 0; i < ExecutionResults.MACHINE.size(); i++) {
        int fact = i;
        List<String> found = machines.stream().map(each -> each.get(fact)).distinct().toList();
        boolean complete = !found.contains("");
        known.add(complete || ExecutionResults.MACHINE.get(i) == Fact.HOST);
        if (complete && found.size() > 1) {
          notes.add(
              "%s differs (%s), so these are lines of their own; --across-machines joins them"
                  .formatted(ExecutionResults.MACHINE.get(i).label(), String.join(", ", found)));
        }
      }
      Map<Key, Map<Moment, Estimate>> joined = new LinkedHashMap<>();
      values.forEach(
          (key, byMoment) ->
              joined.computeIfAbsent(key.known(known), any -> new HashMap<>()).putAll(byMoment));
      Map<Key, Group> named = new HashMap<>();
      groups.forEach((key, group) -> named.putIfAbsent(key.known(known), group));
      values = joined;
      groups = named;
    }

    /** Returns the host of a line, else its first execution, if others have the same names. */
    private String part(Key key, Map<Moment, Estimate> byMoment, List<Moment> order) {
      List<Key> same =
          values.keySet().stream().filter(other -> other.named().equals(key.named())).toList();
      long hosts = same.stream().map(Key::host).distinct().count();
      return same.size() == 1
          ? ""
          : hosts == same.size()
              ? "on " + key.host()
              : order.stream()
                  .filter(byMoment::containsKey)
                  .findFirst()
                  .map(first -> "as in " + first.label())
                  .orElseThrow();
    }

    private static List<Line> changed(List<Line> lines) {
      List<List<ChangePoints.Change>> found =
          ChangePoints.of(
              lines.stream()
                  .map(line -> line.values().stream().mapToDouble(Math::log).toArray())
                  .toList());
      List<Line> changed = new ArrayList<>();
      for (int i = 0; i < lines.size(); i++) {
        Line line = lines.get(i);
        changed.add(
            new Line(
                line.group(),
                line.engine(),
                line.metric(),
                line.part(),
                line.values(),
                line.newest(),
                found.get(i).stream()
                    .map(
                        change ->
                            new Change(
                                change.at(),
                                change.first(),
                                change.last(),
                                change.size().ratio(1 - Estimate.CONFIDENCE)))
                    .toList()));
      }
      return Collections.unmodifiableList(changed);
    }
  }
}
