package kvrank.site;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.metric.Latency;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.report.block.Quantities;
import kvrank.report.chart.Markup;
import kvrank.report.ranking.Notes;
import kvrank.report.section.CrashAnswers;
import kvrank.report.section.Reproduction;
import kvrank.results.Evidence;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.RunRecord;
import kvrank.results.ShellWord;
import kvrank.results.UnreadableException;
import kvrank.site.advice.Claim;
import kvrank.site.advice.Links;
import kvrank.site.advice.Study;
import kvrank.stats.Absence;
import kvrank.stats.Counted;
import kvrank.stats.Excluded;
import kvrank.stats.Group;
import kvrank.stats.QualityFlag;
import kvrank.stats.RankingIndex;
import kvrank.stats.Sample;

/** The runs of a study, with whether each counts, and the commands that measure them again. */
final class RunsPage {

  /** The most runs of an engine in a phase that are listed: a page of many more is hard to open. */
  static final int MOST = 100;

  /** A figure of a run in a phase. */
  private record Column(String name, boolean text, Function<Sample, String> figure) {

    static Column of(Metric metric) {
      return new Column(
          metric.title(),
          false,
          run -> Quantities.of(metric.unit(), metric.value(run).orElse(Double.NaN)));
    }

    /** Returns the throughput of an operation of a group of threads. */
    static Column throughput(String label) {
      Column any = of(Metrics.THROUGHPUT);
      return new Column(
          any.name + " of " + label,
          false,
          run -> any.figure.apply(new Sample(run.run(), run.phase(), Optional.of(label))));
    }

    boolean has(Sample run) {
      return !List.of("", Quantities.NONE).contains(figure.apply(run));
    }
  }

  /** Runs of one execution; several have no figures, and the same note. */
  private record Row(List<RunRecord> runs, boolean counts, Optional<Sample> sample, String note) {}

  private static final List<Column> COLUMNS =
      List.of(
          Column.of(Metrics.THROUGHPUT),
          new Column("records", false, run -> Quantities.of(Unit.COUNT, run.ok())),
          new Column("time", false, run -> Quantities.of(Unit.SECONDS, run.seconds())),
          new Column("p50 and p99", true, RunsPage::percentiles),
          Column.of(Metrics.HIT_RATIO),
          Column.of(Metrics.DATA_MEMORY),
          Column.of(Metrics.MEMORY),
          Column.of(Metrics.FOOTPRINT),
          new Column("durability", true, RunsPage::durability));

  private final Markup html;
  private final Study study;
  private final RankingIndex index;
  private final RunTable table;

  private RunsPage(Markup html, Study study) {
    this.html = html;
    this.study = study;
    this.index = study.index();
    this.table = new RunTable(html, study);
  }

  static byte[] of(Page.Contents contents, Study study) {
    Page page = new Page(contents, "../", "Runs on " + study.machine().label(), study.scenario());
    new RunsPage(page.html(), study).write();
    return page.end();
  }

  private void write() {
    html.element("p", index.results().manifest().question(), "class", "verdict").line();
    CrashAnswers.of(index).forEach(each -> html.element("p", each).line());
    Claim.write(
        html,
        index.engines().stream()
            .flatMap(engine -> About.variant(List.of(study), engine).stream())
            .toList());
    Claim.write(html, study.notes());
    html.open("section").element("h2", "Reproduce").line();
    reproduction();
    html.close().line();
    html.element("p", records());
    for (Group group : index.phaseGroups()) {
      html.open("section").element("h2", group.label()).line();
      runs(group);
      html.close().line();
    }
    new CrashTable(index, table).write(html);
  }

  /** Returns where the records of the runs are. */
  private String records() {
    List<ExecutionResults> executions = study.executions();
    String record = "The record of a run is %s/runs/RUN/record.json in the results or the pack.";
    return executions.size() == 1
        ? record.formatted(executions.get(0).name())
        : record.formatted("EXECUTION") + " Below the name of a run is its execution.";
  }

  private void reproduction() {
    for (Reproduction each : Reproduction.of(index.results())) {
      html.element(
          "p",
          "Save the scenario below as scenario.yaml, and run it with %s:".formatted(each.by()));
      listing(each.commands());
    }
    html.element("p", "The whole report, from the results or packs of these executions:");
    listing(
        study.executions().stream()
            .map(each -> ShellWord.of("results/" + each.name()))
            .collect(joining(" \\\n  ", "./kvrank report ", " --out report")));
    scenarios()
        .forEach(
            (scenario, execution) -> {
              html.open("details").element("summary", "scenario.yaml of " + execution).line();
              listing(scenario);
              html.close().line();
            });
  }

