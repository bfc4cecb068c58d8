package io.gcdiag.read.load;

import io.gcdiag.evidence.LoadModel;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.units.Rate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/** What Apache Bench prints, and the files of its options {@code -g} and {@code -e}. */
public final class AbFormat extends LoadFormat {

  static final String PRODUCER = "ab";

  private static final int LONGEST_HEADER = 256;

  public AbFormat() {
    super("ab", "the output of Apache Bench (ab), or what its -g or -e wrote");
  }

  @Override
  public boolean recognises(FileHead head) {
    String text = LoadText.withoutMark(head.text());
    return text.startsWith(AbRequests.HEADER)
        || text.startsWith(AbPercentages.HEADER)
        || text.contains("This is ApacheBench") && AbOutput.BANNER.matcher(text).find();
  }

  @Override
  LoadRun read(LoadText text, String file) throws IOException {
    BufferedReader lines = new BufferedReader(text);
    String start = LoadText.beginning(lines, LONGEST_HEADER);
    if (start.startsWith(AbRequests.HEADER)) {
      return AbRequests.read(lines, text, file);
    }
    return start.startsWith(AbPercentages.HEADER)
        ? AbPercentages.read(lines, text, file)
        : AbOutput.read(lines, file);
  }

  /** Reads what Apache Bench prints at the end of a run. */
  private static final class AbOutput {

    private static final Pattern BANNER = Pattern.compile("(?m)^This is ApacheBench, Version ");

    private static final int ALL = 100;

    private final RequestStats.Builder stats;
    private OptionalLong requests = OptionalLong.empty();
    private long failed;
    private long notOk;

    private AbOutput(String file) {
      stats =
          new RequestStats.Builder(AbFormat.PRODUCER, new Source(file, "")).model(LoadModel.CLOSED);
    }

    static LoadRun read(Reader text, String file) throws IOException {
      AbOutput output = new AbOutput(file);
      output.lines().read(text);
      return output.run();
    }

    private PrintedLines lines() {
      return new PrintedLines()
          .on("Complete requests:\\s+(\\d+)", line -> requests = OptionalLong.of(line.count(1)))
          .on("Failed requests:\\s+(\\d+)", line -> failed = line.count(1))
          // A response whose length differs from the first one's is not a failure for today's
          // services.
          .on(
              "\\s+\\(Connect: (\\d+), Receive: (\\d+), Length: \\d+, Exceptions: (\\d+)\\)",
              line -> failed = line.count(1) + line.count(2) + line.count(3))
          .on("Non-2xx responses:\\s+(\\d+)", line -> notOk = line.count(1))
          .on("Requests per second:\\s+([\\d.]+) .*", line -> stats.rate(new Rate(line.figure(1))))
          .on("Concurrency Level:\\s+(\\d+)", line -> stats.users(line.count(1)))
          .on(
              "Time per request:\\s+([\\d.]+) \\[ms] \\(mean\\)",
              line -> stats.mean(line.millis(1)))
          .on("\\s+(\\d+)%\\s+(\\d+)(?: .*)?", line -> percentile(line.count(1), line.count(2)));
    }

    private void percentile(long percentile, long millis) {
      if (percentile == ALL) {
        stats.longest(LoadFigures.millis(millis));
      } else {
        stats.percentile(percentile, LoadFigures.millis(millis));
      }
    }

    private LoadRun run() throws IOException {
      if (requests.isEmpty()) {
        throw new IOException("ab ended without a result: no line 'Complete requests'");
      }
      long all = requests.getAsLong();
      return LoadRun.of(stats.requests(all).failed(Math.min(all, failed + notOk)).build());
    }
  }

  /**
   * Reads the file of {@code ab -e FILE}: the latency for every whole percentage of the requests,
   * without their number.
   */
  private static final class AbPercentages {

    /** How such a file begins. */
    static final String HEADER = "Percentage served,Time in ms";

    /** A hundred percentiles are too many for a report; these are the ones that ab prints. */
    private static final Set<Double> KEPT = Set.of(50.0, 75.0, 90.0, 95.0, 99.0);

    static LoadRun read(Reader rows, LoadText text, String file) throws IOException {
      Table table = new Table(rows, text, ',');
      RequestStats.Builder stats =
          new RequestStats.Builder(AbFormat.PRODUCER, new Source(file, "Percentage served"))
              .model(LoadModel.CLOSED);
      table.next();
      int kept = 0;
      while (table.next()) {
        Optional<Double> percentile = Table.decimal(table.value(0));
        Optional<Double> millis = Table.decimal(table.value(1));
        if (percentile.isEmpty() || millis.isEmpty()) {
          text.damaged();
        } else if (KEPT.contains(percentile.get())) {
          stats.percentile(percentile.get(), LoadFigures.millis(millis.get()));
          kept++;
        }
      }
      if (kept == 0) {
        throw new IOException("no percentage that can be read");
      }
      return LoadRun.of(stats.build());
    }
  }

  /**
   * Reads the file of {@code ab -g FILE}: a row for every request, sorted by latency and not by
   * time. It has each start, to the second, and latency, but not whether the request failed.
   */
  private static final class AbRequests {

    /** How such a file begins. */
    static final String HEADER = "starttime\tseconds\tctime\tdtime\tttime\twait";

    private static final int SECONDS = 1;
    private static final int TOTAL = 4;
    private static final int COLUMNS = 6;

    static LoadRun read(Reader rows, LoadText text, String file) throws IOException {
      Table table = new Table(rows, text, '\t');
      RunRecorder requests = new RunRecorder(true);
      table.next();
      while (table.next()) {
        OptionalLong start = table.number(SECONDS);
        OptionalLong millis = table.number(TOTAL);
        boolean whole = table.row().length >= COLUMNS && start.isPresent() && millis.isPresent();
        if (!whole
            || start.getAsLong() > Instant.MAX.getEpochSecond()
            || millis.getAsLong() > RunRecorder.LONGEST_LATENCY.toMillis()
            || !requests.add(
                Instant.ofEpochSecond(start.getAsLong()),
                Duration.ofMillis(millis.getAsLong()),
                false)) {
          text.damaged();
        }
      }
      Source source = new Source(file, "ttime");
      RequestStats.Builder stats =
          new RequestStats.Builder(AbFormat.PRODUCER, source).model(LoadModel.CLOSED);
      return requests.run(AbFormat.PRODUCER, stats, source);
    }
  }
}
