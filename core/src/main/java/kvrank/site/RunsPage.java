package kvrank.site;

import static java.util.stream.Collectors.joining;

import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import kvrank.metric.Latency;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.report.block.Quantities;
import kvrank.report.chart.Markup;
import kvrank.report.section.CrashReport;
import kvrank.results.Durability;
import kvrank.results.Evidence;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.results.UnreadableException;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;
import kvrank.stats.Sample;

/** The records of every run of a study, and the command that measures them again. */
final class RunsPage {

  private static final List<String> COLUMNS =
      List.of("throughput", "records", "time", "p50 and p99", "memory", "storage", "durability");

  private RunsPage() {}

  /** Returns the name of the rows of an engine in a phase. */
  static String anchor(RankingIndex index, Group phaseGroup, String engine) {
    return "p%d-%d"
        .formatted(
            index.phaseGroups().indexOf(phaseGroup.phaseGroup()), index.engines().indexOf(engine));
  }

  static byte[] of(Page.Contents contents, Study study) {
    Page page = new Page(contents, "../", "Runs on " + study.machine().label(), study.scenario());
    Markup html = page.html();
    html.element("p", study.index().results().manifest().question(), "class", "verdict").line();
    CrashReport.answers(study.index()).forEach(each -> html.element("p", each).line());
    html.open("section").element("h2", "Reproduce").line();
    String versions =
        study.executions().stream()
            .map(each -> each.manifest().kvrank())
            .distinct()
            .collect(joining(" and "));
    html.element(
        "p",
        "Save the scenario below as scenario.yaml, and run it with kvrank %s:".formatted(versions));
    listing(html, "./kvrank run scenario.yaml");
    html.element("p", "The whole report, from the results or packs of these executions:");
    listing(
        html,
        study.executions().stream()
            .map(each -> "results/" + each.name())
            .collect(joining(" \\\n  ", "./kvrank report ", " --out report")));
    scenarios(study)
        .forEach(
            (scenario, execution) -> {
              html.open("details").element("summary", "scenario.yaml of " + execution).line();
              listing(html, scenario);
              html.close().line();
            });
    html.close().line();
    IdentityHashMap<RunRecord, String> executions = new IdentityHashMap<>();
    for (ExecutionResults each : study.executions()) {
      each.runs().forEach(run -> executions.put(run, each.name()));
    }
    for (Group group : study.index().phaseGroups()) {
      html.open("section").element("h2", group.label()).line();
      table(html, study.index(), group, executions);
      html.close().line();
    }
    return page.end();
  }

  /** Returns the distinct scenarios, each with the first execution that has it. */
  private static Map<String, String> scenarios(Study study) {
    Map<String, String> scenarios = new LinkedHashMap<>();
    for (ExecutionResults each : study.executions()) {
      try {
        scenarios.putIfAbsent(Evidence.of(each).scenario(), each.name());
      } catch (UnreadableException e) {
        // The page then has no scenario; the commands remain.
      }
    }
    scenarios.remove("");
    return scenarios;
  }

  private static void listing(Markup html, String text) {
    html.open("pre", "tabindex", "0").element("code", text).close().line();
  }

  private static void table(
      Markup html, RankingIndex index, Group group, Map<RunRecord, String> executions) {
    html.open("div", "class", "scroll").open("table", "class", "sortable");
    html.open("thead").open("tr").element("th", "engine", "class", "w");
    html.element("th", "run", "class", "w");
    for (String column : COLUMNS) {
      boolean text = column.equals("durability") || column.startsWith("p50");
      html.element("th", column, "class", text ? "w" : null);
    }
    html.close().close().line().open("tbody").line();
    for (String engine : index.engines()) {
      boolean first = true;
      for (RunRecord run : index.runs(group, engine)) {
        Optional<PhaseRecord> phase =
            run.phases().stream().filter(each -> each.name().equals(group.phase())).findFirst();
        html.open("tr", "id", first ? anchor(index, group, engine) : null);
        html.element("th", engine, "scope", "row");
        String file = executions.getOrDefault(run, "") + "/runs/" + run.id() + "/record.json";
        html.element("td", file, "class", "w file");
        cells(html, run, phase);
        html.close().line();
        first = false;
      }
    }
    html.close().close().close().line();
  }

  private static void cells(Markup html, RunRecord run, Optional<PhaseRecord> phase) {
    Outcome outcome = phase.map(PhaseRecord::outcome).orElse(run.outcome());
    if (phase.isEmpty() || !(outcome instanceof Outcome.Completed)) {
      String why = outcome.label() + (outcome.reason().isEmpty() ? "" : ": " + outcome.reason());
      html.element("td", why, "class", "w", "colspan", Integer.toString(COLUMNS.size()));
      return;
    }
    Sample sample = new Sample(run, phase.get(), Optional.empty());
    html.element("td", text(Metrics.THROUGHPUT, sample));
    html.element("td", Quantities.of(Unit.COUNT, sample.ok()));
    html.element("td", Quantities.of(Unit.SECONDS, sample.seconds()));
    html.element(
        "td",
        phase.get().operations().entrySet().stream()
            .flatMap(
                each ->
                    each.getValue().latencyNanos().stream()
                        .map(latency -> each.getKey() + " " + percentiles(latency)))
            .collect(joining("; ")),
        "class",
        "w");
    html.element("td", text(Metrics.MEMORY, sample));
    html.element("td", text(Metrics.FOOTPRINT, sample));
    html.element("td", phase.get().durability().map(RunsPage::durability).orElse(""), "class", "w");
  }

  private static String percentiles(Latency latency) {
    return Stream.of(Metrics.LATENCY_P50, Metrics.LATENCY_P99)
        .map(metric -> metric.value(latency))
        .map(value -> Quantities.of(Unit.NANOSECONDS, value.orElse(Double.NaN)))
        .collect(joining(" and "));
  }

  private static String text(Metric metric, Sample sample) {
    return Quantities.of(metric.unit(), metric.value(sample).orElse(Double.NaN));
  }

  private static String durability(Durability durability) {
    return durability.verdict().label();
  }
}
