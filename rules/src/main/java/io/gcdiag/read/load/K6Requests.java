package io.gcdiag.read.load;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Source;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Converts k6's samples into requests. Each request has some ten consecutive samples, all with the
 * time at which it ended.
 */
final class K6Requests {

  static final String LATENCY = "http_req_duration";
  static final String CALL_LATENCY = "grpc_req_duration";
  static final String FAILED = "http_req_failed";
  static final String DROPPED = "dropped_iterations";
  static final String USERS = "vus";

  /** The code of a gRPC call that succeeded. */
  private static final String GRPC_OK = "0";

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double LONGEST_MILLIS = 1e10;

  /**
   * A timestamp in whole seconds is the start of the second; on average the request ended in its
   * middle.
   */
  private static final Duration MIDDLE = Duration.ofMillis(500);

  private final LoadText text;
  private final RunRecorder requests;
  private final boolean wholeSeconds;
  private final Set<String> seen = new TreeSet<>();
  private final Map<String, Map<String, Double>> thresholds = new HashMap<>();
  private boolean pending;
  private Instant ended = Instant.EPOCH;
  private double millis;
  private boolean failed;
  private String endpoint = "";
  private boolean failuresKnown;
  private double dropped;
  private long users;

  K6Requests(LoadText text, boolean wholeSeconds) {
    this.text = text;
    this.wholeSeconds = wholeSeconds;
    requests = new RunRecorder(wholeSeconds);
  }

  /**
   * One sample of k6.
   *
   * @param metric what it is of
   * @param at its stamp; of a request, the end
   * @param value not negative
   * @param expected the tag {@code expected_response}; empty where the test did not ask for it
   * @param status the tag {@code status}: of a gRPC call its code, of which 0 is success; empty
   *     where there is none
   * @param endpoint the tags {@code method} and {@code name}; empty where there are none
   */
  record K6Sample(
      String metric, Instant at, double value, String expected, String status, String endpoint) {}

  /** Whether samples of this metric are wanted. */
  static boolean uses(String metric) {
    return metric.equals(LATENCY)
        || metric.equals(CALL_LATENCY)
        || metric.equals(FAILED)
        || metric.equals(DROPPED)
        || metric.equals(USERS);
  }

  void add(K6Sample sample) {
    switch (sample.metric()) {
      case LATENCY ->
          begin(sample, sample.expected().equals("false"), !sample.expected().isEmpty());
      case CALL_LATENCY ->
          begin(sample, !sample.status().equals(GRPC_OK), !sample.status().isEmpty());
      case FAILED -> {
        // The tag may be switched off; the sample of this name then belongs to the same request.
        failed |= sample.value() != 0;
        failuresKnown = true;
      }
      case DROPPED -> dropped += sample.value();
      case USERS -> users = Math.max(users, Math.round(sample.value()));
      default -> {
        // Something else that the test measured.
      }
    }
  }

  void target(String metric, String threshold) {
    K6SummaryFormat.target(thresholds, metric, threshold);
  }

  private void begin(K6Sample sample, boolean fails, boolean known) {
    flush();
    pending = true;
    seen.add(sample.metric());
    ended = sample.at();
    millis = sample.value();
    endpoint = sample.endpoint();
    failed = fails && known;
    failuresKnown |= known;
  }

  private void flush() {
    if (!pending) {
      return;
    }
    pending = false;
    if (!RunRecorder.isPossible(ended) || millis > LONGEST_MILLIS) {
      text.damaged();
      return;
    }
    Duration latency = Duration.ofNanos(Math.round(millis * NANOS_PER_MILLI));
    Instant end = wholeSeconds ? ended.plus(MIDDLE) : ended;
    if (!requests.add(end.minus(latency), latency, failed, endpoint)) {
      text.damaged();
    }
  }

  LoadRun run(String file) throws IOException {
    flush();
    if (requests.requests() == 0) {
      throw new IOException(
          "these samples of k6 hold no request (" + LATENCY + ", " + CALL_LATENCY + ")");
    }
    Source source = new Source(file, String.join(", ", seen));
    RequestStats.Builder stats = new RequestStats.Builder(K6SummaryFormat.PRODUCER, source);
    stats.dropped(Math.round(dropped));
    K6SummaryFormat.targets(thresholds, seen.contains(LATENCY) ? LATENCY : CALL_LATENCY, stats);
    if (failuresKnown) {
      stats.failed(requests.failed());
    }
    if (users > 0) {
      stats.users(users);
    }
    return requests.run(K6SummaryFormat.PRODUCER, stats, source);
  }
}
