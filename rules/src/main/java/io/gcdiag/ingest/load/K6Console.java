package io.gcdiag.ingest.load;

import io.gcdiag.evidence.LoadModel;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Source;
import io.gcdiag.units.Rate;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An output of k6, line by line. */
final class K6Console {

  /** Colours and movements of the cursor, where the output of a terminal was kept. */
  private static final Pattern ESCAPES = Pattern.compile("\u001B\\[[0-9;?]*[A-Za-z]");

  /** A metric's line; a mark of its thresholds or a log collector's prefix may stand before it. */
  private static final Pattern METRIC =
      Pattern.compile(
          "(?:.*\\s)?(http_req_duration|http_req_failed|http_reqs|dropped_iterations|vus)"
              + "\\.{2,}: (.*)");

  private static final Pattern FIGURE =
      Pattern.compile("(avg|med|max|p\\((\\d+(?:\\.\\d+)?)\\))=(\\S+)");
  private static final Pattern COUNT_AND_RATE =
      Pattern.compile("\\s*(\\d+)\\s+(\\d+(?:\\.\\d+)?)/s\\b.*");

  /** {@code 0.00% 0 out of 481}; before 1.0 {@code 0.00% ✓ 0 ✗ 481}: the first count failed. */
  private static final Pattern FAILED = Pattern.compile("\\s*\\S+%\\s+(?:\\S\\s+)?(\\d+)\\s.*");

  private static final Pattern USERS = Pattern.compile(".*\\bmax=(\\d+).*");

  private static final Pattern BY_RATE = Pattern.compile(".*\\s\\* .*\\biterations/s for .*");
  private static final Pattern BY_USERS =
      Pattern.compile(
          ".*\\s\\* .*\\b(?:looping VUs for|iterations for each of|iterations shared among) .*");

  private static final double MEDIAN = 50;

  private final RequestStats.Builder stats;
  private final Set<LoadModel> models = EnumSet.noneOf(LoadModel.class);
  private boolean counted;

  K6Console(String file) {
    stats = new RequestStats.Builder("k6", new Source(file, "http_req_duration"));
  }

  void line(String printed) {
    String line = ESCAPES.matcher(printed).replaceAll("");
    Matcher metric = METRIC.matcher(line);
    if (metric.matches()) {
      metric(metric.group(1), metric.group(2) + " ");
    } else if (BY_RATE.matcher(line).matches()) {
      models.add(LoadModel.OPEN);
    } else if (BY_USERS.matcher(line).matches()) {
      models.add(LoadModel.CLOSED);
    }
  }

  private void metric(String name, String figures) {
    switch (name) {
      case "http_req_duration" -> latencies(FIGURE.matcher(figures));
      case "http_req_failed" -> count(FAILED, figures).ifPresent(stats::failed);
      case "vus" -> count(USERS, figures).ifPresent(stats::users);
      case "http_reqs" -> requests(COUNT_AND_RATE.matcher(figures));
      default -> count(COUNT_AND_RATE, figures).ifPresent(stats::dropped);
    }
  }

  private static Optional<Long> count(Pattern pattern, String figures) {
    Matcher matcher = pattern.matcher(figures);
    return matcher.matches() ? Optional.of(Lines.count(matcher.group(1))) : Optional.empty();
  }

  private void requests(Matcher matcher) {
    if (matcher.matches()) {
      stats.requests(Lines.count(matcher.group(1)));
      stats.rate(new Rate(Lines.figure(matcher.group(2))));
      counted = true;
    }
  }

  private void latencies(Matcher figure) {
    while (figure.find()) {
      Optional<Duration> latency = Lines.time(figure.group(3));
      if (latency.isEmpty()) {
        continue;
      }
      switch (figure.group(1)) {
        case "avg" -> stats.mean(latency.get());
        case "med" -> stats.percentile(MEDIAN, latency.get());
        case "max" -> stats.longest(latency.get());
        default -> stats.percentile(Lines.figure(figure.group(2)), latency.get());
      }
    }
  }

  LoadRun run() throws IOException {
    if (!counted) {
      throw new IOException("k6 ended without its summary: no line of http_reqs");
    }
    // Scenarios of both kinds in one run have no model together.
    if (models.size() == 1) {
      stats.model(models.iterator().next());
    }
    return LoadRun.of(stats.build());
  }
}
