package io.gcdiag.advice;

import io.gcdiag.accounts.workers.FullGroup;
import io.gcdiag.advice.Place.Part;
import io.gcdiag.advice.Place.Role;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.profile.OwnCode.Activity;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.measures.Case;
import io.gcdiag.units.Numbers;
import java.util.Comparator;
import java.util.Optional;

/** Where the threads of an exhausted group are, or those that block their carriers. */
final class WorkerPlaces {

  /** The word for a synchronized method that pins its carrier. */
  static final String SYNCHRONIZED = "synchronized";

  private final PlaceParts found;
  private final Case incident;
  private final Timeline timeline;
  private final Window window;
  private final OwnPlaces own;

  WorkerPlaces(PlaceParts found) {
    this.found = found;
    this.incident = found.incident();
    this.timeline = found.timeline();
    this.window = found.window();
    this.own = found.own();
  }

  void threads() {
    Optional<FullGroup> group = FullGroup.of(incident);
    found.code(
        group
            .flatMap(one -> own.inDumps(one::has))
            .or(() -> own.most(Activity.CALLING))
            .or(() -> own.most(Activity.SAMPLED_CALLING))
            .or(() -> own.most(Activity.RUNNING)));
    group.ifPresent(
        one ->
            found.add(
                new Part(
                    Role.THREADS,
                    one.name(),
                    Numbers.counted(one.count(), "thread"),
                    one.source())));
  }

  void pinned() {
    Optional<WaitSeries> most =
        timeline.waits(WaitKind.PINNED).stream()
            .max(
                Comparator.comparingDouble((WaitSeries s) -> s.within(window).waitedSeconds())
                    .thenComparing(WaitSeries::site));
    own.most(Activity.PINNED)
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
