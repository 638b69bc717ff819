package kvrank.report;

import java.util.List;
import kvrank.report.JunitXml.Case;
import kvrank.report.JunitXml.End;
import kvrank.results.Results;
import kvrank.stats.Estimate;
import kvrank.stats.Judgement;

/** What became of the scenario's expectations. */
final class ExpectationReport {

  private static final List<Column<Judgement>> COLUMNS =
      List.of(
          Column.left("expectation", judgement -> judgement.expectation().text()),
          Column.left("where", ExpectationReport::where),
          Column.right("value", ExpectationReport::value),
          Column.right("95% interval", ExpectationReport::interval),
          Column.left("verdict", ExpectationReport::verdict));

  private ExpectationReport() {}

  /** A table with a row for each judgement, and the reasons of those without a value. */
  static List<Block> blocks(Results results) {
    List<Judgement> judgements = Judgement.of(results);
    if (judgements.isEmpty()) {
      return List.of();
    }
    Block heading = new Block.Heading(2, "Expectations");
    Block table = new Block.Grid(Table.of(COLUMNS, judgements, Judgement::failed));
    List<String> reasons =
        judgements.stream()
            .filter(judgement -> !judgement.reason().isEmpty())
            .map(
                judgement ->
                    "%s: %s: %s"
                        .formatted(
                            judgement.expectation().text(), where(judgement), judgement.reason()))
            .distinct()
            .toList();
    return reasons.isEmpty()
        ? List.of(heading, table)
        : List.of(heading, table, new Block.Items(reasons));
  }

  /** As CI servers read it: a test case for each judgement. */
  static String junit(String scenario, List<Judgement> judgements) {
    return JunitXml.of(
        "kvrank expectations " + scenario,
        judgements.stream().map(ExpectationReport::test).toList());
  }

  private static Case test(Judgement judgement) {
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
        where(judgement), judgement.expectation().text(), end, verdict(judgement), message);
  }

  private static String where(Judgement judgement) {
    String place =
        judgement.group().phase()
            + judgement.group().operation().map(operation -> ", " + operation).orElse("");
    String point = judgement.group().point();
    return point.isEmpty() ? place : place + " at " + point;
  }

  private static String value(Judgement judgement) {
    return judgement
        .estimate()
        .map(estimate -> Quantities.of(judgement.metric().unit(), estimate.value()))
        .orElse(Quantities.NONE);
  }

  private static String interval(Judgement judgement) {
    if (judgement.estimate().isEmpty()) {
      return Quantities.NONE;
    }
    Estimate estimate = judgement.estimate().get();
    return estimate.hasInterval()
        ? Quantities.range(judgement.metric().unit(), estimate.low(), estimate.high())
        : "n=" + estimate.samples();
  }

  private static String verdict(Judgement judgement) {
    return judgement.verdict().label() + (judgement.certain() ? "" : ", not certain");
  }
}
