package kvrank.report.html;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import kvrank.metric.Metrics;
import kvrank.report.Quantities;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Markup;
import kvrank.report.chart.Svg;
import kvrank.results.Evidence;
import kvrank.results.Manifest;
import kvrank.stats.DurabilitySummary;
import kvrank.stats.Group;
import kvrank.stats.Ranking;

/** The whole page, and the charts on it in their order. */
public final class HtmlReport {

  private final Findings findings;
  private final RawSeries series;
  private final OverviewCharts overview;
  private final Map<String, Chart> charts = new LinkedHashMap<>();

  private HtmlReport(Findings findings, Evidence evidence) {
    this.findings = findings;
    this.series = new RawSeries(findings, evidence);
    this.overview = new OverviewCharts(findings);
  }

  /**
   * A page and its charts.
   *
   * @param html the page
   * @param charts those on it and the heat maps, by their files' names without ending
   */
  public record Content(String html, Map<String, Chart> charts) {}

  /** Makes the page of {@code findings}. */
  public static Content of(Findings findings, Evidence evidence) {
    HtmlReport report = new HtmlReport(findings, evidence);
    String html = report.page().html();
    return new Content(html, Collections.unmodifiableMap(report.charts));
  }

  private Page page() {
    Manifest manifest = findings.results().manifest();
    Page page = new Page(manifest.scenario() + ": " + manifest.question(), this::header);
    page.section("Answers", this::answers);
    if (!findings.wholes().isEmpty()) {
      page.section("Overview", this::standings);
    }
    page.section("Left out, and what to know", this::leftOut);
    for (List<Group> wholes : findings.wholesByPhase()) {
      page.section("Phase " + wholes.get(0).phase(), html -> phase(html, wholes));
    }
    SweepCharts sweeps = new SweepCharts(findings);
    for (String factor : sweeps.factors()) {
      page.section(
          "Effect of " + factor, html -> figures(html, sweeps.of(factor), Chart.Caption::where));
    }
    if (!findings.wholes().isEmpty()) {
      page.section("Resources and storage", this::resources);
    }
    Blocks blocks = new Blocks();
    if (!findings.killTest().isEmpty()) {
      page.section("Acknowledged writes lost", html -> blocks.write(html, findings.killTest()));
    }
    if (!findings.tables().isEmpty()) {
      page.section("Further tables", html -> blocks.write(html, findings.tables()));
    }
    Background background = new Background(findings, series);
    page.section("Environment", background::environment);
    page.section("Engines", background::engines);
    page.section("Scenario", background::scenario);
    page.section("How to read this", HowToRead::write);
    return page;
  }

  private void header(Markup html) {
    Manifest manifest = findings.results().manifest();
    html.element("p", "kvrank · " + manifest.scenario(), "class", "kicker").line();
    html.element("h1", manifest.question()).line();
    html.element("p", Headline.of(findings), "class", "verdict").line();
    html.open("ul", "class", "facts");
    for (String fact : size(manifest)) {
      html.element("li", fact);
    }
    html.close().line();
    differences(html);
    conditions(html);
    List<String> unreadable = new ArrayList<>(findings.results().unreadable());
    unreadable.addAll(series.unreadable());
    if (!unreadable.isEmpty()) {
      html.open("div", "class", "warning", "role", "note");
      html.element(
          "p",
          unreadable.size() == 1
              ? "1 file is missing or unreadable; what follows is without it:"
              : unreadable.size()
                  + " files are missing or unreadable; what follows is without them:");
      Blocks.items(html, unreadable);
      html.close().line();
    }
  }

  /** What of merged executions is kept apart. */
  private void differences(Markup html) {
    if (!findings.differences().isEmpty()) {
      html.open("div", "class", "warning", "role", "note");
      html.element("p", "Several executions are merged; what differs is kept apart:");
      Blocks.items(html, findings.differences());
      html.close().line();
    }
  }

