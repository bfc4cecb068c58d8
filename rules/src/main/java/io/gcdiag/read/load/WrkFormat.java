package io.gcdiag.read.load;

import io.gcdiag.evidence.LoadModel;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.load.PrintedLines.Printed;
import io.gcdiag.units.Rate;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
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
    output.lines().read(text);
    return output.run(file);
  }

  private static final class WrkOutput {

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

    PrintedLines lines() {
      return new PrintedLines()
          // wrk2 prints this second part on demand: latencies without the delay before sending.
          .on(
              "\\s+Latency Distribution \\(HdrHistogram - Uncorrected.*",
              line -> uncorrected = true)
          // Only wrk2 keeps to a schedule, which its threads calibrate, and has a fine histogram.
          .on("\\s+Latency Distribution \\(HdrHistogram.*", line -> ofWrk2 = true)
          .on("\\s+Thread calibration: .*", line -> ofWrk2 = true)
          .on("\\s+\\d+ threads and (\\d+) connections", line -> connections = line.count(1))
          // Some builds of wrk2 print the 99th percentile in place of the longest.
          .on(
              "\\s+Thread Stats\\s+Avg\\s+Stdev\\s+(\\S+).*",
              line -> longestIsThere = line.text(1).equals("Max"))
          .on("\\s+Latency\\s+(\\S+)\\s+\\S+\\s+(\\S+).*", this::latency)
          .on("\\s*(\\d+(?:\\.\\d+)?)%\\s+(\\S+)\\s*", this::percentile)
          .on("\\s+(\\d+) requests in .*", line -> answered = OptionalLong.of(line.count(1)))
          .on(
              "\\s+Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout (\\d+)",
              this::errors)
          .on("\\s+Non-2xx or 3xx responses: (\\d+)", line -> notOk = line.count(1))
          .on("Requests/sec:\\s+([\\d.]+)", line -> rate = Optional.of(new Rate(line.figure(1))));
    }

    private void latency(Printed line) {
      mean = line.time(1).or(() -> mean);
      if (longestIsThere) {
        longest = line.time(2).or(() -> longest);
      }
    }

    private void percentile(Printed line) {
      Optional<Duration> latency = line.time(2);
      if (uncorrected || latency.isEmpty()) {
        return;
      }
      if (line.figure(1) == ALL) {
        longest = latency;
      } else {
        percentiles.put(line.figure(1), latency.get());
      }
    }

    private void errors(Printed line) {
      unanswered = line.count(1) + line.count(2) + line.count(3);
      timeouts = line.count(4);
    }

    LoadRun run(String file) throws IOException {
      if (answered.isEmpty()) {
        throw new IOException(
            "wrk ended without a result: no line such as '764 requests in 4.00s'");
      }
      RequestStats.Builder stats =
          new RequestStats.Builder(ofWrk2 ? "wrk2" : "wrk", new Source(file, "Latency"))
              .model(ofWrk2 ? LoadModel.OPEN : LoadModel.CLOSED);
      // A request that timed out may still be answered and counted; other errors end one request
      // each.
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
