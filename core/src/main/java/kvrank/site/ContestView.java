package kvrank.site;

import static java.util.stream.Collectors.joining;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.report.block.Quantities;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Markup;
import kvrank.report.chart.Svg;
import kvrank.report.figure.RankingCharts;
import kvrank.report.ranking.DurabilityText;
import kvrank.report.ranking.RankingText;
import kvrank.results.PhaseRecord;
import kvrank.site.advice.Claim;
import kvrank.site.advice.Contest;
import kvrank.site.advice.Contest.Role;
import kvrank.site.advice.Failure;
import kvrank.site.advice.Kind;
import kvrank.site.advice.Links;
import kvrank.site.advice.Need;
import kvrank.site.advice.UseCase;
import kvrank.stats.Group;
import kvrank.stats.Standing;

/** A contest as chart and table, whose figures link to their runs. */
final class ContestView {

  /** The settings that a reader compares with a need. */
  private static final List<String> SETTINGS =
      List.of(
          "records",
          "key-bytes",
          "value-bytes",
          "threads",
          "connections",
          "batch",
          "pipeline",
          "rate",
          "maxmemory",
          "memory",
          "duration");

  private static final Set<String> USUAL =
      Set.of("connections=1", "batch=1", "pipeline=1", "rate=max");

  private final Markup html;
  private final Need need;

  /** By engine; in many runs it takes time. */
  private final Map<String, String> durabilities = new LinkedHashMap<>();

  ContestView(Markup html, Need need) {
    this.html = html;
    this.need = need;
  }

  void write(Contest contest) {
    contest
        .ranking()
        .standings()
        .forEach(each -> durabilities.put(each.engine(), durability(contest, each.engine())));
    String work = contest.study().work().getOrDefault(contest.group().phase(), "");
    if (!work.isEmpty()) {
      html.element("p", work).line();
    }
    settings(contest).ifPresent(each -> each.write(html, "p"));
    html.open("div", "class", "panel").line();
    chart(contest)
        .ifPresent(
            chart -> {
              html.open("div", "class", "figures").open("figure").open("figcaption");
              html.element("strong", chart.caption().title()).raw(" ");
              html.element("span", chart.caption().reading()).close();
              html.raw(Svg.inline(chart)).close().close().line();
            });
    table(contest);
    html.close().line();
    new ContestNotes(html, need).write(contest, durabilities.values());
  }

  /** Returns for example {@code With records=1000000, value-bytes=256, threads=4.} */
  private static Optional<Claim> settings(Contest contest) {
    return contest.ranking().standings().stream()
        .flatMap(each -> contest.index().phases(contest.group(), each.engine()).stream())
        .findFirst()
        .map(PhaseRecord::settings)
        .map(
            settings ->
                SETTINGS.stream()
                    .filter(name -> settings.containsKey(name))
                    .filter(
                        name -> !contest.index().load(contest.group()) || !name.equals("duration"))
                    .map(name -> name + "=" + settings.get(name))
                    .filter(setting -> !USUAL.contains(setting))
                    .collect(joining(", ")))
        .filter(text -> !text.isEmpty())
        .map(text -> Claim.of("With " + text + "."));
  }

  private static Optional<Chart> chart(Contest contest) {
    return contest.role() == Role.SHOWS
        ? Optional.empty()
        : new RankingCharts(contest.index()).of(contest.ranking(), contest.group(), false);
  }

  private void table(Contest contest) {
    Optional<Group> operation = operation(contest);
    html.open("div", "class", "scroll").open("table", "class", "sortable");
    html.open("thead").open("tr").element("th", "rank").element("th", "engine", "class", "w");
    html.element("th", contest.metric()).element("th", "±").element("th", "behind the best");
    if (contest.use() == UseCase.CACHE) {
      html.element("th", Metrics.MEMORY.title());
    }
    operation.ifPresent(
        group -> html.element("th", RankingText.prefix(contest.index(), group) + "p99"));
    if (severalDurabilities()) {
      html.element("th", "durability", "class", "w");
    }
    html.close().close().line().open("tbody").line();
    List<String> best = need.best(contest);
    for (Standing standing : contest.rows()) {
      row(contest, standing, operation, best.contains(standing.engine()));
    }
    int others =
        (contest.use() == UseCase.CACHE ? 1 : 0)
            + (operation.isPresent() ? 1 : 0)
            + (severalDurabilities() ? 1 : 0);
    contest.failures().forEach(each -> row(contest, each, 2 + others));
    html.close().close().close().line();
  }

