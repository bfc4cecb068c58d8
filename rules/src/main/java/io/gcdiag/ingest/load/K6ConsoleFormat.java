package io.gcdiag.ingest.load;

import io.gcdiag.ingest.format.FileHead;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.regex.Pattern;

/** What k6 prints at the end of a run, with or without what it prints before. */
public final class K6ConsoleFormat extends LoadFormat {

  /** The format's public name. */
  public static final String ID = "k6-console";

  /** The summary's own line, or what stands above the lines of progress. */
  private static final Pattern START =
      Pattern.compile(
          "(?:^|\\s)(?:(?:http|grpc)_req_duration\\.{2,}: |scenarios: \\(\\d[^\n]*max VUs)");

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "the output of k6";
  }

  @Override
  public boolean recognises(FileHead head) {
    return head.holds(START, "_req_duration..", "scenarios: (");
  }

  @Override
  LoadRun read(LoadText text, String file) throws IOException {
    K6Console output = new K6Console(file);
    BufferedReader lines = new BufferedReader(text);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      output.line(line);
    }
    return output.run();
  }
}
