package kvrank.stats.history;

import static java.util.stream.Collectors.joining;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import kvrank.stats.history.History.Change;
import kvrank.stats.history.History.Line;
import kvrank.stats.history.History.Moment;
import kvrank.stats.infer.ChangePoints;
import kvrank.stats.infer.Estimate;

/**
 * Builds the {@link History} of executions, which are added one by one, as many do not fit in
 * memory.
 */
public final class HistoryBuilder {

  /** A commit, of which ten digits are shown; a suffix stays. */
  private static final Pattern LONG = Pattern.compile("^(.{10})[0-9a-f]+");

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

  public HistoryBuilder(boolean acrossMachines) {
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
            .or(() -> commit.map(HistoryBuilder::abbreviated))
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
