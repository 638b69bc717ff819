package kvrank.report.section;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import kvrank.metric.Metrics;
import kvrank.report.block.Quantities;
import kvrank.report.ranking.Labels;
import kvrank.report.ranking.Leaders;
import kvrank.report.ranking.Places;
import kvrank.results.ExecutionResults;
import kvrank.results.Tuned;
import kvrank.stats.Group;
import kvrank.stats.OpenComparison;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.infer.PairVerdict;
import kvrank.stats.infer.Ratio;
import kvrank.stats.infer.Separation;
import kvrank.table.TableSpec;

/** The answer to the scenario's question: the best engines, with values. */
public final class Answers {

  /** With more comparisons than this, those with the same result share a sentence. */
  private static final int MOST_NAMED = 3;

  /** The values of an option that were not tried, as far as they are named. */
  private static final int VALUES_NAMED = 4;

  private static final Set<Separation> OPEN = Set.of(Separation.NOT_SEPARATED, Separation.UNTESTED);

  private final RankingIndex index;
  private final List<Group> groups;

  public Answers(RankingIndex index) {
    this.index = index;
    Set<String> expected =
        index.results().manifest().expectations().stream()
            .flatMap(expectation -> expectation.cells().stream())
            .flatMap(cell -> cell.phase().stream())
            .collect(toSet());
    boolean inTable = index.results().tables().stream().anyMatch(TableSpec::asksForLoad);
    List<Group> phaseGroups = index.phaseGroups();
    boolean loadIsAsked =
        inTable
            || phaseGroups.stream().allMatch(index::load)
            || phaseGroups.stream()
                .filter(index::load)
                .map(Group::phase)
                .anyMatch(phase -> !phase.equals(RankingIndex.LOAD) || expected.contains(phase));
    this.groups =
        phaseGroups.stream().filter(phaseGroup -> loadIsAsked || !index.load(phaseGroup)).toList();
  }

  /**
   * Returns the phases that answer the question: without the load, unless the scenario asks about
   * it or names it by what it does, such as {@code set}.
   */
  public List<Group> groups() {
    return groups;
  }

  /** Returns whether any engine has a value. */
  public boolean any() {
    return index.phaseGroups().stream()
        .anyMatch(phaseGroup -> !index.throughput(phaseGroup).standings().isEmpty());
  }

  /** Returns whether more repetitions could separate an engine from the best one. */
  public boolean open() {
    ExecutionResults results = index.results();
    return results.manifest().adaptive().isPresent()
        ? !OpenComparison.of(results).isEmpty()
        : compared(groups).stream()
            .anyMatch(
                ranking ->
                    ranking.standings().stream().map(ranking::separation).anyMatch(OPEN::contains));
  }

  /** Returns the largest number of engines in a comparison. */
  public int engines() {
    return compared(groups).stream().mapToInt(each -> each.standings().size()).max().orElse(0);
  }

  /** Returns the best engines, and where they are. */
  public List<String> verdict() {
    List<Ranking> compared =
        groups.stream().map(index::shown).filter(each -> each.standings().size() > 1).toList();
    if (!compared.isEmpty()) {
      return new Verdicts(index, compared).sentences();
    }
    Set<String> engines = new LinkedHashSet<>();
    groups.forEach(
        each -> index.throughput(each).standings().forEach(found -> engines.add(found.engine())));
    return List.of(
        engines.isEmpty()
            ? "No engine can be ranked."
            : "Only %s could be measured: there is nothing to compare."
                .formatted(Labels.joined(List.copyOf(engines))));
  }

  private List<Ranking> compared(List<Group> phaseGroups) {
    return phaseGroups.stream().map(index::decisive).filter(e -> e.standings().size() > 1).toList();
  }

  /** Returns every sentence of the answer. */
  public List<String> all() {
    return any() ? Stream.concat(first().stream(), sentences().stream()).toList() : List.of();
  }

  /** Returns the sentences that come first: those that are {@link #found} and {@link #ranked}. */
  public List<String> first() {
    return Stream.concat(found().stream(), ranked().stream()).toList();
  }

  /** Returns false alarms, losses after crashes, and the best value of an option. */
  public List<String> found() {
    return Stream.of(FalseAlarms.answers(index), CrashAnswers.of(index), tuned())
        .flatMap(List::stream)
        .toList();
  }

  /** Returns the best engines, if there is more than the one row of a search for a value. */
  public List<String> ranked() {
    return tuned().isEmpty() || engines() > 1 ? verdict() : List.of();
  }

  /** Returns whether a sentence has the interval of a ratio. */
  public boolean hasIntervals() {
    return compared(groups).stream()
        .anyMatch(
            ranking ->
                Leaders.of(ranking).kind() == Leaders.Kind.BEST
                    && ranking.standings().get(1).ratio().hasInterval());
  }

