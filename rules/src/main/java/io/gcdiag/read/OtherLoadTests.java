package io.gcdiag.read;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Load tests without times beside another one. Figures of a whole test are those of one test: which
 * of several was sent to the recorded JVM cannot be seen, so one is used and the others are named.
 */
final class OtherLoadTests {

  /** Two outputs of one run may count requests that were cut off at its end, or not. */
  private static final double CUT_OFF = 0.05;

  private OtherLoadTests() {}

  /** Files that are not used, with the reason as words. */
  static Map<String, String> of(Timeline timeline) {
    Set<String> dated =
        timeline.requestSeries().stream()
            .map(series -> series.source().file())
            .collect(Collectors.toSet());
    List<RequestStats> tests = timeline.requestStats();
    // Of equal ones the first by name, so that the answer does not depend on the order.
    Optional<RequestStats> used =
        tests.stream()
            .max(
                Comparator.comparing((RequestStats test) -> dated.contains(file(test)))
                    .thenComparing(OtherLoadTests::requests)
                    .thenComparing(OtherLoadTests::file, Comparator.reverseOrder()));
    Map<String, String> others = new TreeMap<>();
    for (RequestStats test : tests) {
      boolean known =
          tests.stream()
              .filter(other -> dated.contains(file(other)))
              .anyMatch(other -> isSame(test, other));
      // The larger one of two is what was sent, and one with times may have been cut off.
      boolean larger = requests(test) > requests(used.orElseThrow());
      if (!dated.contains(file(test)) && !known && !larger && !isSame(test, used.orElseThrow())) {
        boolean byTime = dated.contains(file(used.orElseThrow()));
        others.put(file(test), reason(test, used.orElseThrow(), byTime));
      }
    }
    return others;
  }

  private static String file(RequestStats test) {
    return test.source().file();
  }

  private static long requests(RequestStats test) {
    return test.requests().orElse(0);
  }

  private static boolean isSame(RequestStats one, RequestStats other) {
    boolean counted = one.requests().isPresent() && other.requests().isPresent();
    boolean timed = one.mean().isPresent() && other.mean().isPresent();
    return (!counted || isNear(requests(one), requests(other), 1 + CUT_OFF))
        && (!timed || isNear(seconds(one.mean()), seconds(other.mean()), Policy.CLEARLY_MORE));
  }

  private static double seconds(Optional<Duration> duration) {
    return duration.map(Durations::seconds).orElse(0.0);
  }

  private static boolean isNear(double one, double other, double times) {
    return Math.max(one, other) <= times * Math.min(one, other);
  }

  private static String reason(RequestStats test, RequestStats used, boolean byTime) {
    return "another load test (%s) than %s (%s), which was used: %s"
        .formatted(
            figures(test),
            file(used),
            figures(used),
            byTime ? "it has times, this one has none" : "it has more requests, neither has times");
  }

  private static String figures(RequestStats test) {
    return (test.requests().isPresent() ? Numbers.count(requests(test)) + " requests" : "no count")
        + test.mean().map(mean -> ", mean " + Durations.format(mean)).orElse("");
  }
}
