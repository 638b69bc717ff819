package kvrank.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import kvrank.report.block.Width;
import kvrank.report.write.Reports;
import kvrank.results.ExecutionResults;
import kvrank.stats.change.Change.Verdict;
import kvrank.stats.change.Comparison;
import kvrank.stats.change.Shift;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

class ComparisonReportTest {

  private static Comparison comparison() {
    List<ExecutionResults> executions = Examples.beforeAndAfter();
    return Comparison.of(executions.get(0), executions.get(1), 0.05, Shift.stated(0));
  }

  @Test
  void junitHasATestForEachCell() throws Exception {
    Comparison comparison = comparison();
    String xml = Reports.files(comparison).get("comparison.xml");
    Element suite =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)))
            .getDocumentElement();
    assertThat(suite.getAttribute("tests")).isEqualTo("" + comparison.changes().size());
    assertThat(suite.getElementsByTagName("testcase").getLength())
        .isEqualTo(comparison.changes().size());
    int bad = comparison.of(Verdict.REGRESSION).size() + comparison.of(Verdict.BROKEN).size();
    assertThat(suite.getElementsByTagName("failure").getLength()).isEqualTo(bad).isPositive();
    assertThat(suite.getAttribute("failures")).isEqualTo("" + bad);
    assertThat(suite.getElementsByTagName("skipped").getLength())
        .isEqualTo(Integer.parseInt(suite.getAttribute("skipped")))
        .isPositive();
  }

  @Test
  void markdownFitsAComment() {
    assertThat(Reports.files(comparison()).get("comparison.md")).hasSizeLessThan(65_536);
  }

  @Test
  void consoleFitsAHundredColumns() {
    assertThat(Reports.console(comparison(), 100, false).lines())
        .allSatisfy(line -> assertThat(Width.of(line)).as(line).isLessThanOrEqualTo(100));
  }

  @Test
  void theSameIsNoSignificantChange() {
    ExecutionResults same = Examples.ssdNofsync();
    assertThat(ComparisonReport.title(Comparison.of(same, same, 0, Shift.stated(0))))
        .isEqualTo("ssd-nofsync: no significant change");
    ExecutionResults single = Examples.quick();
    assertThat(ComparisonReport.title(Comparison.of(single, single, 0, Shift.stated(0))))
        .isEqualTo("quick: no verdict");
  }
}
