package io.gcdiag.cli.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.cli.SampleDiagnosis;
import io.gcdiag.cli.SampleQuotes;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.verdict.Diagnosis;
import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class JunitReportTest {

  private static Element suite(Diagnosis diagnosis) throws Exception {
    String xml = ReportFormat.JUNIT.render(new DiagnosisDocument(diagnosis), Look.PLAIN);
    return (Element)
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(xml)))
            .getElementsByTagName("testsuite")
            .item(0);
  }

  private static Element test(Element suite, int index) {
    return (Element) suite.getElementsByTagName("testcase").item(index);
  }

  @Test
  void suspectsFailAndWhatIsRuledOutPasses() throws Exception {
    Element suite = suite(SampleDiagnosis.memoryPressure());
    // The conclusion, the suspect and what contributes.
    assertEquals("3", suite.getAttribute("failures"));
    // What cannot be judged.
    assertEquals("1", suite.getAttribute("skipped"));
    assertEquals("conclusion", test(suite, 0).getAttribute("name"));
    Element suspect = test(suite, 1);
    assertEquals("memory-pressure", suspect.getAttribute("name"));
    Element failure = (Element) suspect.getElementsByTagName("failure").item(0);
    assertTrue(failure.getAttribute("message").startsWith("PRIMARY SUSPECT: free ratio 21.1 %"));
    assertTrue(failure.getTextContent().contains("(256 MiB - 202 MiB) / 256 MiB = 21.1 %"));
    assertEquals("connection-pool-undersized", test(suite, 4).getAttribute("name"));
    assertEquals(0, test(suite, 4).getElementsByTagName("failure").getLength());
  }

  @Test
  void whatCouldNotBeJudgedIsSkippedAndHealthPasses() throws Exception {
    Element undecided = suite(SampleDiagnosis.undecided());
    assertEquals(undecided.getAttribute("tests"), undecided.getAttribute("skipped"));
    Element healthy = suite(SampleDiagnosis.healthy());
    assertEquals("0", healthy.getAttribute("failures"));
    assertEquals("0", healthy.getAttribute("skipped"));
  }

  @Test
  void namesAreTextWhateverTheyHold() throws Exception {
    String hostile = "]]></failure><x a='b\"&\u0000\u001B[31m\uFFFE";
    Element failure =
        (Element) suite(SampleQuotes.everywhere(hostile)).getElementsByTagName("failure").item(1);
    assertTrue(failure.getTextContent().contains("]]></failure><x a='b\"&?"));
  }
}
