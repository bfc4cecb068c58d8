package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.OwnPlaces;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcSample.ExplicitCollection;
import io.gcdiag.evidence.jvm.OutsideRequest;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.VmOperations;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** The application or a tool asks for collections. */
public final class ExplicitGcCause extends Cause {
  public ExplicitGcCause() {
    super(
        Hypothesis.EXPLICIT_GC,
        "Explicit GC: System.gc() and diagnostic commands",
        "remove the call, or with G1 use -XX:+ExplicitGCInvokesConcurrent; if the "
            + "JDK makes it for direct buffers, reuse these or raise "
            + "-XX:MaxDirectMemorySize",
        Trait.BY_PAUSES,
        Trait.OF_COLLECTIONS,
        Trait.REQUESTS_COLLECTIONS);
  }

  @Override
  public List<Rule> rules() {
    return List.of(new CollectionCauseRule());
  }

  /** Code that requests collections, or another process; its requests appear in no code. */
  @Override
  public void place(PlaceParts found) {
    Timeline timeline = found.timeline();
    Window window = found.window();
    if (GcRequester.isOutside(timeline, window)) {
      Stream.concat(
              timeline.samples(OutsideRequest.class, window).stream().map(OutsideRequest::source),
              timeline.samples(ExplicitCollection.class, window).stream()
                  .map(ExplicitCollection::source))
          .findFirst()
          .ifPresent(found::outside);
      return;
    }
    OwnPlaces own = found.own();
    found.code(
        own.mostOfAll(Activity.COLLECTING)
            .or(
                () ->
                    own.mostOfAll(
                        Activity.REQUESTING_STOPS,
                        spot -> VmOperations.collectsOnRequest(spot.subject()))));
  }

  @Override
  public Optional<String> kind(SuspectContext suspect) {
    return new RequestedGcEdits(suspect).title();
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return new RequestedGcEdits(suspect).edits();
  }

  @Override
  public List<Prediction> predictions(Case incident, List<Finding> findings, OptionalDouble share) {
    return CollectionsRemoved.andLatency(incident, this, share);
  }
}
