package io.gcdiag.ingest.load;

import io.gcdiag.ingest.format.FileHead;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.regex.Pattern;

/** What hey prints at the end of a run. */
public final class HeyFormat extends LoadFormat {

  /** The format's public name. */
  public static final String ID = "hey";

  private static final Pattern SUMMARY = Pattern.compile("(?m)^Summary:\\s+Total:\\s+\\S+ secs");

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "the output of hey";
  }

  @Override
  public boolean recognises(FileHead head) {
    return head.holds(SUMMARY, "Requests/sec:");
  }

  @Override
  LoadRun read(LoadText text, String file) throws IOException {
    HeyOutput output = new HeyOutput(file);
    BufferedReader lines = new BufferedReader(text);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      output.line(line);
    }
    return output.run();
  }
}
