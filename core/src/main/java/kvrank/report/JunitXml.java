package kvrank.report;

import java.io.StringWriter;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import kvrank.stats.Change;
import kvrank.stats.Change.Verdict;
import kvrank.stats.Comparison;

/** What CI servers read: a suite of test cases. */
final class JunitXml {

  /** What became of a test case. */
  enum End {
    PASSED,
    FAILED,
    SKIPPED
  }

  /**
   * A test case.
   *
   * @param where what it belongs to, shown as its class
   * @param verdict the end in words
   * @param message what was found
   */
  record Case(String where, String name, End end, String verdict, String message) {}

  private final XMLStreamWriter xml;

  private JunitXml(XMLStreamWriter xml) {
    this.xml = xml;
  }

  /** A comparison: a test case for each cell. */
  static String of(Comparison comparison) {
    return of(
        "kvrank compare " + comparison.candidate().manifest().scenario(),
        comparison.changes().stream().map(JunitXml::test).toList());
  }

  static String of(String suite, List<Case> cases) {
    StringWriter text = new StringWriter();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
      new JunitXml(xml).suite(suite, cases);
      xml.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("a writer in memory failed", e);
    }
    return text.toString();
  }

  private static Case test(Change change) {
    boolean skipped =
        change.verdict() == Verdict.UNDECIDED || change.verdict() == Verdict.NOT_COMPARED;
    return new Case(
        change.group().label(),
        change.engine() + " " + ComparisonReport.metric(change),
        change.verdict().bad() ? End.FAILED : skipped ? End.SKIPPED : End.PASSED,
        change.verdict().label(),
        skipped ? change.reason() : ComparisonReport.message(change));
  }

  private void suite(String name, List<Case> cases) throws XMLStreamException {
    xml.writeStartDocument("UTF-8", "1.0");
    line(0);
    xml.writeStartElement("testsuite");
    attribute("name", name);
    attribute("tests", Integer.toString(cases.size()));
    attribute("failures", count(cases, End.FAILED));
    attribute("errors", "0");
    attribute("skipped", count(cases, End.SKIPPED));
    for (Case each : cases) {
      line(1);
      test(each);
    }
    line(0);
    xml.writeEndElement();
    line(0);
    xml.writeEndDocument();
  }

  private static String count(List<Case> cases, End end) {
    return Long.toString(cases.stream().filter(each -> each.end() == end).count());
  }

  private void test(Case test) throws XMLStreamException {
    xml.writeStartElement("testcase");
    attribute("classname", test.where());
    attribute("name", test.name());
    line(2);
    switch (test.end()) {
      case FAILED -> {
        xml.writeStartElement("failure");
        attribute("type", test.verdict());
        attribute("message", test.message());
      }
      case SKIPPED -> {
        xml.writeStartElement("skipped");
        attribute("message", test.verdict() + ": " + test.message());
      }
      case PASSED -> {
        xml.writeStartElement("system-out");
        xml.writeCharacters(Width.oneLine(test.verdict() + ": " + test.message()));
      }
    }
    xml.writeEndElement();
    line(1);
    xml.writeEndElement();
  }

  private void attribute(String name, String value) throws XMLStreamException {
    xml.writeAttribute(name, Width.oneLine(value));
  }

  private void line(int depth) throws XMLStreamException {
    xml.writeCharacters("\n" + "  ".repeat(depth));
  }
}