  /** Writes an engine that failed, below those with a value. */
  private void row(Contest contest, Failure failure, int empty) {
    if (contest.ranking().standing(failure.engine()).isEmpty()) {
      html.open("tr").element("td", Contest.LAST).open("th", "scope", "row");
      html.element("a", failure.engine(), "href", "../" + Links.engine(failure.engine())).close();
      html.open("td").element("a", "failed", "href", contest.runs(failure.engine())).close();
      Collections.nCopies(empty, "").forEach(each -> html.element("td", each));
      html.close().line();
    }
  }

  private void row(Contest contest, Standing standing, Optional<Group> operation, boolean best) {
    String engine = standing.engine();
    html.open("tr", "class", best ? "best" : null);
    html.element("td", contest.rank(standing));
    html.open("th", "scope", "row").element("a", engine, "href", "../" + Links.engine(engine));
    String kind = contest.kind(engine).label();
    if (!kind.isEmpty()) {
      html.text(" ").element("small", kind);
    }
    html.close();
    html.open("td", "data-value", Double.toString(standing.estimate().value()));
    html.element("a", contest.value(standing), "href", contest.runs(engine)).close();
    html.element("td", RankingText.spread(standing.estimate()));
    behind(html, contest, standing);
    if (contest.use() == UseCase.CACHE) {
      html.element("td", memory(contest, engine));
    }
    operation.ifPresent(
        group -> html.element("td", beside(group, Metrics.LATENCY_P99, contest, engine)));
    if (severalDurabilities()) {
      html.element("td", durabilities.get(engine), "class", "w");
    }
    html.close().line();
  }

  /** Returns the memory for data of an embedded engine: its JVM's garbage is not its own. */
  private static String memory(Contest contest, String engine) {
    if (contest.kind(engine) != Kind.EMBEDDED) {
      return beside(contest.group(), Metrics.MEMORY, contest, engine);
    }
    String data = beside(contest.group(), Metrics.DATA_MEMORY, contest, engine);
    return data.equals(Quantities.NONE)
        ? beside(contest.group(), Metrics.MEMORY, contest, engine) + " with JVM"
        : data + " for data";
  }

  /** Returns a value of an engine that does not order the rows. */
  private static String beside(Group group, Metric metric, Contest contest, String engine) {
    return contest
        .index()
        .standing(group, metric, engine)
        .map(found -> RankingText.value(metric, found))
        .orElse(Quantities.NONE);
  }

  /** Returns the operation whose p99 follows the throughput. */
  private static Optional<Group> operation(Contest contest) {
    return contest.threads().isPresent()
        ? Optional.of(contest.ranking().group())
        : contest.ranking().metric().equals(Metrics.THROUGHPUT)
            ? contest.index().foremost(contest.group())
            : Optional.empty();
  }

  /** Writes the cell of the distance from the best. */
  static void behind(Markup html, Contest contest, Standing standing) {
    double ratio = contest.behind(standing).value();
    boolean keyed = contest.role() != Role.SHOWS && Double.isFinite(ratio);
    String key = keyed ? Double.toString(ratio) : null;
    html.element("td", contest.distance(standing), "class", "behind", "data-value", key);
  }

  private static String durability(Contest contest, String engine) {
    String level = contest.index().level(contest.group(), engine);
    return contest
        .index()
        .durability(contest.group(), engine)
        .filter(found -> found.writes())
        .map(
            found ->
                (level.isEmpty() ? "" : level + ", ")
                    + found.label()
                    + DurabilityText.cuts(contest.index(), contest.group(), engine))
        .orElse("");
  }

  private boolean severalDurabilities() {
    return Set.copyOf(durabilities.values()).size() > 1;
  }
}
