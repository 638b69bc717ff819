package kvrank.report.section;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.report.block.Quantities;
import kvrank.report.ranking.Labels;
import kvrank.report.ranking.Leaders;
import kvrank.report.ranking.Places;
import kvrank.report.ranking.RankingText;
import kvrank.stats.Group;
import kvrank.stats.QualityFlag;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;
import kvrank.stats.infer.Ratio;
import kvrank.stats.infer.Separation;

/** The best engines of comparisons, as sentences. */
final class Verdicts {

  /** With more comparisons than this, those with the same leaders share a sentence. */
  private static final int MOST_NAMED = 3;

  /** With more sets of leaders than this, each engine is named once. */
  private static final int MOST_SETS = 2;

  /** With engines that may be the best in more sets of places than this, they are counted. */
  private static final int MOST_PLACES = 4;

  /** The most engines named in a sentence; the others are counted. */
  private static final int ENGINES = 6;

  private static final String BY_VALUE = "by value only (ranks need at least 3 repetitions), ";

  private final RankingIndex index;
  private final List<Ranking> compared;
  private final Places places;

  /** Creates the verdicts on rankings of at least two engines each. */
  Verdicts(RankingIndex index, List<Ranking> compared) {
    this.index = index;
    this.compared = compared;
    this.places = new Places(compared.stream().map(Verdicts::phaseGroup).toList());
  }

  /** Returns a sentence that begins with a capital, unless it begins with the name of an engine. */
  static String sentence(String text) {
    boolean words =
        Stream.of("in ", "at ", "by value", "killed ", "the best ").anyMatch(text::startsWith);
    return (words ? Labels.capitalized(text) : text) + ".";
  }

  private static Group phaseGroup(Ranking ranking) {
    return ranking.group().phaseGroup();
  }

  private static boolean byThroughput(Ranking ranking) {
    return ranking.metric().equals(Metrics.THROUGHPUT);
  }

  /**
   * Returns a sentence for each comparison if there are few, else one for each kind of result, for
   * example {@code rocksdb is fastest at threads=1 and 2: 1.9–2.1x as fast as lmdb}.
   */
  List<String> sentences() {
    if (compared.size() == 1) {
      return List.of(sentence(best(compared.get(0))));
    }
    if (compared.size() > MOST_NAMED) {
      return together().stream().filter(text -> !text.isEmpty()).map(Verdicts::sentence).toList();
    }
    boolean onePhase = compared.stream().map(each -> each.group().phase()).distinct().count() == 1;
    return compared.stream()
        .map(
            each ->
                (onePhase
                        ? each.group().point()
                        : phaseGroup(each).phase() + phaseGroup(each).pointSuffix())
                    + ": "
                    + best(each))
        .map(Verdicts::sentence)
        .toList();
  }

  /** Returns for example {@code rocksdb is fastest: 438 k/s, 1.9x as fast as lmdb (1.6–2.2x)}. */
  private String best(Ranking ranking) {
    if (keepsARate(ranking)) {
      return keepTheRate(List.of(ranking));
    }
    Leaders leaders = Leaders.of(ranking);
    Standing first = ranking.standings().get(0);
    boolean rate = byThroughput(ranking);
    String value =
        (rate ? "" : RankingText.title(index, ranking) + " ")
            + RankingText.value(ranking.metric(), first);
    String doubt = doubt(first.engine(), List.of(ranking));
    return switch (leaders.kind()) {
      case BY_VALUE -> BY_VALUE + "%s comes first: %s%s".formatted(first.engine(), value, doubt);
      case NOT_SEPARATED, EQUAL ->
          "%s are %s%s%s"
              .formatted(
                  names(leaders.engines()),
                  label(leaders.kind()),
                  rate ? "" : " by " + RankingText.title(index, ranking),
                  leaders.engines().size() < ranking.standings().size()
                      ? "; no other engine can be " + (rate ? "fastest" : "best")
                      : "");
      case BEST -> {
        Ratio ratio = lead(ranking);
        String second = ranking.standings().get(1).engine();
        String times = Quantities.ratio(ratio.value());
        yield "%s is %s: %s, %s%s"
            .formatted(
                first.engine(),
                rate ? "fastest" : "best",
                value,
                (rate
                        ? times + " as fast as " + second
                        : "that of " + second + " is " + times + " as high")
                    + RankingText.reach(ratio),
                doubt);
      }
    };
  }

