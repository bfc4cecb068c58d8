package io.gcdiag.ingest.load;

import io.gcdiag.ingest.format.FileHead;
import java.io.BufferedReader;
import java.io.IOException;

/** What Apache Bench prints, and the files of its options {@code -g} and {@code -e}. */
public final class AbFormat extends LoadFormat {

  /** The format's public name. */
  public static final String ID = "ab";

  static final String PRODUCER = "ab";

  private static final int LONGEST_HEADER = 256;

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "the output of Apache Bench (ab), or what its -g or -e wrote";
  }

  @Override
  public boolean recognises(FileHead head) {
    String text = LoadText.withoutMark(head.text());
    return text.startsWith(AbRequests.HEADER)
        || text.startsWith(AbPercentages.HEADER)
        || AbOutput.isIn(text);
  }

  @Override
  LoadRun read(LoadText text, String file) throws IOException {
    BufferedReader lines = new BufferedReader(text);
    lines.mark(LONGEST_HEADER);
    char[] buffer = new char[LONGEST_HEADER];
    String start = new String(buffer, 0, Math.max(0, lines.read(buffer)));
    lines.reset();
    if (start.startsWith(AbRequests.HEADER)) {
      return AbRequests.read(lines, text, file);
    }
    return start.startsWith(AbPercentages.HEADER)
        ? AbPercentages.read(lines, text, file)
        : AbOutput.read(lines, file);
  }
}
