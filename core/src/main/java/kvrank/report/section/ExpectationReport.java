package kvrank.report.section;

import java.util.ArrayList;
import java.util.List;
import kvrank.metric.Expectation;
import kvrank.report.block.Block;
import kvrank.report.block.Blocks;
import kvrank.report.block.Columns;
import kvrank.report.block.Quantities;
import kvrank.report.file.JunitXml;
import kvrank.report.file.JunitXml.Case;
import kvrank.report.file.JunitXml.End;
import kvrank.stats.ExpectationResult;
import kvrank.stats.ExpectationResult.Verdict;
import kvrank.stats.infer.Estimate;

/** The verdicts on the scenario's expectations. */
public final class ExpectationReport {

  private ExpectationReport() {}

  /** Returns a table with a row for each verdict, and the reasons for missing ones and values. */
  public static List<Block> blocks(List<ExpectationResult> judgements) {
    if (judgements.isEmpty()) {
      return List.of();
    }
    List<String> reasons =
        judgements.stream()
            .filter(each -> !each.reason().isEmpty())
            .map(each -> each.expectation().engine() + ": " + each.reason())
            .distinct()
            .toList();
    List<ExpectationResult> judged =
        judgements.stream().filter(each -> each.verdict() != Verdict.NOT_JUDGED).toList();
    return new Blocks()
        .heading(2, "Expectations")
        .add(
            new Columns<>(judged)
                .left("expectation", ExpectationReport::text)
                .left("where", judgement -> judgement.group().label())
                .right("value", ExpectationReport::value)
                .right("95% interval", ExpectationReport::interval)
                .left("verdict", ExpectationReport::verdict)
                .table(ExpectationResult::failed))
        .items(reasons)
        .list();
  }

  /** Returns the judgements as JUnit XML, a test case each. */
  public static String junit(String scenario, List<ExpectationResult> judgements) {
    List<Case> cases = new ArrayList<>();
    for (ExpectationResult each : judgements) {
      End end =
          switch (each.verdict()) {
            case MET -> End.PASSED;
            case FAILED -> End.FAILED;
            case NOT_JUDGED -> End.SKIPPED;
          };
      String value = value(each) + " (" + interval(each) + ")";
      String message = each.reason().isEmpty() ? value : each.reason();
      cases.add(new Case(each.group().label(), text(each), end, verdict(each), message));
    }
    return JunitXml.of("kvrank expectations " + scenario, cases);
  }

  /** Returns the row and the expectation. */
  private static String text(ExpectationResult judgement) {
    Expectation expectation = judgement.expectation();
    return expectation.engine() + " " + expectation.requirement();
  }

  static String value(ExpectationResult judgement) {
    double value = judgement.value();
    return judgement
        .expectation()
        .other()
        .map(other -> Double.isNaN(value) ? Quantities.NONE : share(value) + " of " + other)
        .orElseGet(() -> Quantities.of(judgement.expectation().metric().unit(), value));
  }

  private static String share(double ratio) {
    return Quantities.formatted("0.0", 100 * ratio) + " %";
  }

  static String interval(ExpectationResult judgement) {
    if (Double.isNaN(judgement.value())) {
      return Quantities.NONE;
    }
    if (!judgement.hasInterval()) {
      return "n=" + judgement.estimate().map(Estimate::samples).orElse(0L);
    }
    return judgement.ratio().isPresent()
        ? share(judgement.low()).replace(" %", "–") + share(judgement.high())
        : Quantities.range(
            judgement.expectation().metric().unit(), judgement.low(), judgement.high());
  }

  private static String verdict(ExpectationResult judgement) {
    return judgement.verdict().label() + (judgement.certain() ? "" : ", not certain");
  }
}
