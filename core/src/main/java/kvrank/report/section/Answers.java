package kvrank.report.section;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.report.block.Quantities;
import kvrank.report.block.Width;
import kvrank.report.ranking.Labels;
import kvrank.report.ranking.RankingTables;
import kvrank.results.ExecutionResults;
import kvrank.stats.Absence;
import kvrank.stats.Excluded;
import kvrank.stats.Group;
import kvrank.stats.OpenComparison;
import kvrank.stats.QualityFlag;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;
import kvrank.stats.infer.PairVerdict;
import kvrank.stats.infer.Ratio;
import kvrank.stats.infer.Separation;
import kvrank.table.TableSpec;

/** The answer to the scenario's question: the best engines, with values. */
public final class Answers {

  /**
   * With more comparisons than this, the verdict counts them instead of naming each best engine.
   */
  private static final int MOST_NAMED = 3;

  /** The most engines named in a sentence; the others are counted. */
  private static final int ENGINES = 6;

  private static final String TOO_FEW = "ranks need at least 3 repetitions";

  /** The most characters of a reason; the notes below the rankings have all of it. */
  private static final int MOST_REASON = 80;

  /** The most reasons that are named for one engine. */
  private static final int MOST_REASONS = 2;

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

  /**
   * Returns the best engines: a sentence for each comparison if there are few, else one that counts
   * how often each is best.
   */
  public List<String> verdict() {
    List<Ranking> compared = compared(groups);
    if (compared.size() > MOST_NAMED) {
      return List.of(sentence(wins(compared, "by value only (" + TOO_FEW + ")")));
    }
    if (!compared.isEmpty()) {
      boolean onePhase =
          compared.stream().map(each -> each.group().phase()).distinct().count() == 1;
      return compared.stream()
          .map(
              each ->
                  compared.size() == 1
                      ? best(each)
                      : (onePhase ? each.group().point() : place(each)) + ": " + best(each))
          .map(Answers::sentence)
          .toList();
    }
    Set<String> engines = new LinkedHashSet<>();
    groups.forEach(
        each -> index.throughput(each).standings().forEach(found -> engines.add(found.engine())));
    return List.of(
        engines.isEmpty()
            ? "No engine can be ranked."
            : "Only %s could be measured: there is nothing to compare."
                .formatted(joined(List.copyOf(engines))));
  }

  /** Returns a sentence that begins with a capital, unless it begins with the name of an engine. */
  static String sentence(String text) {
    boolean words = Stream.of("in ", "by value", "killed ").anyMatch(text::startsWith);
    return (words ? RankingTables.capitalized(text) : text) + ".";
  }

  private static String place(Ranking ranking) {
    Group phaseGroup = ranking.group().phaseGroup();
    return phaseGroup.phase() + phaseGroup.pointSuffix();
  }

  /** Returns for example {@code rocksdb is fastest: 438 k/s, 1.9x as fast as lmdb (1.6–2.2x)}. */
  private String best(Ranking ranking) {
    boolean rate = ranking.metric().equals(Metrics.THROUGHPUT);
    Standing first = ranking.standings().get(0);
    if (rate && index.rateGiven(ranking.group())) {
      return keepTheRate(ranking);
    }
    String value =
        (rate ? "" : RankingTables.title(index, ranking) + " ")
            + RankingTables.value(ranking.metric(), first);
    String doubt = doubt(first.engine(), List.of(ranking));
    if (first.untested()) {
      return "by value only (%s), %s comes first: %s%s"
          .formatted(TOO_FEW, first.engine(), value, doubt);
    }
    List<String> leaders =
        ranking.standings().stream()
            .filter(each -> each.ranks().best() == 1)
            .map(Standing::engine)
            .toList();
    if (leaders.size() > 1) {
      boolean equal =
          leaders.stream()
              .skip(1)
              .allMatch(each -> ranking.verdict(each, leaders.get(0)).kind() == Separation.EQUAL);
      return "%s are %s%s"
          .formatted(
              leaders.size() > ENGINES
                  ? String.join(", ", Labels.first(leaders, ENGINES))
                  : joined(leaders),
              equal ? "equal within 10 %" : "not separated",
              leaders.size() < ranking.standings().size()
                  ? "; no other engine can be " + (rate ? "fastest" : "best")
                  : "");
    }
    Standing second = ranking.standings().get(1);
    Ratio ratio =
        rate
            ? ranking.verdict(first.engine(), second.engine()).ratio()
            : ranking.verdict(second.engine(), first.engine()).ratio();
    return "%s is %s: %s, %s%s"
        .formatted(
            first.engine(),
            rate ? "fastest" : "best",
            value,
            rate
                ? times(ratio) + " as fast as " + second.engine() + reach(ratio)
                : "that of " + second.engine() + " is " + times(ratio) + " as high" + reach(ratio),
            doubt);
  }

