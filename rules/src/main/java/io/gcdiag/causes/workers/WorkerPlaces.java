package io.gcdiag.causes.workers;

import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.units.Numbers;
import java.util.Optional;

/** Where the threads of an exhausted group are, or those that block their carriers. */
public record WorkerPlaces(PlaceParts found) {

  /** The word for a synchronized method that pins its carrier. */
  public static final String SYNCHRONIZED = "synchronized";

  public void threads() {
    Optional<FullGroup> group = FullGroup.of(found.incident());
    found.code(
        group
            .flatMap(one -> found.own().inDumps(one::has))
            .or(() -> found.own().most(Activity.CALLING))
            .or(() -> found.own().most(Activity.SAMPLED_CALLING))
            .or(() -> found.own().most(Activity.RUNNING)));
    group.ifPresent(
        one ->
            found.add(
                new Part(
                    Role.THREADS,
                    one.name(),
                    Numbers.counted(one.count(), "thread"),
                    one.source())));
  }

  public void pinned() {
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
}