  /** Returns the distinct scenarios, each with the first execution that has it. */
  private Map<String, String> scenarios() {
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

  private void listing(String text) {
    html.open("pre", "tabindex", "0").element("code", text).close().line();
  }

  private static Optional<Sample> sample(RunRecord run, Group group) {
    return run.phases().stream()
        .filter(each -> each.name().equals(group.phase()))
        .filter(each -> each.outcome() instanceof Outcome.Completed)
        .map(phase -> new Sample(run, phase, Optional.empty()))
        .findFirst();
  }

  private void runs(Group group) {
    List<Counted> all =
        index.engines().stream().flatMap(each -> index.counted(group, each).stream()).toList();
    long counting = all.stream().filter(each -> each.leftOut().isEmpty()).count();
    Map<String, List<Counted>> listed = new LinkedHashMap<>();
    index.engines().forEach(each -> listed.put(each, newest(index.counted(group, each))));
    boolean more = listed.values().stream().mapToInt(List::size).sum() < all.size();
    Claim.of("Runs that count: %d of %d.".formatted(counting, all.size()))
        .text(more ? " The newest %d of each engine are listed.".formatted(MOST) : "")
        .write(html, "p");
    List<Sample> samples =
        listed.values().stream()
            .flatMap(List::stream)
            .flatMap(each -> sample(each.run(), group).stream())
            .toList();
    List<Column> columns =
        columns(group).stream().filter(each -> samples.stream().anyMatch(each::has)).toList();
    table.begin("counts");
    columns.forEach(each -> table.column(each.name(), each.text()));
    table.headed();
    listed.forEach(
        (engine, runs) ->
            table.body(
                Links.runs(index, group, engine), rows(group, runs), each -> write(each, columns)));
    table.end();
  }

  /** Returns a row for each run; those without figures share one if they say the same. */
  private List<Row> rows(Group group, List<Counted> runs) {
    List<Row> rows = new ArrayList<>();
    Map<List<String>, Row> silent = new HashMap<>();
    for (Counted each : runs) {
      Optional<Sample> sample = sample(each.run(), group);
      Row row = new Row(new ArrayList<>(), each.leftOut().isEmpty(), sample, note(each, sample));
      List<String> key = List.of(table.execution(each.run()), row.note);
      Row alike = sample.isPresent() ? null : silent.putIfAbsent(key, row);
      if (alike == null) {
        rows.add(row);
      }
      (alike == null ? row : alike).runs.add(each.run());
    }
    return rows;
  }

  /** Returns all columns; groups of threads have theirs after that of their sum. */
  private List<Column> columns(Group group) {
    List<Column> columns = new ArrayList<>(COLUMNS);
    columns.addAll(1, study.threads(group).stream().map(Column::throughput).toList());
    return columns;
  }

  /** Returns the newest of {@code runs}, in their order. */
  private static List<Counted> newest(List<Counted> runs) {
    if (runs.size() <= MOST) {
      return runs;
    }
    List<Counted> oldestFirst = new ArrayList<>(runs);
    oldestFirst.sort(Comparator.comparing(each -> each.run().started()));
    Set<RunRecord> newest = Collections.newSetFromMap(new IdentityHashMap<>());
    oldestFirst.subList(runs.size() - MOST, runs.size()).forEach(each -> newest.add(each.run()));
    return runs.stream().filter(each -> newest.contains(each.run())).toList();
  }

  private void write(Row row, List<Column> columns) {
    table.row(row.runs, row.counts);
    row.sample.ifPresent(
        run -> columns.forEach(each -> table.cell(each.figure().apply(run), each.text())));
    table.endRow(row.note, row.sample.isPresent() ? 1 : 1 + columns.size());
  }

  /** Returns the reasons why a run does not count, or why it was repeated. */
  private static String note(Counted counted, Optional<Sample> sample) {
    if (counted.leftOut().isEmpty()) {
      Collection<String> attempts = counted.run().facts().parts(Fact.OTHERS_DISTURBED).values();
      return attempts.isEmpty() ? "" : "after void attempts: " + String.join("; ", attempts);
    }
    Excluded leftOut = counted.leftOut().get();
    if (leftOut.absence() == Absence.NOT_DURABLE) {
      return "the engine broke the promise of this level; see its crashes below";
    }
    return sample
        .filter(any -> leftOut.absence() == Absence.DISTURBED)
        .map(run -> "disturbed: " + QualityFlag.disturbance(run.phase().facts()))
        .orElse(Notes.cause(leftOut));
  }

  private static String percentiles(Sample run) {
    return run.phase().operations().entrySet().stream()
        .flatMap(
            each ->
                each.getValue().latencyNanos().stream()
                    .map(latency -> each.getKey() + " " + percentiles(latency)))
        .collect(joining("; "));
  }

  private static String percentiles(Latency latency) {
    return Stream.of(Metrics.LATENCY_P50, Metrics.LATENCY_P99)
        .map(metric -> metric.value(latency))
        .map(value -> Quantities.of(Unit.NANOSECONDS, value.orElse(Double.NaN)))
        .collect(joining(" and "));
  }

  private static String durability(Sample run) {
    return run.phase().durability().map(found -> found.verdict().label()).orElse("");
  }
}
