package io.gcdiag.ingest.load;

import io.gcdiag.ingest.format.FileHead;
import java.io.BufferedReader;
import java.io.IOException;

/** Results of JMeter (JTL), as CSV or XML. */
public final class JmeterFormat extends LoadFormat {

  /** The format's public name. */
  public static final String ID = "jmeter";

  static final String PRODUCER = "JMeter";

  /** Enough for an XML declaration and a comment before the first element. */
  private static final int XML_HEAD = 1024;

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "results of JMeter (JTL: CSV or XML)";
  }

  @Override
  public boolean recognises(FileHead head) {
    return isXml(head.text()) || JmeterCsv.isFirstLine(firstLine(head.text()));
  }

  private static boolean isXml(String text) {
    String head = LoadText.withoutMark(text.substring(0, Math.min(XML_HEAD, text.length())));
    return head.startsWith("<") && head.contains("<testResults");
  }

  private static String firstLine(String text) {
    return LoadText.withoutMark(text.lines().findFirst().orElse(""));
  }

  @Override
  LoadRun read(LoadText text, String file) throws IOException {
    BufferedReader lines = new BufferedReader(text);
    lines.mark(1);
    boolean xml = lines.read() == '<';
    lines.reset();
    return xml ? JmeterXml.read(lines, text, file) : JmeterCsv.read(lines, text, file);
  }
}