  private static String times(Ratio ratio) {
    return Quantities.ratio(ratio.value());
  }

  private static String reach(Ratio ratio) {
    String interval = RankingTables.interval(ratio);
    return interval.isEmpty() || interval.equals(times(ratio)) ? "" : " (" + interval + ")";
  }

  /** Returns which engines keep a given rate, if there are too few requests for a p99. */
  private String keepTheRate(Ranking ranking) {
    List<String> kept = new ArrayList<>();
    List<String> late = new ArrayList<>();
    for (Standing standing : ranking.standings()) {
      boolean saturated =
          index.flags(ranking.group(), standing.engine()).stream()
              .anyMatch(flag -> flag.kind() == QualityFlag.Kind.SATURATED);
      (saturated ? late : kept).add(standing.engine());
    }
    List<String> parts = new ArrayList<>();
    if (!kept.isEmpty()) {
      parts.add(joined(kept) + (kept.size() == 1 ? " keeps" : " keep") + " the rate");
    }
    if (!late.isEmpty()) {
      parts.add(joined(late) + (late.size() == 1 ? " does not" : " do not"));
    }
    return String.join(", ", parts) + "; there are too few requests for a p99";
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
    Map<String, Integer> leaders = new LinkedHashMap<>();
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
        ranking.standings().stream()
            .filter(each -> each.ranks().best() == 1)
            .forEach(each -> leaders.merge(each.engine(), 1, Integer::sum));
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
      List<String> often =
          leaders.entrySet().stream()
              .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
              .map(each -> "%s in %d".formatted(each.getKey(), each.getValue()))
              .toList();
      parts.add(
          "in %s the best engines are not separated (%s)"
              .formatted(share(open, all), String.join(", ", Labels.first(often, ENGINES))));
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
    List<Group> doubts =
        rankings.stream()
            .map(Ranking::group)
            .filter(group -> index.doubted(group, engine))
            .toList();
    int doubted = doubts.size();
    boolean promised = doubts.stream().anyMatch(Group::promisesFlushes);
    return (doubted == 0
            ? ""
            : promised
                ? ", but its durability is not proven"
                : ", but it flushed more than its level needs")
        + (doubted == 0 || doubted == rankings.size() ? "" : " in %d of these".formatted(doubted));
  }

  private static String share(int count, int all) {
    return all == 1
        ? "the only comparison"
        : (count < all ? count + " of " + all : all == 2 ? "both" : "all " + all) + " comparisons";
  }

  /** Returns the comparisons that the scenario names and the other metrics that its tables show. */
  public List<String> sentences() {
    return Stream.concat(
            index.phaseGroupsByPhase().stream()
                .filter(phaseGroups -> groups.contains(phaseGroups.get(0)))
                .flatMap(this::named),
            resources())
        .toList();
  }

  /**
   * Returns for example {@code memory, get at fsync=off: redis 12.3 MiB; lmdb 16.1 MiB (rank 2)}
   * for the last phase of each factor point.
   */
  private Stream<String> resources() {
    List<Metric> metrics =
        index.results().tables().stream()
            .flatMap(TableSpec::metrics)
            .filter(List.of(Metrics.HIT_RATIO, Metrics.MEMORY, Metrics.FOOTPRINT)::contains)
            .distinct()
            .toList();
    return metrics.stream()
        .flatMap(
            metric ->
                index.phaseGroupsByPoint().stream()
                    .map(phaseGroups -> phaseGroups.get(phaseGroups.size() - 1))
                    .flatMap(phaseGroup -> index.ranking(phaseGroup, metric).stream())
                    .filter(ranking -> ranking.standings().size() > 1)
                    .map(
                        ranking ->
                            metric.title() + ", " + place(ranking) + ": " + values(ranking)));
  }

