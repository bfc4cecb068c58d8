package io.gcdiag.read.load;

import io.gcdiag.evidence.LoadModel;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** What hey prints at the end of a run, or with {@code -o csv} of each response. */
public final class HeyFormat extends LoadFormat {

  private static final Pattern SUMMARY = Pattern.compile("(?m)^Summary:\\s+Total:\\s+\\S+ secs");

  /** The first line of the CSV output. */
  private static final String HEADER =
      "response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset";

  private static final int STATUS = 6;
  private static final int OFFSET = 7;
  private static final String PRODUCER = "hey";

  /** Represents the unknown start of the run. */
  private static final Instant SOME_DAY = Instant.parse("2001-01-01T00:00:00Z");

  /** Status codes from here on count as failures, as in other load generators. */
  private static final int FIRST_FAILURE = 400;

  public HeyFormat() {
    super("hey", "the output of hey");
  }

  @Override
  public boolean recognises(FileHead head) {
    return isCsv(head.text()) || head.holds(SUMMARY, "Requests/sec:");
  }

  @Override
  LoadRun read(LoadText text, String file) throws IOException {
    BufferedReader lines = new BufferedReader(text);
    // With a byte order mark.
    return isCsv(LoadText.beginning(lines, HEADER.length() + 1))
        ? responses(new Table(lines, text, ','), text, file)
        : new HeyOutput(file).read(lines);
  }

  private static boolean isCsv(String text) {
    return LoadText.withoutMark(text).startsWith(HEADER);
  }

  /**
   * The responses of a CSV output. Their times count from the start of the run, which the file does
   * not state, so only figures of the whole run result. Requests without a response are not in it,
   * so failures are known only as far as there was a response.
   */
  private static LoadRun responses(Table table, LoadText text, String file) throws IOException {
    RunRecorder requests = new RunRecorder(false);
    table.next();
    while (table.next()) {
      Optional<Duration> latency = seconds(table.value(0));
      Optional<Duration> offset = seconds(table.value(OFFSET));
      OptionalLong status = table.number(STATUS);
      if (latency.isEmpty()
          || offset.isEmpty()
          || status.isEmpty()
          || !requests.add(
              SOME_DAY.plus(offset.get()), latency.get(), status.getAsLong() >= FIRST_FAILURE)) {
        text.damaged();
      }
    }
    Source source = new Source(file, "response-time");
    RequestStats.Builder stats =
        new RequestStats.Builder(PRODUCER, source)
            .model(LoadModel.CLOSED)
            .failed(requests.failed());
    return LoadRun.of(requests.run(PRODUCER, stats, source).stats());
  }

  private static Optional<Duration> seconds(String text) {
    return Table.decimal(text)
        .filter(seconds -> seconds <= Durations.seconds(RunRecorder.LONGEST_RUN))
        .map(Durations::ofSeconds);
  }

  private static final class HeyOutput {

    private final RequestStats.Builder stats;
    private Duration longest = Duration.ZERO;
    private boolean complete;
    private long inBuckets;
    private long responses;
    private long failures;
    private long errors;

    HeyOutput(String file) {
      stats =
          new RequestStats.Builder(PRODUCER, new Source(file, "Latency distribution"))
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
      // An output truncated after its histogram still has the number of responses.
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
