package io.gcdiag.ingest.load;

import io.gcdiag.evidence.requests.LoadModel;
import io.gcdiag.evidence.requests.RequestStats;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.ingest.format.FileHead;
import io.gcdiag.units.Rate;
import java.io.IOException;
import java.io.Reader;
import java.time.Duration;
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
    return new HeyOutput(file).read(text);
  }

  /** An output of hey. */
  private static final class HeyOutput {

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

    LoadRun read(Reader text) throws IOException {
      new PrintedLines()
          .on("\\s+Slowest:\\s+([\\d.]+) secs", line -> longest = line.seconds(1))
          .on("\\s+Average:\\s+([\\d.]+) secs", line -> stats.mean(line.seconds(1)))
          .on("\\s+Requests/sec:\\s+([\\d.]+)", line -> rate(new Rate(line.figure(1))))
          .on("\\s+[\\d.]+ \\[(\\d+)]\\s+\\|.*", line -> inBuckets += line.count(1))
          .on(
              "\\s+(\\d+)%+ in ([\\d.]+) secs",
              line -> stats.percentile(line.figure(1), line.seconds(2)))
          .on(
              "\\s+\\[(\\d{3})]\\s+(\\d+) responses",
              line -> responses(line.count(1), line.count(2)))
          .on("\\s+\\[(\\d+)]\\s+\\S.*", line -> errors += line.count(1))
          .read(text);
      return run();
    }

    private void rate(Rate rate) {
      stats.rate(rate);
      complete = true;
    }

    private void responses(long status, long count) {
      responses += count;
      failures += status >= FIRST_FAILURE ? count : 0;
    }

    private LoadRun run() throws IOException {
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
