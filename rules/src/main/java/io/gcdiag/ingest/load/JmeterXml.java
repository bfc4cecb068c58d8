package io.gcdiag.ingest.load;

import java.io.IOException;
import java.io.Reader;
import java.util.OptionalLong;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads JTL files of JMeter that are XML. Samples may hold others: a page its images and redirects,
 * which belong to it and do not count, a transaction its requests, which do.
 */
final class JmeterXml {

  private JmeterXml() {}

  static LoadRun read(Reader from, LoadText text, String file) throws IOException {
    JmeterSamples samples = new JmeterSamples(text);
    try {
      XMLStreamReader xml = factory().createXMLStreamReader(from);
      samples(xml, samples);
      xml.close();
    } catch (XMLStreamException e) {
      if (e.getNestedException() instanceof IOException cause) {
        throw cause;
      }
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNumber();
      text.endsAt("not closed, or damaged, at line " + line);
    }
    return samples.run(file, "httpSample");
  }

  /** A result names no other files, and none are looked at. */
  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, false);
    return factory;
  }

  private static void samples(XMLStreamReader xml, JmeterSamples samples)
      throws XMLStreamException {
    int inside = 0;
    while (xml.hasNext()) {
      int event = xml.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        boolean counts = inside == 0 && isSample(xml) && !isTransaction(xml);
        if (counts) {
          samples.add(
              number(xml, "ts"),
              number(xml, "t"),
              attribute(xml, "s"),
              number(xml, "na"),
              attribute(xml, "lb"));
        }
        inside += counts || inside > 0 ? 1 : 0;
      } else if (event == XMLStreamConstants.END_ELEMENT && inside > 0) {
        inside--;
      }
    }
  }

  private static boolean isSample(XMLStreamReader xml) {
    return xml.getLocalName().equals("httpSample") || xml.getLocalName().equals("sample");
  }

  private static boolean isTransaction(XMLStreamReader xml) {
    return JmeterSamples.isTransaction(attribute(xml, "rm"));
  }

  private static String attribute(XMLStreamReader xml, String name) {
    String value = xml.getAttributeValue(null, name);
    return value == null ? "" : value;
  }

  private static OptionalLong number(XMLStreamReader xml, String name) {
    return Table.number(attribute(xml, name));
  }
}
