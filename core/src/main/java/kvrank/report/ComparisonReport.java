package kvrank.report;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import kvrank.report.block.Block;
import kvrank.report.block.Blocks;
import kvrank.report.block.Columns;
import kvrank.report.block.Quantities;
import kvrank.report.block.Table;
import kvrank.report.file.JunitXml;
import kvrank.report.file.JunitXml.End;
import kvrank.report.file.RankingFiles;
import kvrank.report.section.ExperimentSummary;
import kvrank.results.ExecutionResults;
import kvrank.stats.change.Change;
import kvrank.stats.change.Change.Verdict;
import kvrank.stats.change.Comparison;
import kvrank.stats.infer.Estimate;

/** The changes between two executions, for a terminal, a pull request and a CI server. */
public final class ComparisonReport {

  /** A GitHub comment holds 65,536 characters. */
  private static final int COMMENT = 60_000;

  /** The possible numbers of rows of a table; the largest that fits a comment is used. */
  private static final List<Integer> ROWS = List.of(200, 100, 50, 20, 10);

  private ComparisonReport() {}

  /** Returns a comment for a pull request, with as many rows as fit. */
  public static String fitting(Comparison comparison, Function<List<Block>, String> writer) {
    List<Change> changes = comparison.changes();
    String text = "";
    for (int rows : ROWS) {
      List<Change> shown = changes.stream().limit(rows).toList();
      String title = rows < changes.size() ? "The first %d of %d cells" : "All %d cells";
      Blocks blocks = blocks(comparison, false, rows);
      blocks.folded(title.formatted(shown.size(), changes.size()), List.of(table(shown, true)));
      text = writer.apply(blocks.list());
      if (text.length() <= COMMENT) {
        return text;
      }
    }
    return text;
  }

  public static List<Block> brief(Comparison comparison) {
    return blocks(comparison, true, ROWS.get(0)).list();
  }

  public static String junit(Comparison comparison) {
    List<JunitXml.Case> cases = new ArrayList<>();
    for (Change change : comparison.changes()) {
      Verdict verdict = change.verdict();
      boolean skipped = verdict == Verdict.NO_VERDICT || verdict == Verdict.NOT_COMPARED;
      cases.add(
          new JunitXml.Case(
              change.group().label(),
              change.engine() + " " + metric(change),
              verdict.bad() ? End.FAILED : skipped ? End.SKIPPED : End.PASSED,
              verdict.label(),
              skipped ? change.reason() : message(change)));
    }
    return JunitXml.of("kvrank compare " + comparison.candidate().manifest().scenario(), cases);
  }

  private static Blocks blocks(Comparison comparison, boolean narrow, int rows) {
    List<String> unreadable = new ArrayList<>(comparison.baseline().unreadable());
    unreadable.addAll(comparison.candidate().unreadable());
    String candidate = "candidate: " + execution(comparison.candidate());
    Blocks blocks =
        new Blocks()
            .heading(2, title(comparison))
            .items(List.of(baselines(comparison.baseline()), candidate))
            .text(spread(comparison))
            .warning("Missing or unreadable, and left out:", unreadable)
            .warning("Other differences:", comparison.differences());
    List<Change> broken = comparison.of(Verdict.BROKEN);
    if (!broken.isEmpty()) {
      blocks
          .heading(3, "Broken")
          .items(broken.stream().map(change -> where(change) + ": " + change.reason()).toList());
    }
    section(blocks, "Regressions", comparison.of(Verdict.REGRESSION), narrow, rows);
    section(blocks, "Improvements", comparison.of(Verdict.IMPROVEMENT), narrow, rows);
    return blocks.text(counts(comparison)).text(detectable(comparison));
  }

  private static void section(
      Blocks blocks, String title, List<Change> changes, boolean narrow, int rows) {
    if (!changes.isEmpty()) {
      List<Change> shown = changes.stream().limit(rows).toList();
      blocks.heading(3, title);
      if (narrow) {
        blocks.items(
            shown.stream().map(c -> where(c) + ": " + metric(c) + " " + message(c)).toList());
      } else {
        blocks.add(table(shown, false));
      }
      if (changes.size() > rows) {
        blocks.text("… and %d more.".formatted(changes.size() - rows));
      }
    }
  }

  /** Returns for example {@code quick: 2 regressions, 1 improvement}. */
  static String title(Comparison comparison) {
    String counts =
        counted(comparison, List.of(Verdict.BROKEN, Verdict.REGRESSION, Verdict.IMPROVEMENT));
    if (counts.isEmpty()) {
      counts =
          !comparison.of(Verdict.WITHIN_THE_TOLERANCE).isEmpty()
              ? "no significant change beyond " + percent(comparison.tolerance())
              : comparison.of(Verdict.NO_SIGNIFICANT_CHANGE).isEmpty()
                  ? "no verdict"
                  : "no significant change";
    }
    return comparison.candidate().manifest().scenario() + ": " + counts;
  }

  private static String counted(Comparison comparison, Collection<Verdict> verdicts) {
    List<String> counts = new ArrayList<>();
    for (Verdict verdict : verdicts) {
      int count = comparison.of(verdict).size();
      if (count > 0) {
        boolean noun = verdict == Verdict.REGRESSION || verdict == Verdict.IMPROVEMENT;
        counts.add(
            noun ? Quantities.counted(count, verdict.label()) : count + " " + verdict.label());
      }
    }
    return String.join(", ", counts);
  }

