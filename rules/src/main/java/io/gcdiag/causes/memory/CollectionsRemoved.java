package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.CauseRemoved;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Prediction.Quantity;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.stats.EventCount;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Collections and the share of time stopped once a cause of collections is gone. */
record CollectionsRemoved(MeasuredIncident incident, Cause cause) {

  /** Fewer young collections show neither their cost nor the heap after GC. */
  private static final int FEWEST_YOUNG = 3;

  /** A cause that acts through the pauses of collections. */
  abstract static class OfCause extends Cause {

    OfCause(Hypothesis about, String title, String firstAction, List<Rule> rules, Trait... traits) {
      super(about, title, firstAction, rules, traits);
    }

    @Override
    public List<Prediction> predictions(
        MeasuredIncident incident, List<Finding> findings, OptionalDouble share) {
      return andLatency(incident, this, share);
    }
  }

  /** For a cause that acts through pauses: collections, and the latency without its pauses. */
  static List<Prediction> andLatency(MeasuredIncident incident, Cause cause, OptionalDouble share) {
    List<Prediction> predictions =
        new ArrayList<>(new CollectionsRemoved(incident, cause).collections());
    predictions.add(cause.latency(incident, share));
    return predictions;
  }

  private List<Prediction> collections() {
    Timeline timeline = incident.timeline();
    CollectionCount now = CollectionCount.of(timeline, incident.window());
    Optional<CollectionCount> baseline =
        incident.baseline().map(window -> CollectionCount.of(timeline, window));
    if (cause.is(Trait.BEFORE_THE_HEAP_IS_FULL) || isAsked(baseline)) {
      List<Prediction> filled =
          new HeapSizes(incident, cause.hypothesis(), HeapUse.of(incident))
              .asItIs(CauseRemoved.change(cause));
      if (!filled.isEmpty()) {
        return filled;
      }
    }
    if (baseline.isEmpty()) {
      return refused(now, "there is no baseline in the inputs");
    }
    if (!timeline.sees(Signal.GC_PAUSES)) {
      return refused(now, "no GC is in the inputs");
    }
    CollectionsDue due = CollectionsDue.of(incident, baseline.get());
    String basis =
        "as in the baseline, within the error of counting"
            + (due.more() ? ", up to as much more as the incident allocates" : "");
    return List.of(
        prediction(Quantity.COLLECTIONS, now.perMinute(), Optional.of(due.perMinute()), basis),
        prediction(
            Quantity.STOPPED,
            now.stoppedShare(),
            due.stopped(),
            due.stopped().isPresent()
                ? basis
                : "no GC is in the inputs to show how long one pauses"));
  }

  /**
   * Whether collections were requested and no baseline shows how many would come without the
   * requests.
   */
  private boolean isAsked(Optional<CollectionCount> baseline) {
    if (!cause.is(Trait.REQUESTS_COLLECTIONS) || baseline.isPresent()) {
      return false;
    }
    Pauses pauses = incident.timeline().pauses(incident.window());
    return pauses.ofType(type -> type.kind() == PauseKind.YOUNG).size() >= FEWEST_YOUNG;
  }

  private List<Prediction> refused(CollectionCount now, String why) {
    return List.of(
        prediction(Quantity.COLLECTIONS, now.perMinute(), Optional.empty(), why),
        prediction(Quantity.STOPPED, now.stoppedShare(), Optional.empty(), why));
  }

  private Prediction prediction(
      Quantity quantity, double now, Optional<Estimate> range, String basis) {
    return new CauseRemoved(incident, cause)
        .of(quantity, OptionalDouble.of(now), range.map(Estimate::stated), basis);
  }

  /**
   * How many collections come once a cause is gone: as many as in the baseline.
   *
   * @param perMinute collections a minute
   * @param stopped share of the time that they stop, 0 to 1; absent where no collection was seen,
   *     and nothing says how long one takes
   * @param more whether the incident allocates more than the baseline that was counted in
   */
  private record CollectionsDue(Estimate perMinute, Optional<Estimate> stopped, boolean more) {

    static CollectionsDue of(MeasuredIncident incident, CollectionCount seen) {
      double more = Math.max(1, incident.allocationGrowth());
      double usualPause = usualPause(incident.timeline());
      int count = seen.count();
      EventCount due = EventCount.of(count);
      double each = count == 0 ? usualPause : seen.stoppedShare() * seen.seconds() / count;
      double likely = due.expected() * Math.sqrt(more) / seen.seconds();
      double low = likely / factor(due.expected() / due.atLeast(), more);
      double high = likely * factor(due.atMost() / due.expected(), more);
      double minute = Durations.SECONDS_PER_MINUTE;
      return new CollectionsDue(
          new Estimate(minute * low, minute * likely, minute * high),
          usualPause == 0
              ? Optional.empty()
              : Optional.of(
                  new Estimate(
                      Math.min(1, low * each),
                      Math.min(1, likely * each),
                      Math.min(1, high * each))),
          more > 1);
    }

    /**
     * Ratio of the likeliest count to one end of its range. Two independent errors add up: that of
     * counting, and that of the allocation, which may be anything from the baseline's to {@code
     * more} times it.
     */
    private static double factor(double counting, double more) {
      return Math.exp(Math.hypot(Math.log(counting), Math.log(more) / 2));
    }

    /** Mean seconds stopped per collection in the whole recording; 0 without collections. */
    private static double usualPause(Timeline timeline) {
      CollectionCount all = CollectionCount.of(timeline, timeline.span());
      return all.count() == 0 ? 0 : all.stoppedShare() * all.seconds() / all.count();
    }
  }
}
