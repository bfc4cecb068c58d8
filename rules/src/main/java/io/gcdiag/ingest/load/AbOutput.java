package io.gcdiag.ingest.load;

import io.gcdiag.evidence.requests.LoadModel;
import io.gcdiag.evidence.requests.RequestStats;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.units.Rate;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what Apache Bench prints at the end of a run. */
final class AbOutput {

  private static final Pattern BANNER = Pattern.compile("(?m)^This is ApacheBench, Version ");

  private static final Pattern REQUESTS = Pattern.compile("Complete requests:\\s+(\\d+)");
  private static final Pattern FAILED = Pattern.compile("Failed requests:\\s+(\\d+)");

  /** A response of another length than the first one is no failure of a service of today. */
  private static final Pattern KINDS =
      Pattern.compile(
          "\\s+\\(Connect: (\\d+), Receive: (\\d+), Length: \\d+, Exceptions: (\\d+)\\)");

  private static final Pattern NOT_OK = Pattern.compile("Non-2xx responses:\\s+(\\d+)");
  private static final Pattern RATE = Pattern.compile("Requests per second:\\s+([\\d.]+) .*");
  private static final Pattern USERS = Pattern.compile("Concurrency Level:\\s+(\\d+)");
  private static final Pattern MEAN =
      Pattern.compile("Time per request:\\s+([\\d.]+) \\[ms] \\(mean\\)");
  private static final Pattern PERCENTILE = Pattern.compile("\\s+(\\d+)%\\s+(\\d+)(?: .*)?");
  private static final int ALL = 100;

  private final RequestStats.Builder stats;
  private OptionalLong requests = OptionalLong.empty();
  private long failed;
  private long notOk;

  private AbOutput(String file) {
    stats =
        new RequestStats.Builder(AbFormat.PRODUCER, new Source(file, "")).model(LoadModel.CLOSED);
  }

  /** Whether a text holds such an output. */
  static boolean isIn(String text) {
    return text.contains("This is ApacheBench") && BANNER.matcher(text).find();
  }

  static LoadRun read(BufferedReader lines, String file) throws IOException {
    AbOutput output = new AbOutput(file);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      output.line(line);
    }
    return output.run();
  }

  private void line(String line) {
    Matcher matcher = REQUESTS.matcher(line);
    if (matcher.matches()) {
      requests = OptionalLong.of(LoadFigures.count(matcher.group(1)));
    } else if (matcher.usePattern(FAILED).matches()) {
      failed = LoadFigures.count(matcher.group(1));
    } else if (matcher.usePattern(KINDS).matches()) {
      failed =
          LoadFigures.count(matcher.group(1))
              + LoadFigures.count(matcher.group(2))
              + LoadFigures.count(matcher.group(3));
    } else if (matcher.usePattern(NOT_OK).matches()) {
      notOk = LoadFigures.count(matcher.group(1));
    } else if (matcher.usePattern(RATE).matches()) {
      stats.rate(new Rate(LoadFigures.figure(matcher.group(1))));
    } else if (matcher.usePattern(USERS).matches()) {
      stats.users(LoadFigures.count(matcher.group(1)));
    } else if (matcher.usePattern(MEAN).matches()) {
      stats.mean(LoadFigures.millis(LoadFigures.figure(matcher.group(1))));
    } else if (matcher.usePattern(PERCENTILE).matches()) {
      percentile(LoadFigures.count(matcher.group(1)), LoadFigures.count(matcher.group(2)));
    }
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
