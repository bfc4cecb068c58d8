package io.gcdiag.read.load;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Source;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/** Makes requests of JMeter's samples, which CSV and XML tell alike. */
final class JmeterSamples {

  /** What a transaction controller writes into the message of the sample that sums up others. */
  private static final String TRANSACTION = "Number of samples in transaction";

  private final RunRecorder requests = new RunRecorder(false);
  private final LoadText text;
  private boolean failuresKnown;
  private long users;

  JmeterSamples(LoadText text) {
    this.text = text;
  }

  /** Whether the sample is no request, but the sum of others. */
  static boolean isTransaction(String message) {
    return message.startsWith(TRANSACTION);
  }

  /**
   * Adds a sample.
   *
   * @param start in milliseconds since 1970
   * @param elapsed milliseconds
   * @param success {@code true}, {@code false}, or empty if it was not saved
   * @param threads threads running at that time, if saved
   * @param label the sampler's name; empty if it was not saved
   */
  void add(
      OptionalLong start,
      OptionalLong elapsed,
      String success,
      OptionalLong threads,
      String label) {
    boolean ok = success.equals("true");
    boolean readable =
        start.isPresent()
            && elapsed.isPresent()
            && elapsed.getAsLong() <= RunRecorder.LONGEST_LATENCY.toMillis()
            && (ok || success.equals("false") || success.isEmpty());
    if (!readable
        || !requests.add(
            Instant.ofEpochMilli(start.getAsLong()),
            Duration.ofMillis(elapsed.getAsLong()),
            !ok && !success.isEmpty(),
            label)) {
      text.damaged();
      return;
    }
    failuresKnown |= !success.isEmpty();
    users = Math.max(users, threads.orElse(0));
  }

  /** All samples were added. */
  LoadRun run(String file, String place) throws IOException {
    Source source = new Source(file, place);
    RequestStats.Builder stats = new RequestStats.Builder(JmeterFormat.PRODUCER, source);
    if (failuresKnown) {
      stats.failed(requests.failed());
    }
    if (users > 0) {
      stats.users(users);
    }
    return requests.run(JmeterFormat.PRODUCER, stats, source);
  }
}
