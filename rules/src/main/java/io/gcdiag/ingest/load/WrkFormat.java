package io.gcdiag.ingest.load;

import io.gcdiag.evidence.requests.LoadModel;
import io.gcdiag.evidence.requests.RequestStats;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.ingest.format.FileHead;
import io.gcdiag.units.Rate;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What wrk and wrk2 print at the end of a run. */
public final class WrkFormat extends LoadFormat {

  private static final Pattern START = Pattern.compile("(?m)^Running \\S+ test @ \\S+");

  public WrkFormat() {
    super("wrk", "the output of wrk or wrk2");
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

  /** An output of wrk or wrk2, line by line. */
  private static final class WrkOutput {

    /** wrk2 alone keeps to a schedule, which its threads calibrate, and prints a fine histogram. */
    private static final Pattern OF_WRK2 =
        Pattern.compile("\\s+Thread calibration: .*|\\s+Latency Distribution \\(HdrHistogram.*");

    /** What wrk2 prints a second time on demand: latencies that forget the delay before sending. */
    private static final Pattern UNCORRECTED =
        Pattern.compile("\\s+Latency Distribution \\(HdrHistogram - Uncorrected.*");

    private static final Pattern CONNECTIONS =
        Pattern.compile("\\s+\\d+ threads and (\\d+) connections");
    private static final Pattern COLUMNS =
        Pattern.compile("\\s+Thread Stats\\s+Avg\\s+Stdev\\s+(\\S+).*");
    private static final Pattern LATENCY =
        Pattern.compile("\\s+Latency\\s+(\\S+)\\s+\\S+\\s+(\\S+).*");
    private static final Pattern PERCENTILE =
        Pattern.compile("\\s*(\\d+(?:\\.\\d+)?)%\\s+(\\S+)\\s*");
    private static final Pattern REQUESTS = Pattern.compile("\\s+(\\d+) requests in .*");
    private static final Pattern ERRORS =
        Pattern.compile(
            "\\s+Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout (\\d+)");
    private static final Pattern NOT_OK = Pattern.compile("\\s+Non-2xx or 3xx responses: (\\d+)");
    private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([\\d.]+)");

    private static final double ALL = 100;

    private final Map<Double, Duration> percentiles = new TreeMap<>();
    private Optional<Duration> mean = Optional.empty();
    private Optional<Duration> longest = Optional.empty();
    private Optional<Rate> rate = Optional.empty();
    private OptionalLong answered = OptionalLong.empty();
    private long unanswered;
    private long timeouts;
    private long notOk;
    private long connections;
    private boolean ofWrk2;
    private boolean uncorrected;
    private boolean longestIsThere;

    void line(String line) {
      ofWrk2 |= OF_WRK2.matcher(line).matches();
      uncorrected |= UNCORRECTED.matcher(line).matches();
      Matcher matcher = CONNECTIONS.matcher(line);
      if (matcher.matches()) {
        connections = LoadFigures.count(matcher.group(1));
      } else if (matcher.usePattern(COLUMNS).matches()) {
        // Some builds of wrk2 print the 99th percentile in this place.
        longestIsThere = matcher.group(1).equals("Max");
      } else if (matcher.usePattern(LATENCY).matches()) {
        mean = LoadFigures.time(matcher.group(1)).or(() -> mean);
        if (longestIsThere) {
          longest = LoadFigures.time(matcher.group(2)).or(() -> longest);
        }
      } else if (matcher.usePattern(PERCENTILE).matches()) {
        percentile(LoadFigures.figure(matcher.group(1)), LoadFigures.time(matcher.group(2)));
      } else {
        counts(line);
      }
    }

    private void percentile(double percentile, Optional<Duration> latency) {
      if (uncorrected || latency.isEmpty()) {
        return;
      }
      if (percentile == ALL) {
        longest = latency;
      } else {
        percentiles.put(percentile, latency.get());
      }
    }

    private void counts(String line) {
      Matcher matcher = REQUESTS.matcher(line);
      if (matcher.matches()) {
        answered = OptionalLong.of(LoadFigures.count(matcher.group(1)));
      } else if (matcher.usePattern(ERRORS).matches()) {
        unanswered =
            LoadFigures.count(matcher.group(1))
                + LoadFigures.count(matcher.group(2))
                + LoadFigures.count(matcher.group(3));
        timeouts = LoadFigures.count(matcher.group(4));
      } else if (matcher.usePattern(NOT_OK).matches()) {
        notOk = LoadFigures.count(matcher.group(1));
      } else if (matcher.usePattern(RATE).matches()) {
        rate = Optional.of(new Rate(LoadFigures.figure(matcher.group(1))));
      }
    }

    LoadRun run(String file) throws IOException {
      if (answered.isEmpty()) {
        throw new IOException(
            "wrk ended without a result: no line such as '764 requests in 4.00s'");
      }
      RequestStats.Builder stats =
          new RequestStats.Builder(ofWrk2 ? "wrk2" : "wrk", new Source(file, "Latency"))
              .model(ofWrk2 ? LoadModel.OPEN : LoadModel.CLOSED);
      // A request that timed out may still be answered and counted; the other errors end one each.
      long requests = answered.getAsLong() + unanswered;
      stats.requests(requests).failed(Math.min(requests, notOk + unanswered + timeouts));
      rate.ifPresent(stats::rate);
      mean.ifPresent(stats::mean);
      longest.ifPresent(stats::longest);
      percentiles.forEach(stats::percentile);
      if (connections > 0) {
        stats.users(connections);
      }
      return LoadRun.of(stats.build());
    }
  }
}
