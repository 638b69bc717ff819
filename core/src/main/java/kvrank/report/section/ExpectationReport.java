package kvrank.report.section;

import java.util.ArrayList;
import java.util.List;
import kvrank.report.block.Block;
import kvrank.report.block.Blocks;
import kvrank.report.block.Columns;
import kvrank.report.block.Quantities;
import kvrank.report.file.JunitXml;
import kvrank.report.file.JunitXml.Case;
import kvrank.report.file.JunitXml.End;
import kvrank.stats.ExpectationResult;
import kvrank.stats.infer.Estimate;

/** The verdicts on the scenario's expectations. */
public final class ExpectationReport {

  private ExpectationReport() {}

  /** Returns a table with a row for each judgement, and the reasons for missing values. */
  public static List<Block> blocks(List<ExpectationResult> judgements) {
    if (judgements.isEmpty()) {
      return List.of();
    }
    List<String> reasons =
        judgements.stream()
            .filter(each -> !each.reason().isEmpty())
            .map(each -> text(each) + ": " + each.group().label() + ": " + each.reason())
            .distinct()
            .toList();
    return new Blocks()
        .heading(2, "Expectations")
        .add(
            new Columns<>(judgements)
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
      String message = each.estimate().isEmpty() ? each.reason() : value;
      cases.add(new Case(each.group().label(), text(each), end, verdict(each), message));
    }
    return JunitXml.of("kvrank expectations " + scenario, cases);
  }

  /** Returns the expectation as written, with the row if the engine has several. */
  private static String text(ExpectationResult judgement) {
    String text = judgement.expectation().text();
    String engine = judgement.expectation().engine();
    return text.startsWith(engine + " ") ? text : text + " (" + engine + ")";
  }

  private static String value(ExpectationResult judgement) {
    double value = judgement.estimate().map(Estimate::value).orElse(Double.NaN);
    return Quantities.of(judgement.expectation().metric().unit(), value);
  }

  private static String interval(ExpectationResult judgement) {
    if (judgement.estimate().isEmpty()) {
      return Quantities.NONE;
    }
    Estimate found = judgement.estimate().get();
    return found.hasInterval()
        ? Quantities.range(judgement.expectation().metric().unit(), found.low(), found.high())
        : "n=" + found.samples();
  }

  private static String verdict(ExpectationResult judgement) {
    return judgement.verdict().label() + (judgement.certain() ? "" : ", not certain");
  }
}
