package io.gcdiag.loadtests;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.loadtests.Lead.Verdict;
import io.gcdiag.stats.Correlation;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Holds every series of the inputs against the tail of the latency. */
public final class Correlator {

  /** With fewer intervals only coefficients above 0.63 differ from 0, and one of them decides. */
  public static final int FEWEST_INTERVALS = 10;

  /** How many intervals a series may be ahead or behind. */
  public static final int MOST_SHIFT = 3;

  /** A correction for more would leave nothing to be found, and more would not be read. */
  private static final int MOST_SERIES = 100;

  private final Timeline timeline;
  private final CorrelationRequest request;
  private final List<String> notes = new ArrayList<>();

  private Correlator(Timeline timeline, CorrelationRequest request) {
    this.timeline = timeline;
    this.request = request;
  }

  public static Correlations correlate(Timeline timeline, CorrelationRequest request) {
    return new Correlator(timeline, request).result();
  }

  private Correlations result() {
    Optional<Tail> tail = Tail.of(timeline, request);
    if (tail.isEmpty()) {
      return new Correlations(
          timeline.inputs(),
          Optional.empty(),
          "There is no latency over time in the files: give raw results of the load test, a scraped"
              + " histogram of requests, or a latency of a metric export (--map SERIES=latency).",
          List.of(),
          List.of(),
          notes);
    }
    notes.addAll(tail.get().notes());
    // What never changes is related to nothing, and that is not the other series' fault.
    List<Lead> leads = Correlation.varies(tail.get().seconds()) ? leads(tail.get()) : List.of();
    otherViews(tail.get());
    Candidates.missing(timeline).ifPresent(notes::add);
    return new Correlations(
        timeline.inputs(),
        Optional.of(basis(tail.get())),
        CorrelationSummary.of(tail.get(), leads),
        leads,
        TimerSplit.of(timeline, tail.get().grid().whole()),
        notes);
  }

  private static Correlations.Basis basis(Tail tail) {
    return new Correlations.Basis(
        tail.name(),
        tail.source(),
        tail.grid().step(),
        tail.reason(),
        tail.grid().whole(),
        tail.grid().count(),
        Readings.known(tail.seconds()));
  }

  private List<Lead> leads(Tail tail) {
    List<Measured> measured = new ArrayList<>();
    List<String> elsewhere = new ArrayList<>();
    List<String> constant = new ArrayList<>();
    int left = 0;
    for (Candidate candidate : Candidates.of(timeline, tail)) {
      Measured one = Measured.of(candidate, tail.seconds());
      if (one.intervals() == 0) {
        elsewhere.add(candidate.name());
      } else if (one.intervals() >= Correlation.FEWEST_PAIRS && one.pearson().isEmpty()) {
        constant.add(candidate.name());
      } else if (measured.size() == MOST_SERIES) {
        left++;
      } else {
        measured.add(one);
      }
    }
    note("nothing is known at the time of the tail of", elsewhere);
    note("left out because they do not vary:", constant);
    if (left > 0) {
      notes.add("left out: " + left + " series beyond the first " + MOST_SERIES + " of the inputs");
    }
    return Leads.of(measured, tail.grid());
  }

  private void note(String what, List<String> names) {
    if (!names.isEmpty()) {
      notes.add(what + " " + CorrelationSummary.listed(names));
    }
  }

  private void otherViews(Tail tail) {
    long same =
        timeline.metrics().stream()
            .filter(series -> MetricCandidates.SAME_AS_TAIL.contains(series.meaning()))
            .count();
    boolean tailIsOneOfThem = tail.requests().isEmpty();
    if (same > (tailIsOneOfThem ? 1 : 0)) {
      notes.add(
          "latencies of the metric exports are not compared with the tail: they are the same");
    }
  }

  /** What moves with the tail, in one sentence. */
  private static final class CorrelationSummary {

    /** Names in one sentence. */
    private static final int MOST_NAMES = 8;

    private CorrelationSummary() {}

    static String of(Tail tail, List<Lead> leads) {
      int known = Readings.known(tail.seconds());
      if (known < Correlator.FEWEST_INTERVALS) {
        return "Not enough data: %s is known in %s%s%s, and at least %s are needed."
            .formatted(
                tail.name(),
                known,
                known == 1 ? " interval of " : " intervals of ",
                Durations.format(tail.grid().step()),
                Correlator.FEWEST_INTERVALS);
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
      return answer
          + (shifted.isEmpty() ? "." : "; with a shift in time: " + listed(shifted) + ".");
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
}
