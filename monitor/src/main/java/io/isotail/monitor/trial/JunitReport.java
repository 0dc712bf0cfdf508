package io.isotail.monitor.trial;

import io.isotail.monitor.store.StoredCause;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** A summary as a test report, in the form of JUnit's XML that build servers show. */
public final class JunitReport {
  private JunitReport() {}

  /**
   * Writes a suite of one test: that the database keeps its promise. A verdict that is neither pass
   * nor fail is an error of the test.
   */
  public static void write(TrialSummary summary, Path file) throws IOException {
    try (Writer out = Files.newBufferedWriter(file)) {
      XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(out);
      xml.writeStartDocument();
      suite(summary, xml);
      xml.writeEndDocument();
      xml.close();
    } catch (XMLStreamException e) {
      throw new IOException("no test report was written", e);
    }
  }

  private static void suite(TrialSummary summary, XMLStreamWriter xml) throws XMLStreamException {
    TrialVerdict verdict = summary.verdict();
    boolean failed = verdict == TrialVerdict.FAIL;
    boolean passed = verdict == TrialVerdict.PASS;
    String seconds = String.format(Locale.ROOT, "%.3f", summary.seconds());
    xml.writeStartElement("testsuite");
    xml.writeAttribute("name", "isotail verify-database");
    xml.writeAttribute("tests", "1");
    xml.writeAttribute("failures", failed ? "1" : "0");
    xml.writeAttribute("errors", failed || passed ? "0" : "1");
    xml.writeAttribute("time", seconds);
    xml.writeStartElement("testcase");
    xml.writeAttribute("classname", summary.config().database().name());
    xml.writeAttribute(
        "name",
        "%s gives %s"
            .formatted(
                summary.config().levels().isolations(), summary.config().levels().promises()));
    xml.writeAttribute("time", seconds);
    if (failed) {
      xml.writeStartElement("failure");
      xml.writeAttribute("message", summary.anomalies() + " anomalies break the promise");
      for (StoredCause cause : summary.causes()) {
        xml.writeCharacters(cause.id() + ": " + cause.text("title") + "\n");
      }
      xml.writeEndElement();
    } else if (!passed) {
      xml.writeEmptyElement("error");
      xml.writeAttribute("message", verdict.label());
    }
    xml.writeEndElement();
    xml.writeEndElement();
  }
}
