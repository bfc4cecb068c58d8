package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.CauseRemoved;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Prediction.Quantity;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.AllocationRate;
import io.gcdiag.stats.EventCount;
import io.gcdiag.units.Estimate;
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

  private Prediction stopped(CollectionCount now, Estimate due, String basis) {
    return new Prediction(
        cause.hypothesis(),
        CauseRemoved.change(cause),
        Quantity.STOPPED,
        OptionalDouble.of(now.stoppedShare()),
        Optional.of(
            (cause.is(Trait.LENGTHENS_PAUSES) ? new Estimate(0, due.likely(), due.high()) : due)
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

  /**
   * How many collections come once a cause is gone, by how many were counted.
   *
   * @param perMinute collections a minute
   * @param stopped share of the time that they stop, 0 to 1; absent where no collection was seen,
   *     and nothing says how long one takes
   * @param more whether the incident allocates more than the baseline that was counted in
   */
  private record CollectionsDue(Estimate perMinute, Optional<Estimate> stopped, boolean more) {

    private static final double SECONDS_PER_MINUTE = 60;

    /**
     * As in the baseline, if there is one, else as now.
     *
     * @param now those of the incident
     * @param baseline those of the baseline
     * @param remain whether the cause has no part in them: then those of now go on
     */
    static CollectionsDue of(
        Case incident, CollectionCount now, Optional<CollectionCount> baseline, boolean remain) {
      double busier = baseline.isPresent() ? busier(incident) : 1;
      double each = usualPause(incident.timeline());
      Ways asNow = ways(now, 1, each);
      Ways due =
          baseline
              .map(count -> ways(count, busier, each))
              .map(calmly -> remain ? calmly.or(asNow) : calmly)
              .orElse(asNow);
      return new CollectionsDue(
          due.perMinute(), each == 0 ? Optional.empty() : Optional.of(due.stopped()), busier > 1);
    }

    /** Collections a minute and share of time stopped, as some stretch of time suggests them. */
    private record Ways(Estimate perMinute, Estimate stopped) {
      Ways or(Ways other) {
        return new Ways(both(perMinute, other.perMinute), both(stopped, other.stopped));
      }

      private static Estimate both(Estimate one, Estimate other) {
        return new Estimate(
            Math.min(one.low(), other.low()),
            (one.likely() + other.likely()) / 2,
            Math.max(one.high(), other.high()));
      }
    }

    private static Ways ways(CollectionCount seen, double more, double usualPause) {
      int count = seen.count();
      EventCount due = EventCount.of(count);
      double each = count == 0 ? usualPause : seen.stoppedShare() * seen.seconds() / count;
      double likely = due.expected() * Math.sqrt(more) / seen.seconds();
      double low = likely / factor(due.expected() / due.atLeast(), more);
      double high = likely * factor(due.atMost() / due.expected(), more);
      return new Ways(
          new Estimate(
              low * SECONDS_PER_MINUTE, likely * SECONDS_PER_MINUTE, high * SECONDS_PER_MINUTE),
          new Estimate(
              Math.min(1, low * each), Math.min(1, likely * each), Math.min(1, high * each)));
    }

    /**
     * How far the count is from the likeliest at one end: the error of counting and that of how
     * much more is allocated, from as much as before to {@code more} times it, do not depend on
     * each other.
     */
    private static double factor(double counting, double more) {
      return Math.exp(Math.hypot(Math.log(counting), Math.log(more) / 2));
    }

    /** Seconds stopped per collection over all that is known; 0 if none is. */
    private static double usualPause(Timeline timeline) {
      CollectionCount all = CollectionCount.of(timeline, timeline.span());
      return all.count() == 0 ? 0 : all.stoppedShare() * all.seconds() / all.count();
    }

    /**
     * By what factor the incident allocated more than the baseline: its load may have been higher.
     */
    private static double busier(Case incident) {
      Timeline timeline = incident.timeline();
      Optional<Window> baseline = incident.baseline();
      Optional<AllocationRate> before = baseline.flatMap(c -> incident.allocation(c));
      Optional<AllocationRate> during = incident.allocation(incident.window());
      if (before.isEmpty() || during.isEmpty() || before.get().bytesPerSecond() <= 0) {
        return 1;
      }
      return Math.max(1, during.get().bytesPerSecond() / before.get().bytesPerSecond());
    }
  }
}
