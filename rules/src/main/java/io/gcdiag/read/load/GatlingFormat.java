package io.gcdiag.read.load;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.FileHead;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The {@code simulation.log} of Gatling up to 3.10: lines of values between tabs, which begin with
 * the kind of record. Later versions write a binary file, which is known but not read.
 */
public final class GatlingFormat extends LoadFormat {

  private static final String PRODUCER = "Gatling";

  private static final String REQUEST = "REQUEST\t";
  private static final String USER = "USER\t";

  private static final Pattern TEXT =
      Pattern.compile("(?:ASSERTION\t\\S*\\R)*RUN\t[^\t\\n]*\t[^\t\\n]*\t\\d+.*", Pattern.DOTALL);

  /** The first record holds the version: a length in four bytes, then characters. */
  private static final Pattern BINARY =
      Pattern.compile("\0\0\0\0[\5-\40]\\d\\.\\d+\\.\\d+.*", Pattern.DOTALL);

  private static final String GOOD = "OK";
  private static final String BAD = "KO";

  public GatlingFormat() {
    super("gatling", "a simulation.log of Gatling up to 3.10");
  }

  @Override
  public boolean recognises(FileHead head) {
    return TEXT.matcher(head.text()).matches() || BINARY.matcher(head.text()).matches();
  }

  @Override
  LoadRun read(LoadText text, String file) throws IOException {
    BufferedReader lines = new BufferedReader(text);
    lines.mark(1);
    // Zero bytes were removed from the text, including those at the beginning of such a log.
    if (!Character.isLetter(lines.read())) {
      throw new IOException(
          "a binary simulation.log, as Gatling writes it from 3.11 on; give the output of another"
              + " tool or a log of Gatling up to 3.10");
    }
    lines.reset();
    RunRecorder requests = new RunRecorder(false);
    long users = 0;
    long most = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(REQUEST)) {
        request(line, requests, text);
      } else if (line.startsWith(USER)) {
        users += line.contains("\tSTART\t") ? 1 : line.contains("\tEND\t") ? -1 : 0;
        most = Math.max(most, users);
      }
    }
    Source source = new Source(file, REQUEST.strip());
    RequestStats.Builder stats = new RequestStats.Builder(PRODUCER, source);
    stats.failed(requests.failed());
    if (most > 0) {
      stats.users(most);
    }
    return requests.run(PRODUCER, stats, source);
  }

  /**
   * A request. Versions differ in the fields before the two times (some have the user's name), but
   * the outcome always follows the times.
   */
  private static void request(String line, RunRecorder requests, LoadText text) {
    String[] values = line.split("\t", -1);
    for (int i = 3; i < values.length; i++) {
      if (!values[i].equals(GOOD) && !values[i].equals(BAD)) {
        continue;
      }
      OptionalLong start = Table.number(values[i - 2]);
      OptionalLong end = Table.number(values[i - 1]);
      if (start.isPresent()
          && end.isPresent()
          && requests.add(
              Instant.ofEpochMilli(start.getAsLong()),
              Duration.ofMillis(end.getAsLong() - start.getAsLong()),
              values[i].equals(BAD),
              values[i - 3])) {
        return;
      }
    }
    text.damaged();
  }
}