  /** Returns the values of the first engines; those with the same ranks share its mention. */
  private static String values(Ranking ranking) {
    List<Standing> standings = ranking.standings();
    Map<String, List<String>> byRanks = new LinkedHashMap<>();
    for (Standing each : standings.subList(0, Math.min(ENGINES, standings.size()))) {
      byRanks
          .computeIfAbsent(ranks(ranking, each), ranks -> new ArrayList<>())
          .add(each.engine() + " " + RankingTables.value(ranking.metric(), each));
    }
    Stream<String> shown =
        byRanks.entrySet().stream().map(each -> String.join(", ", each.getValue()) + each.getKey());
    int more = standings.size() - ENGINES;
    return Stream.concat(
            shown, more > 0 ? Stream.of("and %d more".formatted(more)) : Stream.empty())
        .collect(joining("; "));
  }

  private static String ranks(Ranking ranking, Standing standing) {
    if (RankingTables.anyRank(ranking, standing)) {
      return " (not separated)";
    }
    boolean first = standing.rank() == 1 && standing.ranks().exact();
    return first ? "" : " (rank " + RankingTables.rank(standing) + ")";
  }

  /**
   * Returns the results of the comparisons that the scenario names, for example {@code get at
   * fsync=off: rocksdb is faster than redis, 8.3x, 1.6–43x}; if there are many points, the number
   * of points with each verdict.
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
        said.add(place(ranking) + ": " + sentence + ", " + ratio(verdict.ratio()));
        counts.merge(sentence, 1, Integer::sum);
      }
    }
    if (said.size() <= MOST_NAMED || phaseGroups.size() == 1) {
      return said.stream();
    }
    int of = all;
    return Stream.of(
        "%s (%d factor points): %s"
            .formatted(
                phaseGroups.get(0).phase(),
                phaseGroups.size(),
                counts.entrySet().stream()
                    .map(each -> each.getKey() + " in " + share(each.getValue(), of))
                    .collect(joining("; "))));
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

  /** Returns for example {@code 0.48x, 0.46–0.51x}. */
  private static String ratio(Ratio ratio) {
    String value = Quantities.ratio(ratio.value());
    String interval = ratio.hasInterval() ? Quantities.ratios(ratio.low(), ratio.high()) : value;
    return interval.equals(value) ? value : value + ", " + interval;
  }

  /**
   * Returns the engines that are missing from the answer, with a short reason, in a line. One that
   * has values elsewhere is missing from a phase that it cannot do at any factor point, or from a
   * factor point where it failed or found no rate.
   */
  public Optional<String> missing() {
    Map<String, List<String>> reasons = new LinkedHashMap<>();
    for (String engine : index.engines()) {
      boolean ranked = groups.stream().anyMatch(each -> ranked(each, engine));
      Set<String> named = new LinkedHashSet<>();
      for (Group group : groups) {
        boolean elsewhere =
            groups.stream()
                .anyMatch(each -> each.phase().equals(group.phase()) && ranked(each, engine));
        index.throughput(group).excluded(engine).stream()
            .filter(any -> !ranked(group, engine))
            .filter(excluded -> !elsewhere || !excluded.absence().refused())
            .map(
                excluded ->
                    (ranked ? group.phase() + (elsewhere ? group.pointSuffix() : "") + ", " : "")
                        + why(excluded))
            .limit(1)
            .forEach(named::add);
      }
      named.stream()
          .limit(MOST_REASONS)
          .forEach(why -> reasons.computeIfAbsent(why, any -> new ArrayList<>()).add(engine));
    }
    List<String> parts = new ArrayList<>();
    reasons.forEach((reason, engines) -> parts.add(joined(engines) + " (" + reason + ")"));
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of("Not ranked: " + String.join("; ", parts));
  }

  private boolean ranked(Group group, String engine) {
    return index.throughput(group).standing(engine).isPresent();
  }

  /** Returns the absence, with the reason unless the engine is merely not installed. */
  private static String why(Excluded excluded) {
    boolean here = excluded.absence() == Absence.UNAVAILABLE || excluded.reason().isEmpty();
    String reason =
        excluded
            .reason()
            .replaceFirst("^in phase [^:]*: ", "")
            .replace(excluded.engine() + " has no ", "no ");
    return excluded.absence().label() + (here ? "" : ": " + brief(reason));
  }

  private static String brief(String reason) {
    String line = Width.oneLine(reason);
    return line.length() <= MOST_REASON ? line : line.substring(0, MOST_REASON - 1) + "…";
  }

  /** Returns for example {@code redis, rocksdb and ssdb}. */
  static String joined(List<String> names) {
    int last = names.size() - 1;
    return last == 0
        ? names.get(0)
        : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
  }
}
