package io.gcdiag.causes.workers;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Virtual threads block while pinned to their carriers. */
public final class VirtualThreadPinningCause extends Cause {

  static final String FIRST_ACTION =
      "replace the synchronized block around the blocking call by a "
          + "ReentrantLock, or call outside it; JDK 24 and later release the carrier "
          + "inside synchronized";

  /** The reason for pinning in a synchronized method. */
  private static final String SYNCHRONIZED = "synchronized";

  /**
   * The JDK since which a virtual thread that blocks inside synchronized is unmounted (JEP 491).
   */
  private static final String WITHOUT_PINNING = "JDK 24";

  public VirtualThreadPinningCause() {
    super(
        Hypothesis.VIRTUAL_THREAD_PINNING,
        "Pinned virtual threads block their carriers",
        FIRST_ACTION,
        Trait.OF_SOME_REQUESTS,
        Trait.SEEN_IN_WAITS);
  }

  @Override
  public List<Rule> rules() {
    return List.of(new PinnedCarriersRule());
  }

  @Override
  public void place(PlaceParts found) {
    Optional<WaitSeries> most = found.longest(found.timeline().waits(WaitKind.PINNED));
    found
        .own()
        .most(Activity.PINNED)
        .ifPresent(
            at ->
                found.add(
                    new Part(
                        Role.CODE,
                        at.place().toString(),
                        at.subject().isEmpty()
                            ? most.map(series -> series.site().name()).orElse("")
                            : SYNCHRONIZED + "; " + at.subject() + " blocks in it",
                        at.source())));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    boolean here =
        suspect.at(Role.CODE).filter(part -> part.detail().startsWith(SYNCHRONIZED)).isPresent();
    return suspect.code(
        (here
                ? "replace synchronized"
                : "replace the synchronized block or method around this blocking call, here or in a"
                    + " caller,")
            + " by a ReentrantLock, or run on "
            + WITHOUT_PINNING
            + " or later");
  }

  @Override
  public Map<String, String> chartLines() {
    return Map.of("pinned to a carrier", "Pinned carriers");
  }
}