  private static String label(Leaders.Kind kind) {
    return (kind == Leaders.Kind.EQUAL ? Separation.EQUAL : Separation.NOT_SEPARATED).label();
  }

  private static String names(List<String> engines) {
    return engines.size() > ENGINES
        ? String.join(", ", Labels.first(engines, ENGINES))
        : Labels.joined(engines);
  }

  /** Returns the ratio by which the first engine is better than the second. */
  private static Ratio lead(Ranking ranking) {
    String first = ranking.standings().get(0).engine();
    String second = ranking.standings().get(1).engine();
    return byThroughput(ranking)
        ? ranking.verdict(first, second).ratio()
        : ranking.verdict(second, first).ratio();
  }

  private static String reach(String interval, String times) {
    boolean same = interval.isEmpty() || interval.equals(times);
    return same ? "" : " (95 % intervals within " + interval + ")";
  }

  /** Returns whether the rate is given, but there are too few requests for a p99. */
  private boolean keepsARate(Ranking ranking) {
    return byThroughput(ranking) && index.rateGiven(ranking.group());
  }

  /** Returns the engines that keep the given rates, the same in each of {@code rankings}. */
  private String keepTheRate(List<Ranking> rankings) {
    List<Group> groups = rankings.stream().map(Ranking::group).toList();
    return kept(rankings.get(0)) + "; there are " + tooFew(index, groups);
  }