  private List<String> tuned() {
    ExecutionResults results = index.results();
    return results.executions().size() > 1
        ? List.of()
        : results.tuned().stream().map(Answers::tuned).toList();
  }

  private static String tuned(Tuned tuned) {
    List<String> dropped =
        tuned.trials().stream()
            .filter(trial -> trial.measured().isEmpty())
            .map(trial -> trial.value() + " (" + trial.dropped() + ")")
            .toList();
    String untried =
        dropped.isEmpty()
            ? ""
            : "; not tried: " + String.join(", ", Labels.first(dropped, VALUES_NAMED));
    return dropped.size() == tuned.trials().size()
        ? "Not tuned: %s%s.".formatted(tuned, untried)
        : "Tuned before the repetitions: %s, with one run per value; ranks are from new runs%s."
            .formatted(tuned, untried);
  }

  /**
   * Returns further sentences: the comparisons that the scenario names, resources, and what is
   * missing.
   */
  public List<String> sentences() {
    return sentences(new Coverage(index, groups).sentences());
  }

  /** Returns those of {@link #sentences} that say more than {@link #missing}. */
  public List<String> belowMissing() {
    return sentences(new Coverage(index, groups).belowLine());
  }

  private List<String> sentences(List<String> coverage) {
    return Stream.of(named(), new ResourceAnswers(index).sentences(), coverage)
        .flatMap(List::stream)
        .toList();
  }

  /**
   * Returns the same in short: of resources only those that the scenario's tables show, and of what
   * is missing the engines and the repetitions that failed.
   */
  public List<String> inShort() {
    Coverage coverage = new Coverage(index, groups);
    return Stream.of(
            named(),
            new ResourceAnswers(index).asked(),
            coverage.notRanked().stream().toList(),
            coverage.broken().stream().toList())
        .flatMap(List::stream)
        .toList();
  }

  /** Returns a line that names the engines without a rank, or else how many repetitions count. */
  public String missing() {
    return new Coverage(index, groups).line().orElse("");
  }

  private List<String> named() {
    return index.phaseGroupsByPhase().stream()
        .filter(phaseGroups -> groups.contains(phaseGroups.get(0)))
        .flatMap(this::named)
        .toList();
  }

  /**
   * Returns the results of the comparisons that the scenario names, for example {@code get at
   * fsync=off: rocksdb is faster than redis, 8.3x, 1.6–43x}; if there are many points, the points
   * of each verdict.
   */
  private Stream<String> named(List<Group> phaseGroups) {
    List<String> each = new ArrayList<>();
    Map<String, List<Group>> together = new LinkedHashMap<>();
    for (Ranking ranking : compared(phaseGroups)) {
      Group phaseGroup = ranking.group().phaseGroup();
      for (List<String> pair : OpenComparison.named(index.results(), ranking)) {
        PairVerdict verdict = ranking.verdict(pair.get(0), pair.get(1));
        String sentence = sentence(ranking, pair, verdict.kind());
        each.add(
            phaseGroup.phase()
                + phaseGroup.pointSuffix()
                + ": "
                + sentence
                + ", "
                + ratio(verdict.ratio()));
        together.computeIfAbsent(sentence, any -> new ArrayList<>()).add(phaseGroup);
      }
    }
    if (each.size() <= MOST_NAMED || phaseGroups.size() == 1) {
      return each.stream();
    }
    Places places = new Places(phaseGroups);
    return Stream.of(
        together.entrySet().stream()
            .map(same -> same.getKey() + places.in(same.getValue()))
            .collect(joining("; ", phaseGroups.get(0).phase() + ": ", "")));
  }

  private static String sentence(Ranking ranking, List<String> pair, Separation kind) {
    boolean rate = ranking.metric().equals(Metrics.THROUGHPUT);
    String by = rate ? "" : " by " + ranking.group().operation().map(o -> o + " p99").orElse("p99");
    return switch (kind) {
          case SEPARATED ->
              pair.get(0) + (rate ? " is faster than " : " is better than ") + pair.get(1);
          case EQUAL, NOT_SEPARATED -> Labels.joined(pair) + " are " + kind.label();
          case BEST, BELOW_ANOTHER, UNTESTED -> Labels.joined(pair) + " have too few repetitions";
        }
        + by;
  }

  /** Returns for example {@code 0.48x, 0.46–0.51x}. */
  private static String ratio(Ratio ratio) {
    String value = Quantities.ratio(ratio.value());
    String interval = ratio.hasInterval() ? Quantities.ratios(ratio.low(), ratio.high()) : value;
    return interval.equals(value) ? value : value + ", " + interval;
  }
}
