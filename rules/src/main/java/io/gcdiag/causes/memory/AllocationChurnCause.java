package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.CauseRemoved;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Prediction.Quantity;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.jvm.UndisturbedLatency;
import io.gcdiag.units.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The application allocates so fast that young collections are very frequent. */
public final class AllocationChurnCause extends Cause {

  /** Allocation that one can hope to save by dealing with the sites that allocate most. */
  private static final double HALF = 0.5;

  /** How far such a share is from being kept in proportion. */
  private static final double HALF_WITHIN = 0.1;

  public AllocationChurnCause() {
    super(
        Hypothesis.ALLOCATION_CHURN,
        "Allocation churn: too much garbage per request",
        "reduce what a request allocates: start with the stacks that allocate "
            + "most; cache or stream large responses, make fewer calls per request",
        Trait.BY_PAUSES,
        Trait.SEEN_IN_ALLOCATION);
  }

  @Override
  public List<Rule> rules() {
    return List.of(new AllocationPerRequestRule());
  }

  /** Allocating code by samples; without samples, the code that requests run in thread dumps. */
  @Override
  public void place(PlaceParts found) {
    found.code(
        found
            .own()
            .mostOfAll(Activity.ALLOCATING)
            .or(found.own()::runningInDumps)
            .or(() -> found.own().inDumps(ThreadState::requestThread)));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.code(
        "allocate less per request: keep and reuse the result (a cache), or stream it");
  }

  /**
   * The number of collections is proportional to the allocation rate while the survival rate is
   * constant.
   */
  @Override
  public List<Prediction> predictions(Case incident, List<Finding> findings, OptionalDouble share) {
    CollectionCount now = CollectionCount.of(incident.timeline(), incident.window());
    double stopped = PauseTotals.of(incident.timeline(), incident.window()).shareStopped();
    List<Prediction> predictions = new ArrayList<>();
    if (now.count() > 0) {
      predictions.add(half(Quantity.COLLECTIONS, now.perMinute()));
      predictions.add(half(Quantity.STOPPED, stopped));
    }
    predictions.add(latency(incident, OptionalDouble.empty()));
    return predictions;
  }

  private Prediction half(Quantity quantity, double now) {
    return new Prediction(
        hypothesis(),
        "half the allocation",
        quantity,
        OptionalDouble.of(now),
        Optional.of(new Estimate((HALF - HALF_WITHIN) * now, (HALF + HALF_WITHIN) * now)),
        "young GCs run when the young generation is full, so their number follows the allocation rate",
        List.of("the allocation that is saved is short-lived", "the heap keeps its size"));
  }

  /** Allocating takes time itself, in every request: the fastest have it in them as well. */
  @Override
  public Prediction latency(Case incident, OptionalDouble share) {
    boolean measured =
        UndisturbedLatency.of(incident, 1).filter(UndisturbedLatency::isMeasured).isPresent();
    return measured
        ? super.latency(incident, share)
        : new CauseRemoved(incident, this)
            .refused("how much less is allocated depends on the change");
  }
}
