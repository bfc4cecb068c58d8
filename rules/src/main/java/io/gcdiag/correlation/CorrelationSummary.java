package io.gcdiag.correlation;

import io.gcdiag.correlation.Lead.Verdict;
import io.gcdiag.stats.Correlation;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.List;

/** What moves with the tail, in one sentence. */
final class CorrelationSummary {

  /** Names in one sentence. */
  private static final int MOST_NAMES = 8;

  private CorrelationSummary() {}

  static String of(Tail tail, List<Lead> leads) {
    int known = Readings.known(tail.seconds());
    if (known < Correlator.FEWEST_INTERVALS) {
      return "Not enough data: "
          + tail.name()
          + " is known in "
          + known
          + (known == 1 ? " interval of " : " intervals of ")
          + Durations.format(tail.grid().step())
          + ", and at least "
          + Correlator.FEWEST_INTERVALS
          + " are needed.";
    }
    if (!Correlation.varies(tail.seconds())) {
      return tail.name() + " was constant: nothing can move with it.";
    }
    if (leads.isEmpty()) {
      return "There is nothing to compare " + tail.name() + " with.";
    }
    List<String> moving = names(leads, Verdict.MOVES);
    List<String> shifted = names(leads, Verdict.SHIFTED);
    String of = moving.size() + " of " + leads.size() + " series ";
    String answer =
        moving.isEmpty()
            ? "None of " + leads.size() + " series is shown to move with " + tail.name()
            : of
                + (moving.size() == 1 ? "moves with " : "move with ")
                + tail.name()
                + ": "
                + listed(moving);
    return answer + (shifted.isEmpty() ? "." : "; with a shift in time: " + listed(shifted) + ".");
  }

  private static List<String> names(List<Lead> leads, Verdict verdict) {
    return leads.stream()
        .filter(lead -> lead.verdict() == verdict)
        .map(
            lead ->
                lead.name()
                    + " (r = "
                    + coefficient(
                        verdict == Verdict.SHIFTED
                            ? lead.shift().orElseThrow().pearson()
                            : lead.strength().orElseThrow().pearson())
                    + ")")
        .toList();
  }

  /** The first names, and how many more there are. */
  static String listed(List<String> names) {
    int more = names.size() - MOST_NAMES;
    return String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())))
        + (more > 0 ? " and " + more + " more" : "");
  }

  private static String coefficient(double r) {
    return Numbers.decimals(r, 2);
  }
}
