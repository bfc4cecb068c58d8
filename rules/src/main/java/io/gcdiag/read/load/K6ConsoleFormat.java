package io.gcdiag.read.load;

import io.gcdiag.evidence.LoadModel;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.units.Rate;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What k6 prints at the end of a run, with or without what it prints before. */
public final class K6ConsoleFormat extends LoadFormat {

  /** The summary's own line, or what is above the lines of progress. */
  private static final Pattern START =
      Pattern.compile(
          "(?:^|\\s)(?:(?:http|grpc)_req_duration\\.{2,}: |scenarios: \\(\\d[^\n]*max VUs)");

  public K6ConsoleFormat() {
    super("k6-console", "the output of k6");
  }

  @Override
  public boolean recognises(FileHead head) {
    return head.holds(START, "_req_duration..", "scenarios: (");
  }

  @Override
  LoadRun read(LoadText text, String file) throws IOException {
    K6Console output = new K6Console(file);
    BufferedReader lines = new BufferedReader(text);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      output.line(line);
    }
    return output.run();
  }

  /** An output of k6, line by line. */
  private static final class K6Console {

    /** Colours and cursor movements, if the output of a terminal was saved. */
    private static final Pattern ESCAPES = Pattern.compile("\u001B\\[[0-9;?]*[A-Za-z]");

    /** A metric's line; a mark of its thresholds or a log collector's prefix may precede it. */
    private static final Pattern METRIC =
        Pattern.compile(
            "(?:.*\\s)?(http_req_duration|grpc_req_duration|http_req_failed|http_reqs"
                + "|dropped_iterations|vus)"
                + "\\.{2,}: (.*)");

    private static final Pattern FIGURE =
        Pattern.compile("(avg|med|max|p\\((\\d+(?:\\.\\d+)?)\\))=(\\S+)");
    private static final Pattern COUNT_AND_RATE =
        Pattern.compile("\\s*(\\d+)\\s+(\\d+(?:\\.\\d+)?)/s\\b.*");

    /** {@code 0.00% 0 out of 481}; before 1.0 {@code 0.00% ✓ 0 ✗ 481}: the first count failed. */
    private static final Pattern FAILED = Pattern.compile("\\s*\\S+%\\s+(?:\\S\\s+)?(\\d+)\\s.*");

    /** A threshold, below the line with the name of its metric. */
    private static final Pattern THRESHOLD = Pattern.compile(".*[✓✗] '([^']+)' .*");

    private static final Pattern USERS = Pattern.compile(".*\\bmax=(\\d+).*");

    private static final Pattern BY_RATE = Pattern.compile(".*\\s\\* .*\\biterations/s for .*");
    private static final Pattern BY_USERS =
        Pattern.compile(
            ".*\\s\\* .*\\b(?:looping VUs for|iterations for each of|iterations shared among) .*");

    private static final double MEDIAN = 50;

    private final String file;

    /** The latest value by name, because it is assigned only at the end. */
    private final Map<String, Consumer<RequestStats.Builder>> figures = new HashMap<>();

    private final Map<String, Map<String, Double>> thresholds = new HashMap<>();

    /** The last word of the line before: above thresholds, the metric. */
    private String word = "";

    private final Set<LoadModel> models = EnumSet.noneOf(LoadModel.class);
    private boolean counted;
    private boolean calls;

    K6Console(String file) {
      this.file = file;
    }

    void line(String printed) {
      String line = ESCAPES.matcher(printed).replaceAll("");
      Matcher metric = METRIC.matcher(line);
      Matcher threshold = THRESHOLD.matcher(line);
      if (threshold.matches()) {
        K6SummaryFormat.target(thresholds, word, threshold.group(1));
        return;
      }
      word = line.substring(line.stripTrailing().lastIndexOf(' ') + 1).strip();
      if (metric.matches()) {
        metric(metric.group(1), metric.group(2) + " ");
      } else if (BY_RATE.matcher(line).matches()) {
        models.add(LoadModel.OPEN);
      } else if (BY_USERS.matcher(line).matches()) {
        models.add(LoadModel.CLOSED);
      }
    }

    private void metric(String name, String text) {
      switch (name) {
        case K6Requests.LATENCY -> latencies(FIGURE.matcher(text));
        case K6Requests.CALL_LATENCY -> {
          // Calls are not counted on the console.
          calls = true;
          latencies(FIGURE.matcher(text));
        }
        case K6Requests.FAILED -> count(name, FAILED, text, RequestStats.Builder::failed);
        case K6Requests.USERS -> count(name, USERS, text, RequestStats.Builder::users);
        case "http_reqs" -> requests(name, COUNT_AND_RATE.matcher(text));
        default -> count(name, COUNT_AND_RATE, text, RequestStats.Builder::dropped);
      }
    }

    private void count(
        String name, Pattern pattern, String text, BiConsumer<RequestStats.Builder, Long> as) {
      Matcher matcher = pattern.matcher(text);
      if (matcher.matches()) {
        long number = LoadFigures.count(matcher.group(1));
        figures.put(name, stats -> as.accept(stats, number));
      }
    }

    private void requests(String name, Matcher matcher) {
      if (matcher.matches()) {
        long requests = LoadFigures.count(matcher.group(1));
        Rate rate = new Rate(LoadFigures.figure(matcher.group(2)));
        figures.put(name, stats -> stats.requests(requests).rate(rate));
        counted = true;
      }
    }

    private void latencies(Matcher figure) {
      while (figure.find()) {
        Optional<Duration> latency = LoadFigures.time(figure.group(3));
        if (latency.isEmpty()) {
          continue;
        }
        Duration told = latency.get();
        switch (figure.group(1)) {
          case "avg" -> figures.put("avg", stats -> stats.mean(told));
          case "med" -> figures.put("med", stats -> stats.percentile(MEDIAN, told));
          case "max" -> figures.put("max", stats -> stats.longest(told));
          default -> {
            double percentile = LoadFigures.figure(figure.group(2));
            figures.put("p" + percentile, stats -> stats.percentile(percentile, told));
          }
        }
      }
    }

    LoadRun run() throws IOException {
      if (!counted && !calls) {
        throw new IOException("k6 ended without its summary: no line of http_reqs");
      }
      String metric = counted ? K6Requests.LATENCY : K6Requests.CALL_LATENCY;
      RequestStats.Builder stats = new RequestStats.Builder("k6", new Source(file, metric));
      K6SummaryFormat.targets(thresholds, metric, stats);
      figures.values().forEach(figure -> figure.accept(stats));
      // Scenarios of both kinds in one run have no common model.
      if (models.size() == 1) {
        stats.model(models.iterator().next());
      }
      return LoadRun.of(stats.build());
    }
  }
}
