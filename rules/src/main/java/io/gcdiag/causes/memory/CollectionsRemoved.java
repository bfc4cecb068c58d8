package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.CauseRemoved;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Prediction.Quantity;
import io.gcdiag.books.Prediction.Range;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.Case;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Collections and the share of time stopped once a cause is gone, whatever was done about it. */
public final class CollectionsRemoved {

  /** A lower count of young collections shows neither their cost nor the heap after GC. */
  private static final int FEWEST_YOUNG = 3;

  private final Case incident;
  private final Cause cause;

  private CollectionsRemoved(Case incident, Cause cause) {
    this.incident = incident;
    this.cause = cause;
  }

  /** For a cause that acts through pauses: collections, and the latency without its pauses. */
  static List<Prediction> andLatency(Case incident, Cause cause, OptionalDouble share) {
    List<Prediction> predictions = new ArrayList<>(of(incident, cause));
    predictions.add(cause.latency(incident, share));
    return predictions;
  }

  /** Collections and the share of time stopped. */
  public static List<Prediction> of(Case incident, Cause cause) {
    return new CollectionsRemoved(incident, cause).collections();
  }

  private List<Prediction> collections() {
    Timeline timeline = incident.timeline();
    CollectionCount now = CollectionCount.of(timeline, incident.window());
    Optional<CollectionCount> baseline =
        incident.baseline().map(window -> CollectionCount.of(timeline, window));
    boolean remain = !cause.is(Trait.OF_COLLECTIONS);
    if (cause.is(Trait.BEFORE_THE_HEAP_IS_FULL) || isAsked(baseline)) {
      List<Prediction> filled =
          new HeapSizes(incident, cause.hypothesis(), HeapUse.of(incident))
              .asItIs(CauseRemoved.change(cause));
      if (!filled.isEmpty()) {
        return filled;
      }
    }
    if (baseline.isEmpty() && !remain) {
      return refused(now, "there is no baseline in the inputs");
    }
    if (!timeline.sees(Signal.GC_PAUSES)) {
      return refused(now, "no GC is in the inputs");
    }
    CollectionsDue due = CollectionsDue.of(incident, now, baseline, remain);
    String basis =
        (baseline.isPresent() ? "as in the baseline" + (remain ? " or now" : "") : "as now")
            + ", within the error of counting"
            + (due.more() ? ", up to as much more as the incident allocates" : "");
    return List.of(
        new Prediction(
            cause.hypothesis(),
            CauseRemoved.change(cause),
            Quantity.COLLECTIONS,
            OptionalDouble.of(now.perMinute()),
            Optional.of(due.perMinute().stated()),
            basis,
            CauseRemoved.ASSUMPTIONS),
        due.stopped()
            .map(stopped -> stopped(now, stopped, basis))
            .orElseGet(
                () ->
                    none(
                        Quantity.STOPPED,
                        OptionalDouble.of(now.stoppedShare()),
                        "no GC is in the inputs to show how long one pauses")));
  }

  private Prediction stopped(CollectionCount now, Range due, String basis) {
    return new Prediction(
        cause.hypothesis(),
        CauseRemoved.change(cause),
        Quantity.STOPPED,
        OptionalDouble.of(now.stoppedShare()),
        Optional.of(
            (cause.is(Trait.LENGTHENS_PAUSES) ? new Range(0, due.high(), due.middle()) : due)
                .stated()),
        basis,
        CauseRemoved.ASSUMPTIONS);
  }

  /** Whether collections were asked for and no baseline shows how many come by themselves. */
  private boolean isAsked(Optional<CollectionCount> baseline) {
    if (!cause.is(Trait.REQUESTS_COLLECTIONS) || baseline.isPresent()) {
      return false;
    }
    Pauses pauses = incident.timeline().pauses(incident.window());
    return pauses.ofType(type -> type.kind() == PauseKind.YOUNG).size() >= FEWEST_YOUNG;
  }

  private List<Prediction> refused(CollectionCount now, String why) {
    return List.of(
        none(Quantity.COLLECTIONS, OptionalDouble.of(now.perMinute()), why),
        none(Quantity.STOPPED, OptionalDouble.of(now.stoppedShare()), why));
  }

  private Prediction none(Quantity quantity, OptionalDouble now, String why) {
    return new Prediction(
        cause.hypothesis(),
        CauseRemoved.change(cause),
        quantity,
        now,
        Optional.empty(),
        why,
        CauseRemoved.ASSUMPTIONS);
  }
}
