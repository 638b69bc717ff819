package kvrank.report;

import java.util.List;
import kvrank.report.JunitXml.Case;
import kvrank.report.JunitXml.End;
import kvrank.stats.Estimate;
import kvrank.stats.ExpectationResult;

/** What became of the scenario's expectations. */
public final class ExpectationReport {

  private ExpectationReport() {}

  /** A table with a row for each judgement, and the reasons of those without a value. */
  static List<Block> blocks(List<ExpectationResult> judgements) {
    if (judgements.isEmpty()) {
      return List.of();
    }
    return new Blocks()
        .heading(2, "Expectations")
        .add(
            new Columns<>(judgements)
                .left("expectation", judgement -> judgement.expectation().text())
                .left("where", judgement -> judgement.group().label())
                .right("value", ExpectationReport::value)
                .right("95% interval", ExpectationReport::interval)
                .left("verdict", ExpectationReport::verdict)
                .table(ExpectationResult::failed))
        .items(
            judgements.stream()
                .filter(each -> !each.reason().isEmpty())
                .map(
                    e ->
                        "%s: %s: %s"
                            .formatted(e.expectation().text(), e.group().label(), e.reason()))
                .distinct()
                .toList())
        .list();
  }

  /** As CI servers read it: a test case for each judgement. */
  public static String junit(String scenario, List<ExpectationResult> judgements) {
    return JunitXml.of(
        "kvrank expectations " + scenario,
        judgements.stream().map(ExpectationReport::test).toList());
  }

  private static Case test(ExpectationResult judgement) {
    End end =
        switch (judgement.verdict()) {
          case MET -> End.PASSED;
          case FAILED -> End.FAILED;
          case NOT_JUDGED -> End.SKIPPED;
        };
    String message =
        judgement.estimate().isEmpty()
            ? judgement.reason()
            : "%s (%s)".formatted(value(judgement), interval(judgement));
    return new Case(
        judgement.group().label(),
        judgement.expectation().text(),
        end,
        verdict(judgement),
        message);
  }

  private static String value(ExpectationResult judgement) {
    return judgement
        .estimate()
        .map(estimate -> Quantities.of(judgement.expectation().metric().unit(), estimate.value()))
        .orElse(Quantities.NONE);
  }

  private static String interval(ExpectationResult judgement) {
    if (judgement.estimate().isEmpty()) {
      return Quantities.NONE;
    }
    Estimate estimate = judgement.estimate().get();
    return estimate.hasInterval()
        ? Quantities.range(judgement.expectation().metric().unit(), estimate.low(), estimate.high())
        : "n=" + estimate.samples();
  }

  private static String verdict(ExpectationResult judgement) {
    return judgement.verdict().label() + (judgement.certain() ? "" : ", not certain");
  }
}
