package kvrank.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import kvrank.metric.Metrics;
import kvrank.stats.Absence;
import kvrank.stats.Estimate;
import kvrank.stats.Excluded;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;

/** The answer to the question: who is best, with values. */
final class Answers {

  /** With more comparison groups than this, one sentence is for a phase and not for a group. */
  private static final int MOST = 12;

  /** The engines of a sentence; the others are counted. */
  private static final int ENGINES = 6;

  private final RankingIndex index;
  private final List<Group> groups;

  Answers(RankingIndex index) {
    this.index = index;
    List<Group> wholes = index.wholes();
    boolean loadIsAsked =
        wholes.stream().allMatch(index::load)
            || index.results().manifest().expectations().stream()
                .flatMap(expectation -> expectation.cells().stream())
                .flatMap(cell -> cell.phase().stream())
                .anyMatch(
                    phase ->
                        wholes.stream().filter(index::load).anyMatch(w -> w.phase().equals(phase)));
    this.groups = wholes.stream().filter(whole -> loadIsAsked || !index.load(whole)).toList();
  }

  /** The phases that answer the question: without the load, unless the scenario asks about it. */
  List<Group> groups() {
    return groups;
  }

  /** Whether any engine has a value anywhere. */
  boolean any() {
    return index.wholes().stream()
        .anyMatch(whole -> !index.throughput(whole).standings().isEmpty());
  }

  /** Who is best, in a sentence. */
  String headline() {
    List<Ranking> compared =
        groups.stream().map(this::decisive).filter(each -> each.standings().size() > 1).toList();
    if (compared.isEmpty()) {
      return groups.stream()
          .flatMap(whole -> index.throughput(whole).standings().stream())
          .map(Standing::engine)
          .distinct()
          .collect(Collectors.collectingAndThen(Collectors.toList(), Answers::alone));
    }
    return wins(compared) + untested(compared);
  }

  private static String alone(List<String> engines) {
    return engines.isEmpty()
        ? "No engine can be ranked."
        : "Only " + joined(engines) + " could be measured: there is nothing to compare.";
  }

  private static String untested(List<Ranking> compared) {
    boolean doubtful =
        compared.stream()
            .flatMap(ranking -> ranking.standings().stream())
            .anyMatch(standing -> !standing.estimate().hasInterval());
    return doubtful ? " Ranks with fewer than 3 repetitions go by the value alone." : "";
  }

  /** For example {@code rocksdb is fastest in 5 of 7 comparisons, redis in 1; …}. */
  private static String wins(List<Ranking> compared) {
    int all = compared.size();
    Map<String, Integer> wins = new LinkedHashMap<>();
    int equal = 0;
    for (Ranking ranking : compared) {
      Standing next = ranking.standings().get(1);
      switch (ranking.separation(next)) {
        case EQUAL -> equal++;
        case NOT_SEPARATED -> {}
        default -> wins.merge(ranking.standings().get(0).engine(), 1, Integer::sum);
      }
    }
    int open = all - equal - wins.values().stream().mapToInt(Integer::intValue).sum();
    StringJoiner parts = new StringJoiner("; ", "", ".");
    if (!wins.isEmpty()) {
      parts.add(
          wins.entrySet().stream()
              .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
              .map(
                  win ->
                      win.getKey()
                          + " is "
                          + adverb(compared)
                          + " in "
                          + share(win.getValue(), all))
              .collect(Collectors.joining(", ")));
    }
    if (open > 0) {
      parts.add("in " + share(open, all) + " the best engines are not separated");
    }
    if (equal > 0) {
      parts.add("in " + share(equal, all) + " the best engines are equal within 10 %");
    }
    String sentence = parts.toString();
    return sentence.startsWith("in ") ? "I" + sentence.substring(1) : sentence;
  }

  private static String adverb(List<Ranking> compared) {
    return compared.stream().allMatch(ranking -> ranking.metric().equals(Metrics.THROUGHPUT))
        ? "fastest"
        : "best";
  }

  private static String share(int count, int all) {
    return all == 1
        ? "the only comparison"
        : (count < all ? count + " of " + all : all == 2 ? "both" : "all " + all) + " comparisons";
  }

