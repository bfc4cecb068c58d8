package io.gcdiag.ingest.load;

import io.gcdiag.ingest.format.FileHead;
import java.io.BufferedReader;
import java.io.IOException;

/** Every sample of a run of k6, as JSON lines or CSV. */
public final class K6SamplesFormat extends LoadFormat {

  /** The format's public name. */
  public static final String ID = "k6-samples";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "the samples of k6 (--out json or --out csv)";
  }

  @Override
  public boolean recognises(FileHead head) {
    String line = head.text().lines().findFirst().orElse("");
    return K6Json.isFirstLine(line) || K6Csv.isFirstLine(LoadText.withoutMark(line));
  }

  @Override
  LoadRun read(LoadText text, String file) throws IOException {
    BufferedReader lines = new BufferedReader(text);
    lines.mark(1);
    boolean json = lines.read() == '{';
    lines.reset();
    return json ? K6Json.read(lines, text, file) : K6Csv.read(lines, text, file);
  }
}
