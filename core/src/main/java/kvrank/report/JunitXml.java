package kvrank.report;

import java.io.StringWriter;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import kvrank.stats.Change;
import kvrank.stats.Change.Verdict;
import kvrank.stats.Comparison;

/** A comparison as CI servers read it: a test case for each cell. */
final class JunitXml {

  private final XMLStreamWriter xml;

  private JunitXml(XMLStreamWriter xml) {
    this.xml = xml;
  }

  static String of(Comparison comparison) {
    StringWriter text = new StringWriter();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
      new JunitXml(xml).suite(comparison);
      xml.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("a writer in memory failed", e);
    }
    return text.toString();
  }

  private void suite(Comparison comparison) throws XMLStreamException {
    List<Change> changes = comparison.changes();
    xml.writeStartDocument("UTF-8", "1.0");
    line(0);
    xml.writeStartElement("testsuite");
    attribute("name", "kvrank compare " + comparison.candidate().manifest().scenario());
    attribute("tests", Integer.toString(changes.size()));
    attribute("failures", Long.toString(changes.stream().filter(c -> c.verdict().bad()).count()));
    attribute("errors", "0");
    attribute("skipped", Long.toString(changes.stream().filter(JunitXml::skipped).count()));
    for (Change change : changes) {
      line(1);
      test(change);
    }
    line(0);
    xml.writeEndElement();
    line(0);
    xml.writeEndDocument();
  }

  private static boolean skipped(Change change) {
    return change.verdict() == Verdict.UNDECIDED || change.verdict() == Verdict.NOT_COMPARED;
  }

  private void test(Change change) throws XMLStreamException {
    xml.writeStartElement("testcase");
    attribute("classname", ComparisonReport.where(change));
    attribute("name", change.engine() + " " + ComparisonReport.metric(change));
    line(2);
    if (change.verdict().bad()) {
      xml.writeStartElement("failure");
      attribute("type", change.verdict().label());
      attribute("message", ComparisonReport.message(change));
      xml.writeEndElement();
    } else if (skipped(change)) {
      xml.writeStartElement("skipped");
      attribute("message", change.verdict().label() + ": " + change.reason());
      xml.writeEndElement();
    } else {
      xml.writeStartElement("system-out");
      xml.writeCharacters(
          Width.oneLine(change.verdict().label() + ": " + ComparisonReport.message(change)));
      xml.writeEndElement();
    }
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
