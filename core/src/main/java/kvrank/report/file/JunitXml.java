package kvrank.report.file;

import java.util.List;
import kvrank.report.block.Width;
import kvrank.report.chart.Markup;

/** A suite of test cases as JUnit XML, which CI servers read. */
public final class JunitXml {

  private JunitXml() {}

  public enum End {
    PASSED,
    FAILED,
    SKIPPED
  }

  /** A test case; {@code where} is shown as its class, {@code verdict} is {@code end} as text. */
  public record Case(String where, String name, End end, String verdict, String message) {}

  public static String of(String suite, List<Case> cases) {
    Markup xml = new Markup().raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    xml.open(
        "testsuite",
        "name",
        Width.oneLine(suite),
        "tests",
        Integer.toString(cases.size()),
        "failures",
        count(cases, End.FAILED),
        "errors",
        "0",
        "skipped",
        count(cases, End.SKIPPED));
    for (Case each : cases) {
      String verdict = Width.oneLine(each.verdict());
      String message = Width.oneLine(each.message());
      String both = Width.oneLine(each.verdict() + ": " + each.message());
      String where = Width.oneLine(each.where());
      xml.raw("\n  ").open("testcase", "classname", where, "name", Width.oneLine(each.name()));
      xml.raw("\n    ");
      switch (each.end()) {
        case FAILED -> xml.element("failure", "", "type", verdict, "message", message);
        case SKIPPED -> xml.element("skipped", "", "message", both);
        case PASSED -> xml.element("system-out", both);
      }
      xml.raw("\n  ").close();
    }
    // an apostrophe needs no escape between quotation marks
    return xml.line().close().line().toString().replace("&#39;", "'");
  }

  private static String count(List<Case> cases, End end) {
    return Long.toString(cases.stream().filter(each -> each.end() == end).count());
  }
}