  private static String baselines(ExecutionResults results) {
    int size = results.executions().size();
    String names =
        results.executions().stream().map(ComparisonReport::execution).collect(joining("; "));
    String method =
        size < Estimate.FEWEST
            ? ""
            : "; a shift that all cells of an execution share does not count";
    return size == 1 ? "baseline: " + names : "%d baselines: %s%s".formatted(size, names, method);
  }

  /** Returns which differences between executions are expected; empty if the baselines show it. */
  private static String spread(Comparison comparison) {
    double deviation = comparison.spread().orElse(0);
    return deviation == 0
        ? ""
        : ("Executions of the same code are expected to differ by a standard deviation of %s in"
                + " throughput (--shift), and only larger changes are significant. To find smaller"
                + " ones, measure both in one execution: kvrank compare --run SCENARIO --base DIR"
                + " --head DIR.")
            .formatted(percent(Math.expm1(deviation)));
  }

  private static String execution(ExecutionResults results) {
    return results.name() + ", " + ExperimentSummary.repetitions(results.manifest());
  }

  private static String counts(Comparison comparison) {
    boolean tested = comparison.changes().stream().anyMatch(c -> c.ratio().hasInterval());
    return "Cells: %s; tolerance %s.%s%s"
        .formatted(
            counted(comparison, List.of(Verdict.values())),
            percent(comparison.tolerance()),
            tested
                ? " The metric that decides a phase (throughput, or p99 at a given rate) is tested"
                    + " first, then the others. If nothing changed, 95 of 100 comparisons report no"
                    + " significant change, as long as executions differ by no more than assumed."
                : "",
            comparison.of(Verdict.NO_VERDICT).isEmpty()
                ? ""
                : " A verdict takes at least 3 repetitions on both sides.");
  }

  /** Returns the detectable change of throughput; empty if none is tested. */
  private static String detectable(Comparison comparison) {
    List<Double> ratios = comparison.detectable();
    return ratios.isEmpty()
        ? ""
        : ("4 of 5 comparisons would detect a throughput that is %s lower (median of the phases; %s"
                + " in the noisiest).")
            .formatted(
                percent(1 - 1 / ratios.get(ratios.size() / 2)),
                percent(1 - 1 / ratios.get(ratios.size() - 1)));
  }

  private static String percent(double share) {
    return Quantities.fixed(share * 100, share * 100 == Math.rint(share * 100) ? 0 : 1) + "%";
  }

  private static Table table(List<Change> changes, boolean verdicts) {
    Columns<Change> columns =
        new Columns<>(changes)
            .left("engine", Change::engine)
            .left("where", change -> change.group().label())
            .left("metric", ComparisonReport::metric)
            .right("baseline", change -> value(change, change.baseline()))
            .right("candidate", change -> value(change, change.candidate()))
            .right("change", change -> Quantities.change(change.ratio().value()))
            .right("interval", ComparisonReport::interval);
    if (verdicts) {
      columns.left("verdict", change -> change.verdict().label()).left("why", Change::reason);
    }
    return columns.table(change -> verdicts && change.verdict().bad()).compact();
  }

  private static String where(Change change) {
    return change.engine() + ", " + change.group().label();
  }

  /** Returns for example {@code −18% (−21% … −15%), from 41.0 k/s to 33.6 k/s}. */
  private static String message(Change change) {
    String interval = interval(change);
    return !change.reason().isEmpty()
        ? change.reason()
        : "%s%s, from %s to %s"
            .formatted(
                Quantities.change(change.ratio().value()),
                interval.isEmpty() ? "" : " (" + interval + ")",
                value(change, change.baseline()),
                value(change, change.candidate()));
  }

  private static String metric(Change change) {
    return change.metric().id().replace('-', ' ');
  }

  private static String value(Change change, Optional<Estimate> estimate) {
    return Quantities.of(change.metric().unit(), value(estimate));
  }

  /** Returns for example {@code −21% … −15%}. */
  private static String interval(Change change) {
    return change.ratio().hasInterval()
        ? Quantities.change(change.ratio().low()) + " … " + Quantities.change(change.ratio().high())
        : "";
  }

  public static Table rows(Comparison comparison) {
    return new Columns<>(comparison.changes())
        .left("phase", change -> change.group().phase())
        .left("operation", change -> change.group().operation().orElse(RankingFiles.ALL))
        .left("point", change -> change.group().point())
        .left("engine", Change::engine)
        .left("metric", change -> change.metric().id())
        .left("unit", change -> change.metric().unit().symbol())
        .left("better", change -> change.metric().direction().name().toLowerCase(Locale.ROOT))
        .exact("baseline", change -> value(change.baseline()))
        .exact("candidate", change -> value(change.candidate()))
        .exact("baseline_samples", change -> samples(change.baseline()))
        .exact("candidate_samples", change -> samples(change.candidate()))
        .exact("ratio", change -> change.ratio().value())
        .exact("ratio_low", change -> change.ratio().low())
        .exact("ratio_high", change -> change.ratio().high())
        .exact("ratio_confidence", change -> change.ratio().confidence())
        .exact("detectable", Change::detectable)
        .left("verdict", change -> change.verdict().label())
        .left("reason", Change::reason)
        .table();
  }

  private static double value(Optional<Estimate> estimate) {
    return estimate.map(Estimate::value).orElse(Double.NaN);
  }

  private static long samples(Optional<Estimate> estimate) {
    return estimate.map(Estimate::samples).orElse(0L);
  }
}