  /** What was warned of before the runs. */
  private void conditions(Markup html) {
    if (!findings.results().warnings().isEmpty()) {
      html.open("div", "class", "warning", "role", "note");
      html.element("p", "Of the machine, before the runs:");
      Blocks.items(html, findings.results().warnings());
      html.close().line();
    }
  }

  private List<String> size(Manifest manifest) {
    List<String> facts = new ArrayList<>();
    facts.add(count(manifest.engines().size(), "engine"));
    facts.add(count(manifest.phases().size(), "phase"));
    facts.add(count(manifest.repetitions(), "repetition") + " of each run");
    List<String> fsync = manifest.factors().getOrDefault("fsync", List.of());
    if (!fsync.isEmpty()) {
      facts.add("fsync " + String.join(", ", fsync));
    }
    facts.add("storage " + manifest.medium());
    facts.add("seed " + manifest.seed());
    String planned = manifest.planned().toString();
    facts.add(planned.substring(0, Math.min(16, planned.length())).replace('T', ' ') + " UTC");
    return facts;
  }

  private static String count(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  private void answers(Markup html) {
    if (findings.results().runs().isEmpty()) {
      html.element("p", "No run was recorded.");
    }
    Blocks.items(html, findings.answers());
    if (!findings.unproven().isEmpty()) {
      html.open("div", "class", "warning", "role", "note");
      html.element(
          "p",
          "Durability is not proven: the disk's flushes say that these rows are not what fsync"
              + " asked for.");
      Blocks.items(html, findings.unproven());
      html.close().line();
    }
  }

  private void standings(Markup html) {
    html.element(
        "p",
        "Throughput as a ratio to the best engine of the phase, and the rank; \"=\" marks a rank"
            + " that is shared. A stronger colour is nearer to the best.");
    List<Chart> ratios = new ArrayList<>();
    boolean single = findings.wholesByPoint().size() == 1;
    html.open("div", "class", single ? "pair" : "stack");
    for (List<Group> wholes : findings.wholesByPoint()) {
      overview.heat(wholes).ifPresent(this::keep);
      heat(html, wholes);
      overview.ratios(wholes).ifPresent(ratios::add);
    }
    figures(html, ratios, single ? Chart.Caption::title : HtmlReport::placed);
    html.close().line();
  }

  private void heat(Markup html, List<Group> wholes) {
    Group first = wholes.get(0);
    Grid<String> grid =
        new Grid<>("heat-" + GroupTables.id(first), "Engine by phase" + Findings.at(first));
    grid.text("engine", engine -> findings.marked().apply(engine, first.factors()));
    for (Group whole : wholes) {
      Ranking ranking = findings.throughput(whole);
      grid.cells(
          whole.phase(),
          engine -> cell(ranking, engine),
          engine ->
              ranking.standing(engine).map(found -> found.ratio().value()).orElse(Double.NaN));
    }
    grid.write(html, findings.engines(), engine -> "");
  }

  private static Grid.Cell cell(Ranking ranking, String engine) {
    return ranking
        .standing(engine)
        .map(
            standing -> {
              double ratio = standing.ratio().value();
              String text = Quantities.ratio(ratio) + " (" + GroupTables.rank(standing) + ")";
              return new Grid.Cell(text, "heat heat" + Chart.depth(ratio), List.of());
            })
        .orElse(new Grid.Cell(Quantities.NONE, "heat", List.of()));
  }

  private void leftOut(Markup html) {
    boolean any = false;
    if (!findings.leftOut().isEmpty()) {
      any = true;
      html.element("h3", "Left out of every table");
      Blocks.items(html, findings.leftOut());
    }
    List<String> single = new ArrayList<>();
    for (Group whole : findings.wholes()) {
      String where = whole.phase() + Findings.at(whole) + ": ";
      findings.leftOutHere().apply(whole).forEach(reason -> single.add(where + reason));
      findings.unmentioned(whole).forEach(engine -> single.add(where + engine + ": no record"));
    }
    if (!single.isEmpty()) {
      any = true;
      html.element("h3", "Left out of single tables");
      Blocks.items(html, single);
    }
    if (findings.wholes().isEmpty()) {
      html.element("p", "No run was recorded, so no engine is in a table.");
    } else if (!any) {
      html.element("p", "Nothing is left out: every engine is in every table.");
    }
    if (!findings.notes().isEmpty()) {
      html.element("h3", "Notes");
      Blocks.items(html, findings.notes());
    }
  }

  private void phase(Markup html, List<Group> wholes) {
    GroupCharts groupCharts = new GroupCharts(findings, series);
    GroupTables tables = new GroupTables(findings);
    ResourceTables resources = new ResourceTables(findings);
    for (Group whole : wholes) {
      if (wholes.size() > 1) {
        html.element("h3", whole.phase() + Findings.at(whole));
      }
      if (findings.throughput(whole).standings().isEmpty()) {
        html.element("p", "No engine can be ranked here.");
      } else {
        tables.write(html, whole);
      }
      List<String> below = findings.leftOutHere().apply(whole);
      if (!below.isEmpty()) {
        html.open("div", "class", "left-out").element("p", "Left out here:");
        Blocks.items(html, below);
        html.close();
      }
      figures(html, groupCharts.of(whole), Chart.Caption::title);
      List<Group> operations = findings.operations(whole);
      if (operations.size() > 1) {
        html.open("details").element("summary", "Each operation on its own");
        operations.forEach(operation -> tables.write(html, operation));
        html.close();
      }
      durability(html, whole);
      html.open("details").element("summary", "Resources of this phase");
      resources.write(html, whole);
      html.close().line();
    }
  }

  /** The figures that the verdicts of a phase go by. */
  private void durability(Markup html, Group whole) {
    List<String> figures = new ArrayList<>();
    for (String engine : findings.engines()) {
      findings
          .proof(whole, engine)
          .filter(DurabilitySummary::writes)
          .ifPresent(
              proof ->
                  figures.add(
                      engine + ": " + proof.label() + ": " + String.join("; ", proof.reasons())));
    }
    if (!figures.isEmpty()) {
      html.open("details").element("summary", "Durability in this phase");
      Blocks.items(html, figures);
      html.close().line();
    }
  }

  private void resources(Markup html) {
    html.element(
        "p",
        "Memory is resident: of the server's process, or of the worker's, JVM included, if the"
            + " engine is embedded. Storage is in allocated blocks. Each phase has a table of its"
            + " own above.");
    List<Chart> found = new ArrayList<>();
    for (List<Group> wholes : findings.wholesByPoint()) {
      overview
          .byPhase(wholes, Metrics.MEMORY, "Memory at the end of each phase", "Lower is better.")
          .ifPresent(found::add);
      overview
          .byPhase(
              wholes, Metrics.FOOTPRINT, "Storage at the end of each phase", "Lower is better.")
          .ifPresent(found::add);
    }
    figures(html, found, HtmlReport::placed);
  }

  /** Different names may make one file name, which then gets a number. */
  private void keep(Chart chart) {
    String name = chart.caption().file();
    for (int i = 2; charts.containsKey(name) && !charts.get(name).equals(chart); i++) {
      name = chart.caption().file() + "-" + i;
    }
    charts.put(name, chart);
  }

  private static String placed(Chart.Caption caption) {
    return caption.title() + (caption.where().isEmpty() ? "" : " at " + caption.where());
  }

  private void figures(Markup html, List<Chart> found, Function<Chart.Caption, String> title) {
    if (found.isEmpty()) {
      return;
    }
    html.open("div", "class", "figures").line();
    for (Chart chart : found) {
      keep(chart);
      html.open("figure").open("figcaption");
      html.element("strong", title.apply(chart.caption()));
      html.raw(" ").element("span", chart.caption().reading());
      html.close().raw(Svg.inline(chart)).close().line();
    }
    html.close().line();
  }
}
