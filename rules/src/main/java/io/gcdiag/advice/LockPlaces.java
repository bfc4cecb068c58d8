package io.gcdiag.advice;

import io.gcdiag.advice.OwnPlaces.Seen;
import io.gcdiag.advice.Place.Part;
import io.gcdiag.advice.Place.Role;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.profile.OwnCode.Activity;
import io.gcdiag.evidence.threads.LockOwner;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.measures.waits.UserWaits;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where a lock is waited for and where it is held. */
final class LockPlaces {

  private final PlaceParts found;
  private final Timeline timeline;
  private final Window window;
  private final OwnPlaces own;

  LockPlaces(PlaceParts found) {
    this.found = found;
    this.timeline = found.timeline();
    this.window = found.window();
    this.own = found.own();
  }

  void lock() {
    Optional<WaitSeries> lock =
        UserWaits.of(timeline, WaitKind.LOCK).stream()
            .max(
                Comparator.comparingDouble((WaitSeries s) -> s.within(window).waitedSeconds())
                    .thenComparing(WaitSeries::site));
    Optional<Seen> wanted =
        own.most(
                Activity.LOCKING,
                spot -> lock.map(one -> one.site().name().equals(spot.subject())).orElse(true))
            .or(() -> own.inDumps(t -> t.activity() == ThreadActivity.WAITING_FOR_LOCK));
    found.code(wanted);
    lock.filter(series -> series.site().isNamed())
        .ifPresent(series -> found.add(new Part(Role.LOCK, series.site().name(), series.source())));
    owner()
        .filter(
            owner ->
                wanted.filter(at -> at.place().method().equals(owner.place().method())).isEmpty())
        .ifPresent(
            owner ->
                found.add(
                    new Part(
                        Role.OWNER,
                        owner.place().toString(),
                        owner.caller().map(Object::toString).orElse(""),
                        owner.source())));
  }

  private Optional<Seen> owner() {
    return timeline.dumps().stream()
        .flatMap(
            dump ->
                dump.lockOwners().stream()
                    .max(Comparator.comparingInt(LockOwner::waiting))
                    .map(owner -> own.of(dump, List.of(owner.owner())).stream())
                    .orElse(Stream.empty()))
        .findFirst();
  }

  void deadlock() {
    Optional<ThreadSnapshot> dump =
        timeline.dumps().stream().filter(one -> one.deadlocks().found()).findFirst();
    dump.ifPresent(
        one ->
            own.of(one, one.deadlocks().threads())
                .forEach(at -> found.add(new Part(Role.CODE, at.place().toString(), at.source()))));
  }
}
