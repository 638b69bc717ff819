package kvrank.report.section;

import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.report.block.Quantities;
import kvrank.report.ranking.Labels;
import kvrank.report.ranking.RankingTables;
import kvrank.results.ExecutionResults;
import kvrank.stats.Absence;
import kvrank.stats.Group;
import kvrank.stats.OpenComparison;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.PairVerdict;
import kvrank.stats.infer.Ratio;
import kvrank.stats.infer.Separation;

/** The answer to the scenario's question: the best engines, with values. */
public final class Answers {

  /** With more comparison groups than this, a sentence covers a phase instead of a group. */
  private static final int MOST = 12;

  /** The most engines named in a sentence; the others are counted. */
  private static final int ENGINES = 6;

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
    List<Group> phaseGroups = index.phaseGroups();
    boolean loadIsAsked =
        phaseGroups.stream().allMatch(index::load)
            || phaseGroups.stream()
                .anyMatch(each -> index.load(each) && expected.contains(each.phase()));
    this.groups =
        phaseGroups.stream().filter(phaseGroup -> loadIsAsked || !index.load(phaseGroup)).toList();
  }

  /**
   * Returns the phases that answer the question: without the load, unless the scenario asks about
   * it.
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

  /** Returns the best engines, in a sentence. */
  public String headline() {
    List<Ranking> compared = compared(groups);
    if (!compared.isEmpty()) {
      String wins = wins(compared, "by value only (ranks need at least 3 repetitions)");
      return (wins.startsWith("in ") || wins.startsWith("by value")
              ? RankingTables.capitalized(wins)
              : wins)
          + ".";
    }
    Set<String> engines = new LinkedHashSet<>();
    groups.forEach(
        each -> index.throughput(each).standings().forEach(found -> engines.add(found.engine())));
    return engines.isEmpty()
        ? "No engine can be ranked."
        : "Only %s could be measured: there is nothing to compare."
            .formatted(joined(List.copyOf(engines)));
  }

  private List<Ranking> compared(List<Group> phaseGroups) {
    return phaseGroups.stream().map(index::decisive).filter(e -> e.standings().size() > 1).toList();
  }

  /** Returns for example {@code rocksdb is fastest in 5 of 7 comparisons, redis in 1; …}. */
  private String wins(List<Ranking> compared, String untestedBy) {
    int all = compared.size();
    Map<String, List<Ranking>> wins = new LinkedHashMap<>();
    Map<String, List<Ranking>> untested = new LinkedHashMap<>();
    int equal = 0;
    int open = 0;
    String best = " is fastest in ";
    for (Ranking ranking : compared) {
      best = ranking.metric().equals(Metrics.THROUGHPUT) ? best : " is best in ";
      List<Standing> first = ranking.standings().subList(0, 2);
      Separation separation = ranking.separation(first.get(1));
      if (separation == Separation.EQUAL) {
        equal++;
      } else if (separation == Separation.SEPARATED) {
        wins.computeIfAbsent(first.get(0).engine(), any -> new ArrayList<>()).add(ranking);
      } else if (first.stream().anyMatch(Standing::untested)) {
        untested.computeIfAbsent(first.get(0).engine(), any -> new ArrayList<>()).add(ranking);
      } else {
        open++;
      }
    }
    List<String> parts = new ArrayList<>();
    if (!wins.isEmpty()) {
      parts.add(first(wins, best, all));
    }
    if (!untested.isEmpty()) {
      parts.add(untestedBy + ", " + first(untested, " comes first in ", all));
    }
    if (open > 0) {
      parts.add("in " + share(open, all) + " the best engines are not separated");
    }
    if (equal > 0) {
      parts.add("in " + share(equal, all) + " the best engines are equal within 10 %");
    }
    return String.join("; ", parts);
  }

  private String first(Map<String, List<Ranking>> rankings, String verb, int all) {
    List<String> engines = new ArrayList<>(rankings.keySet());
    engines.sort(Comparator.comparing(engine -> -rankings.get(engine).size()));
    engines.replaceAll(
        engine ->
            engine
                + verb
                + share(rankings.get(engine).size(), all)
                + doubt(engine, rankings.get(engine)));
    return String.join(", ", engines);
  }

  /** Returns for example {@code , but its durability is not proven}. */
  private String doubt(String engine, List<Ranking> rankings) {
    long doubted = rankings.stream().filter(each -> index.doubted(each.group(), engine)).count();
    return (doubted == 0 ? "" : ", but its durability is not proven")
        + (doubted == 0 || doubted == rankings.size() ? "" : " in %d of these".formatted(doubted));
  }

  private static String share(int count, int all) {
    return all == 1
        ? "the only comparison"
        : (count < all ? count + " of " + all : all == 2 ? "both" : "all " + all) + " comparisons";
  }

  /**
   * Returns a sentence with values for each phase and factor point, or for each phase if there are
   * many points.
   */
  public List<String> sentences() {
    if (groups.size() <= MOST) {
      return groups.stream()
          .filter(this::worthSaying)
          .flatMap(group -> Stream.concat(named(List.of(group)), Stream.of(sentence(group))))
          .toList();
    }
    return index.phaseGroupsByPhase().stream()
        .filter(phaseGroups -> groups.contains(phaseGroups.get(0)))
        .flatMap(
            phaseGroups ->
                Stream.concat(
                    named(phaseGroups),
                    Stream.of(
                        phaseGroups.size() == 1
                            ? sentence(phaseGroups.get(0))
                            : phase(phaseGroups))))
        .toList();
  }

  /**
   * Returns the results of the comparisons that the scenario names, for example {@code get at
   * fsync=off, as requested: rocksdb is faster than redis, 8.3x, 1.6–43x}; if there are many
   * points, the number of points with each verdict.
   */
  private Stream<String> named(List<Group> phaseGroups) {
    List<String> said = new ArrayList<>();
    Map<String, Integer> counts = new LinkedHashMap<>();
    int all = 0;
    for (Ranking ranking : compared(phaseGroups)) {
      all++;
      for (List<String> pair : OpenComparison.named(index.results(), ranking)) {
        PairVerdict verdict = ranking.verdict(pair.get(0), pair.get(1));
        String sentence = sentence(ranking, pair, verdict.kind());
        said.add(sentence + ", " + ratio(verdict.ratio()));
        counts.merge(sentence, 1, Integer::sum);
      }
    }
    if (phaseGroups.size() > 1) {
      said.clear();
      int of = all;
      counts.forEach((sentence, count) -> said.add(sentence + " in " + share(count, of)));
    }
    return said.isEmpty()
        ? Stream.empty()
        : Stream.of(where(phaseGroups) + ", as requested: " + String.join("; ", said));
  }

  private static String sentence(Ranking ranking, List<String> pair, Separation kind) {
    boolean rate = ranking.metric().equals(Metrics.THROUGHPUT);
    String by = rate ? "" : " by " + ranking.group().operation().map(o -> o + " p99").orElse("p99");
    return switch (kind) {
          case SEPARATED ->
              pair.get(0) + (rate ? " is faster than " : " is better than ") + pair.get(1);
          case EQUAL, NOT_SEPARATED -> joined(pair) + " are " + kind.label();
          case BEST, UNTESTED -> joined(pair) + " have too few repetitions";
        }
        + by;
  }

  private static String where(List<Group> phaseGroups) {
    Group first = phaseGroups.get(0);
    return phaseGroups.size() == 1
        ? first.phase() + first.pointSuffix()
        : "%s (%d factor points)".formatted(first.phase(), phaseGroups.size());
  }

  /** Returns whether an engine can do the phase at this factor point, or none can at any point. */
  private boolean worthSaying(Group phaseGroup) {
    return able(phaseGroup)
        || groups.stream().noneMatch(each -> each.phase().equals(phaseGroup.phase()) && able(each));
  }

  private boolean able(Group phaseGroup) {
    Ranking ranking = index.throughput(phaseGroup);
    return !ranking.standings().isEmpty()
        || ranking.excluded().stream().anyMatch(each -> !each.absence().refused());
  }

  private String phase(List<Group> phaseGroups) {
    List<Ranking> compared = compared(phaseGroups);
    String where = where(phaseGroups) + ": ";
    if (compared.isEmpty()) {
      return where + "there is nothing to compare";
    }
    String wins = where + wins(compared, "by value only");
    // If a rate is given only at some points, these are judged by another metric.
    Metric metric = compared.get(0).metric();
    if (!compared.stream().allMatch(ranking -> ranking.metric().equals(metric))) {
      return wins;
    }
    List<String> second =
        compared.stream().map(each -> each.standings().get(1).engine()).distinct().toList();
    return wins
        + "; the best value is %s, the second best (%s) %s"
            .formatted(
                values(compared, 0),
                String.join(", ", Labels.first(second, ENGINES)),
                values(compared, 1));
  }

  /** Returns for example {@code 1.00 k/s to 13.0 k/s}. */
  private static String values(List<Ranking> compared, int place) {
    DoubleSummaryStatistics values =
        compared.stream()
            .mapToDouble(ranking -> ranking.standings().get(place).estimate().value())
            .summaryStatistics();
    Unit unit = compared.get(0).metric().unit();
    return Quantities.of(unit, values.getMin()) + " to " + Quantities.of(unit, values.getMax());
  }

  /**
   * Returns for example {@code get at fsync=off: rocksdb 234 k/s, p99 6.01 µs; redis 60.5 k/s …}.
   */
  private String sentence(Group phaseGroup) {
    Ranking ranking = index.decisive(phaseGroup);
    List<Standing> standings = ranking.standings();
    List<String> parts =
        Labels.first(
            standings.stream().map(each -> value(phaseGroup, ranking, each)).toList(), ENGINES);
    Map<Absence, String> searched =
        Map.of(Absence.BOUND_NOT_MET, " none", Absence.UNDETERMINED, " undetermined");
    ranking.excluded().stream()
        .filter(each -> searched.containsKey(each.absence()))
        .filter(each -> ranking.standing(each.engine()).isEmpty())
        .forEach(each -> parts.add(each.engine() + searched.get(each.absence())));
    String bound = index.searchBound(phaseGroup).map(", highest rate with "::concat).orElse("");
    String found = parts.isEmpty() ? "no engine can be ranked" : String.join("; ", parts);
    return phaseGroup.phase() + phaseGroup.pointSuffix() + bound + ": " + found;
  }

  private String value(Group phaseGroup, Ranking ranking, Standing standing) {
    String engine = standing.engine();
    List<String> notes = new ArrayList<>();
    switch (ranking.separation(standing)) {
      case BEST -> {}
      case SEPARATED, UNTESTED -> notes.add(ratio(standing.ratio()));
      case EQUAL -> notes.add(ranking.separation(standing).label());
      case NOT_SEPARATED ->
          notes.add(ranking.separation(standing).label() + ": " + ratio(standing.ratio()));
    }
    if (standing.estimate().samples() < Estimate.FEWEST) {
      notes.add("n=" + standing.estimate().samples());
    }
    if (index.doubted(phaseGroup, engine)) {
      notes.add("durability not proven");
    }
    String value = RankingTables.value(ranking.metric(), standing);
    boolean rate = ranking.metric().equals(Metrics.THROUGHPUT);
    String latency = ranking.group().operation().orElse("") + " p99 " + value;
    String hits =
        index
            .standing(phaseGroup, Metrics.HIT_RATIO, engine)
            .map(found -> ", hit ratio " + RankingTables.value(Metrics.HIT_RATIO, found))
            .orElse("");
    return (engine + " " + (rate ? value + hits + p99(phaseGroup, engine) : latency + hits))
        + (notes.isEmpty() ? "" : " (" + String.join(", ", notes) + ")");
  }

  /** Returns for example {@code 0.48x, 0.46–0.51x}. */
  private static String ratio(Ratio ratio) {
    String value = Quantities.ratio(ratio.value());
    String interval = ratio.hasInterval() ? Quantities.ratios(ratio.low(), ratio.high()) : value;
    return interval.equals(value) ? value : value + ", " + interval;
  }

  private String p99(Group phaseGroup, String engine) {
    StringBuilder text = new StringBuilder();
    for (Group each : index.operations(phaseGroup)) {
      index
          .standing(each, Metrics.LATENCY_P99, engine)
          .map(found -> RankingTables.value(Metrics.LATENCY_P99, found))
          .ifPresent(
              value -> text.append(", " + RankingTables.prefix(index, each) + "p99 " + value));
    }
    return text.toString();
  }

  /** Returns for example {@code redis, rocksdb and ssdb}. */
  static String joined(List<String> names) {
    int last = names.size() - 1;
    return last == 0
        ? names.get(0)
        : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
  }
}
