package io.gcdiag.causes.stops;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.OwnPlaces;
import io.gcdiag.books.OwnPlaces.Seen;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.OutsideRequest;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.VmOperations;
import java.util.List;
import java.util.Optional;

/** Threads reach safepoints late, or non-GC safepoints are long. */
public final class SafepointStallCause extends Cause {

  /** The JDK that introduced {@code LoopStripMiningIter}. */
  private static final int STRIPES_SINCE = 10;

  public SafepointStallCause() {
    super(
        Hypothesis.SAFEPOINT_STALL,
        "Long safepoints outside GC",
        "find the loop without a safepoint poll (long counted loops: "
            + "-XX:+UseCountedLoopSafepoints, from JDK 10 on with "
            + "-XX:LoopStripMiningIter=1000), or the tool that requests the named "
            + "operation",
        Trait.SEEN_IN_CPU);
  }

  @Override
  public List<Rule> rules() {
    return List.of(new PausesAloneRule(), new SafepointTimeRule(), new StandstillQueueRule());
  }

  @Override
  public void place(PlaceParts found) {
    StopsByOperation.requested(found.incident())
        .ifPresentOrElse(operation -> requested(found, operation), () -> delayed(found));
  }

  /** Adds the code that requests the operation; if there is none, another process. */
  private static void requested(PlaceParts found, String operation) {
    Optional<Seen> code =
        found.own().mostOfAll(Activity.REQUESTING_STOPS, spot -> spot.subject().equals(operation));
    found.code(code);
    if (code.isEmpty()) {
      found.timeline().samples(OutsideRequest.class, found.window()).stream()
          .filter(request -> request.operation().equals(operation))
          .map(OutsideRequest::source)
          .findFirst()
          .ifPresent(found::outside);
    }
  }

  private static void delayed(PlaceParts found) {
    OwnPlaces own = found.own();
    found.code(
        own.mostOfAll(Activity.DELAYING_STOPS)
            .or(() -> own.mostOfAll(Activity.RUNNING, spot -> !spot.onRequestThread()))
            .or(() -> own.mostOfAll(Activity.RUNNING)));
  }

  /**
   * G1 polls for safepoints in counted loops by default, other collectors do not. With loop strip
   * mining the polls cost almost nothing.
   */
  @Override
  public List<Edit> edits(SuspectContext suspect) {
    boolean bias =
        StopsByOperation.of(suspect.incident()).operations().stream()
            .limit(1)
            .anyMatch(costliest -> VmOperations.revokesBias(costliest.name()));
    if (bias) {
      return List.of(flag(suspect, "-XX:-", "UseBiasedLocking", ""));
    }
    boolean named = suspect.about().stream().anyMatch(f -> f.actions().containsKey(hypothesis()));
    if (named) {
      return List.of();
    }
    JvmFacts jvm = suspect.timeline().jvm();
    Edit polls = flag(suspect, "-XX:+", "UseCountedLoopSafepoints", "");
    Edit stripes = flag(suspect, "-XX:", "LoopStripMiningIter", "1000");
    // JDK 8 and 9 do not know this flag, and a JVM refuses to start with an unknown one.
    boolean without = jvm.oldestRelease().orElse(Integer.MAX_VALUE) < STRIPES_SINCE;
    return without ? List.of(polls) : List.of(polls, stripes);
  }

  private static Edit flag(SuspectContext suspect, String set, String name, String to) {
    Optional<String> now = suspect.timeline().jvm().flag(name).map(Flag::value);
    return Edit.flag(set + name, now, to, suspect.why());
  }
}
