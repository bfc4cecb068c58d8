package io.gcdiag.ingest.load;

import io.gcdiag.ingest.format.FileHead;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.regex.Pattern;

/** What wrk and wrk2 print at the end of a run. */
public final class WrkFormat extends LoadFormat {

  /** The format's public name. */
  public static final String ID = "wrk";

  private static final Pattern START = Pattern.compile("(?m)^Running \\S+ test @ \\S+");

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "the output of wrk or wrk2";
  }

  @Override
  public boolean recognises(FileHead head) {
    return head.holds(START, "Running ");
  }

  @Override
  LoadRun read(LoadText text, String file) throws IOException {
    WrkOutput output = new WrkOutput();
    BufferedReader lines = new BufferedReader(text);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      output.line(line);
    }
    return output.run(file);
  }
}
