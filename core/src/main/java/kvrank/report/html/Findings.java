package kvrank.report.html;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.report.Block;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Results;
import kvrank.results.RunRecord;
import kvrank.stats.DurabilitySummary;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.Standing;

/**
 * What the page says, worked out before it takes the form of a page.
 *
 * @param results where it comes from
 * @param differences what of merged executions is kept apart, a sentence each
 * @param rankings every ranking in order; every phase has one by throughput
 * @param engines the labels of all engines in order
 * @param unproven whose durability is not proven where, and why, a sentence each
 * @param answers one sentence for each phase and factor point
 * @param leftOut what is not ranked anywhere, and why
 * @param leftOutHere what is not ranked in a phase, beyond {@code leftOut}
 * @param notes numbered footnotes
 * @param marked an engine's label with its footnote marks at a factor point
 * @param labels what a reader has to know of a standing, such as {@code tied}
 * @param killTest what engines that were killed had lost; empty if none was
 * @param tables further tables that the scenario asks for
 */
public record Findings(
    Results results,
    List<String> differences,
    List<Ranking> rankings,
    List<String> engines,
    List<String> unproven,
    List<String> answers,
    List<String> leftOut,
    Function<Group, List<String>> leftOutHere,
    List<String> notes,
    BiFunction<String, SortedMap<String, String>, String> marked,
    BiFunction<Group, Standing, List<String>> labels,
    List<Block> killTest,
    List<Block> tables) {

  public Findings {
    requireNonNull(results, "results is null");
    differences = List.copyOf(differences);
    rankings = List.copyOf(rankings);
    engines = List.copyOf(engines);
    unproven = List.copyOf(unproven);
    answers = List.copyOf(answers);
    leftOut = List.copyOf(leftOut);
    notes = List.copyOf(notes);
    killTest = List.copyOf(killTest);
    tables = List.copyOf(tables);
  }

  Optional<Ranking> ranking(Group group, Metric metric) {
    return rankings.stream()
        .filter(ranking -> ranking.metric().id().equals(metric.id()))
        .filter(ranking -> ranking.group().equals(group))
        .findFirst();
  }

  Ranking throughput(Group group) {
    return ranking(group, Metrics.THROUGHPUT).orElseThrow();
  }

  Optional<Standing> standing(Group group, Metric metric, String engine) {
    return ranking(group, metric).flatMap(ranking -> ranking.standing(engine));
  }

  /** The phases as wholes, one for each phase and factor point. */
  List<Group> wholes() {
    return groups().filter(group -> group.operation().isEmpty() && !group.ofRun()).toList();
  }

  /** The phases as wholes, those of one factor point together. */
  Collection<List<Group>> wholesByPoint() {
    Map<SortedMap<String, String>, List<Group>> points = new LinkedHashMap<>();
    for (Group whole : wholes()) {
      points.computeIfAbsent(whole.factors(), factors -> new ArrayList<>()).add(whole);
    }
    return points.values();
  }

  /** The phases as wholes, those of one phase together. */
  Collection<List<Group>> wholesByPhase() {
    Map<String, List<Group>> phases = new LinkedHashMap<>();
    for (Group whole : wholes()) {
      phases.computeIfAbsent(whole.phase(), phase -> new ArrayList<>()).add(whole);
    }
    return phases.values();
  }

  /** The operations of a phase, each as a group of its own. */
  List<Group> operations(Group whole) {
    return groups()
        .filter(group -> group.operation().isPresent())
        .filter(group -> group.phase().equals(whole.phase()))
        .filter(group -> group.factors().equals(whole.factors()))
        .toList();
  }

  private Stream<Group> groups() {
    return rankings.stream().map(Ranking::group).distinct();
  }

  /** The engines that are neither ranked in a phase nor excluded from it: nothing was recorded. */
  List<String> unmentioned(Group whole) {
    Ranking ranking = throughput(whole);
    return engines.stream()
        .filter(engine -> ranking.standing(engine).isEmpty())
        .filter(
            engine -> ranking.excluded().stream().noneMatch(each -> each.engine().equals(engine)))
        .toList();
  }

  /** All runs, in an order that does not depend on when they were done. */
  List<RunRecord> runs() {
    return results.runs().stream()
        .sorted(Comparator.comparingInt(RunRecord::repetition).thenComparing(RunRecord::id))
        .toList();
  }

  /** The runs of one engine at a factor point. */
  List<RunRecord> runs(String engine, SortedMap<String, String> factors) {
    return runs().stream()
        .filter(run -> run.engine().equals(engine) && run.factors().equals(factors))
        .toList();
  }

  /** What the repetitions of one engine say of its durability in a phase. */
  Optional<DurabilitySummary> proof(Group whole, String engine) {
    return DurabilitySummary.of(
        runs(engine, whole.factors()).stream()
            .flatMap(run -> completed(run, whole.phase()).stream())
            .toList());
  }

  /** The phase of {@code run}, if it was completed. */
  static Optional<PhaseRecord> completed(RunRecord run, String phase) {
    return run.phases().stream()
        .filter(record -> record.name().equals(phase))
        .filter(record -> record.outcome() instanceof Outcome.Completed)
        .findFirst();
  }

  /** Where a group stands, for a title: {@code at fsync=off}, or nothing. */
  static String at(Group group) {
    return group.point().isEmpty() ? "" : " at " + group.point();
  }
}