  private String kept(Ranking ranking) {
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
      parts.add(Labels.joined(kept) + (kept.size() == 1 ? " keeps" : " keep") + " the rate");
    }
    if (!late.isEmpty()) {
      parts.add(Labels.joined(late) + (late.size() == 1 ? " does not" : " do not"));
    }
    return String.join(", ", parts);
  }

  /**
   * Returns for example {@code too few requests for a p99: read has 196–204 in a run, and 1,000 are
   * needed; measure longer} for phases in which nothing decides.
   */
  static String tooFew(RankingIndex index, List<Group> phaseGroups) {
    List<Group> operations =
        phaseGroups.stream().map(each -> index.decisive(each).group()).toList();
    LongSummaryStatistics requests =
        operations.stream()
            .flatMap(each -> index.requests(each).stream())
            .mapToLong(Long::longValue)
            .summaryStatistics();
    return "too few requests for a p99: %s has %s in a run, and %s are needed; measure longer"
        .formatted(
            operations.stream()
                .flatMap(each -> each.operation().stream())
                .distinct()
                .collect(joining(" or ")),
            Quantities.range(Unit.COUNT, (double) requests.getMin(), (double) requests.getMax()),
            Quantities.of(Unit.COUNT, (double) Metrics.fewest(Metrics.LATENCY_P99)));
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

  private List<String> together() {
    List<Ranking> rates = compared.stream().filter(this::keepsARate).toList();
    Map<Leaders.Kind, List<Ranking>> kinds =
        compared.stream()
            .filter(each -> !rates.contains(each))
            .collect(groupingBy(each -> Leaders.of(each).kind()));
    List<Ranking> byValue = kinds.getOrDefault(Leaders.Kind.BY_VALUE, List.of());
    List<String> sentences = new ArrayList<>();
    sentences.add(
        each(kinds.getOrDefault(Leaders.Kind.BEST, List.of()), Ranking::metric).stream()
            .flatMap(some -> each(some, Verdicts::first).stream())
            .sorted(Comparator.comparing(some -> -some.size()))
            .map(this::lead)
            .collect(joining("; ")));
    sentences.add(
        byValue.isEmpty()
            ? ""
            : BY_VALUE
                + each(byValue, Verdicts::first).stream()
                    .map(some -> first(some.get(0)) + " comes first" + in(some))
                    .collect(joining("; ")));
    sentences.add(open(kinds.getOrDefault(Leaders.Kind.NOT_SEPARATED, List.of())));
    sentences.add(open(kinds.getOrDefault(Leaders.Kind.EQUAL, List.of())));
    each(rates, this::kept)
        .forEach(some -> sentences.add(in(some).strip() + ", " + keepTheRate(some)));
    return sentences;
  }

  private static Collection<List<Ranking>> each(
      List<Ranking> rankings, Function<Ranking, Object> key) {
    return rankings.stream().collect(groupingBy(key, LinkedHashMap::new, toList())).values();
  }

  private static String first(Ranking ranking) {
    return ranking.standings().get(0).engine();
  }

  private String in(List<Ranking> rankings) {
    return places.in(rankings.stream().map(Verdicts::phaseGroup).toList());
  }

  /** Returns the lead of one engine in several rankings by the same metric. */
  private String lead(List<Ranking> rankings) {
    Ranking any = rankings.get(0);
    List<Ratio> ratios = rankings.stream().map(Verdicts::lead).toList();
    List<String> seconds =
        rankings.stream().map(each -> each.standings().get(1).engine()).distinct().toList();
    String second = seconds.size() == 1 ? seconds.get(0) : "the next";
    String times =
        Quantities.ratios(
            ratios.stream().mapToDouble(Ratio::value).min().orElseThrow(),
            ratios.stream().mapToDouble(Ratio::value).max().orElseThrow());
    String interval =
        ratios.stream().allMatch(Ratio::hasInterval)
            ? Quantities.ratios(
                ratios.stream().mapToDouble(Ratio::low).min().orElseThrow(),
                ratios.stream().mapToDouble(Ratio::high).max().orElseThrow())
            : "";
    return "%s is %s%s: %s%s%s"
        .formatted(
            first(any),
            byThroughput(any) ? "fastest" : "best",
            in(rankings),
            byThroughput(any)
                ? times + " as fast as " + second
                : "the %s of %s is %s as high"
                    .formatted(RankingText.title(index, any), second, times),
            reach(interval, times),
            doubt(first(any), rankings));
  }

  /** Returns the engines that are not separated, or are equal, in each of {@code rankings}. */
  private String open(List<Ranking> rankings) {
    if (rankings.isEmpty()) {
      return "";
    }
    String label = label(Leaders.of(rankings.get(0)).kind());
    Collection<List<Ranking>> sets = each(rankings, ranking -> Set.copyOf(leaders(ranking)));
    if (sets.size() <= MOST_SETS) {
      return sets.stream()
              .map(some -> names(leaders(some.get(0))) + " are " + label + in(some))
              .collect(joining("; "))
          + values(rankings);
    }
    Map<String, List<Group>> leading = new LinkedHashMap<>();
    for (Ranking ranking : rankings) {
      for (String engine : leaders(ranking)) {
        leading.computeIfAbsent(engine, any -> new ArrayList<>()).add(phaseGroup(ranking));
      }
    }
    Map<List<Group>, List<String>> together = new LinkedHashMap<>();
    leading.forEach(
        (engine, where) -> together.computeIfAbsent(where, any -> new ArrayList<>()).add(engine));
    if (together.size() > MOST_PLACES) {
      // Their names would say less than their number.
      IntSummaryStatistics leaders =
          rankings.stream().mapToInt(each -> leaders(each).size()).summaryStatistics();
      return "%s engines are %s%s%s"
          .formatted(
              Quantities.range(Unit.COUNT, leaders.getMin(), leaders.getMax()),
              label,
              in(rankings),
              values(rankings));
    }
    List<String> parts =
        together.entrySet().stream()
            .sorted(Comparator.comparing(each -> -each.getKey().size()))
            .map(
                each ->
                    names(each.getValue())
                        + (each.getKey().size() == rankings.size()
                            ? " at each"
                            : places.in(each.getKey())))
            .toList();
    return "the best engines are %s%s: %s%s"
        .formatted(label, in(rankings), String.join("; ", parts), values(rankings));
  }

  /** Returns for example {@code ; best values: lmdb at threads=1; rocksdb at threads=2 and 4}. */
  private String values(List<Ranking> rankings) {
    Collection<List<Ranking>> firsts = each(rankings, Verdicts::first);
    return "; best values: "
        + firsts.stream()
            .map(some -> first(some.get(0)) + (firsts.size() == 1 ? "" : in(some)))
            .collect(joining("; "));
  }

  private static List<String> leaders(Ranking ranking) {
    return Leaders.of(ranking).engines();
  }
}
