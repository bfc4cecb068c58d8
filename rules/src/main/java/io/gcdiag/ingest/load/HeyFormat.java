package io.gcdiag.ingest.load;

import io.gcdiag.evidence.requests.LoadModel;
import io.gcdiag.evidence.requests.RequestStats;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.ingest.format.FileHead;
import io.gcdiag.units.Rate;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What hey prints at the end of a run. */
public final class HeyFormat extends LoadFormat {

  private static final Pattern SUMMARY = Pattern.compile("(?m)^Summary:\\s+Total:\\s+\\S+ secs");

  public HeyFormat() {
    super("hey", "the output of hey");
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

  /** An output of hey, line by line. */
  private static final class HeyOutput {

    private static final Pattern SLOWEST = Pattern.compile("\\s+Slowest:\\s+([\\d.]+) secs");
    private static final Pattern AVERAGE = Pattern.compile("\\s+Average:\\s+([\\d.]+) secs");
    private static final Pattern RATE = Pattern.compile("\\s+Requests/sec:\\s+([\\d.]+)");
    private static final Pattern BUCKET = Pattern.compile("\\s+[\\d.]+ \\[(\\d+)]\\s+\\|.*");
    private static final Pattern PERCENTILE = Pattern.compile("\\s+(\\d+)%+ in ([\\d.]+) secs");
    private static final Pattern STATUS = Pattern.compile("\\s+\\[(\\d{3})]\\s+(\\d+) responses");
    private static final Pattern ERROR = Pattern.compile("\\s+\\[(\\d+)]\\s+\\S.*");

    /** From here on a status is a failure: what other load generators count as failed. */
    private static final int FIRST_FAILURE = 400;

    private final RequestStats.Builder stats;
    private Duration longest = Duration.ZERO;
    private boolean complete;
    private long inBuckets;
    private long responses;
    private long failures;
    private long errors;

    HeyOutput(String file) {
      stats =
          new RequestStats.Builder("hey", new Source(file, "Latency distribution"))
              .model(LoadModel.CLOSED);
    }

    void line(String line) {
      Matcher matcher = SLOWEST.matcher(line);
      if (matcher.matches()) {
        longest = LoadFigures.seconds(LoadFigures.figure(matcher.group(1)));
      } else if (matcher.usePattern(AVERAGE).matches()) {
        stats.mean(LoadFigures.seconds(LoadFigures.figure(matcher.group(1))));
      } else if (matcher.usePattern(RATE).matches()) {
        stats.rate(new Rate(LoadFigures.figure(matcher.group(1))));
        complete = true;
      } else if (matcher.usePattern(BUCKET).matches()) {
        inBuckets += LoadFigures.count(matcher.group(1));
      } else if (matcher.usePattern(PERCENTILE).matches()) {
        stats.percentile(
            LoadFigures.figure(matcher.group(1)),
            LoadFigures.seconds(LoadFigures.figure(matcher.group(2))));
      } else if (matcher.usePattern(STATUS).matches()) {
        responses += LoadFigures.count(matcher.group(2));
        failures +=
            LoadFigures.count(matcher.group(1)) >= FIRST_FAILURE
                ? LoadFigures.count(matcher.group(2))
                : 0;
      } else if (matcher.usePattern(ERROR).matches()) {
        errors += LoadFigures.count(matcher.group(1));
      }
    }

    LoadRun run() throws IOException {
      // An output that is cut after its histogram still shows how many were answered.
      long answered = Math.max(responses, inBuckets);
      if (!complete || answered + errors == 0) {
        throw new IOException(
            "hey ended without a result: neither responses nor errors are counted");
      }
      stats.requests(answered + errors);
      if (answered > 0) {
        stats.longest(longest);
      }
      if (responses + errors > 0) {
        stats.failed(failures + errors);
      }
      return LoadRun.of(stats.build());
    }
  }
}