  /** A sentence with values for each phase and factor point, or for each phase of many. */
  List<String> sentences() {
    if (groups.size() <= MOST) {
      return groups.stream().map(this::sentence).toList();
    }
    Map<String, List<Group>> phases = new LinkedHashMap<>();
    groups.forEach(
        group -> phases.computeIfAbsent(group.phase(), name -> new ArrayList<>()).add(group));
    return phases.values().stream().map(this::phase).toList();
  }

  private String phase(List<Group> wholes) {
    List<Ranking> compared =
        wholes.stream().map(this::decisive).filter(each -> each.standings().size() > 1).toList();
    String where = "%s (%d factor points): ".formatted(wholes.get(0).phase(), wholes.size());
    return compared.isEmpty()
        ? where + "there is nothing to compare"
        : where + wins(compared).replaceFirst("\\.$", "");
  }

  /** The latency if the rate was given; else the throughput. */
  private Ranking decisive(Group whole) {
    return index.latencyAtRate(whole).orElseGet(() -> index.throughput(whole));
  }

  /** For example {@code get at fsync=off: rocksdb 234 k/s, p99 6.01 µs; redis 60.5 k/s …}. */
  private String sentence(Group whole) {
    Ranking ranking = decisive(whole);
    List<Standing> standings = ranking.standings();
    List<String> parts = new ArrayList<>();
    for (Standing standing : standings.subList(0, Math.min(ENGINES, standings.size()))) {
      parts.add(value(whole, ranking, standing));
    }
    if (standings.size() > ENGINES) {
      parts.add("and %d more".formatted(standings.size() - ENGINES));
    }
    ranking.excluded().stream()
        .filter(excluded -> excluded.absence() == Absence.BOUND_NOT_MET)
        .filter(excluded -> ranking.standing(excluded.engine()).isEmpty())
        .map(Excluded::engine)
        .forEach(engine -> parts.add(engine + " at no rate"));
    String where = whole.phase() + whole.at() + bound(whole);
    return parts.isEmpty()
        ? where + ": no engine can be ranked"
        : where + ": " + String.join("; ", parts);
  }

  /** For example {@code , highest rate with read p99 < 2ms}. */
  private String bound(Group whole) {
    return index.searchBound(whole).map(bound -> ", highest rate with " + bound).orElse("");
  }

  private String value(Group whole, Ranking ranking, Standing standing) {
    String engine = standing.engine();
    List<String> notes = new ArrayList<>();
    switch (ranking.separation(standing)) {
      case BEST -> {}
      case SEPARATED, UNTESTED -> notes.add(Quantities.ratio(standing.ratio().value()));
      case EQUAL, NOT_SEPARATED -> notes.add(ranking.separation(standing).label());
    }
    if (standing.estimate().samples() < Estimate.FEWEST) {
      notes.add("n=" + standing.estimate().samples());
    }
    if (DurabilityNotes.doubted(index.durability(whole, engine))) {
      notes.add("durability not proven");
    }
    return engine
        + " "
        + (ranking.metric().equals(Metrics.THROUGHPUT)
            ? RankingTables.median(ranking.metric(), standing)
            : ranking.group().operation().orElse("")
                + " p99 "
                + RankingTables.median(ranking.metric(), standing))
        + (ranking.metric().equals(Metrics.THROUGHPUT) ? p99(whole, engine) : "")
        + (notes.isEmpty() ? "" : " (" + String.join(", ", notes) + ")");
  }

  private String p99(Group whole, String engine) {
    List<Group> operations = index.operations(whole);
    return operations.stream()
        .flatMap(
            operation ->
                index.standing(operation, Metrics.LATENCY_P99, engine).stream()
                    .map(
                        found ->
                            ", "
                                + (operations.size() > 1
                                    ? operation.operation().orElseThrow() + " "
                                    : "")
                                + "p99 "
                                + RankingTables.median(Metrics.LATENCY_P99, found)))
        .collect(Collectors.joining());
  }

  /** For example {@code redis, rocksdb and ssdb}. */
  static String joined(List<String> names) {
    if (names.size() == 1) {
      return names.get(0);
    }
    List<String> head = new ArrayList<>(names.subList(0, names.size() - 1));
    return String.join(", ", head) + " and " + names.get(names.size() - 1);
  }
}
