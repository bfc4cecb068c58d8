package io.gcdiag.causes.waits;

import io.gcdiag.books.OwnPlaces.Seen;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.LockOwner;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.measures.threads.UserWaits;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Where threads wait for a lock and where it is held. */
public record LockPlaces(PlaceParts found) {

  public void lock() {
    Optional<WaitSeries> lock = found.longest(UserWaits.of(found.timeline(), WaitKind.LOCK));
    Optional<Seen> wanted =
        found
            .own()
            .most(
                Activity.LOCKING,
                spot -> lock.map(one -> one.site().name().equals(spot.subject())).orElse(true))
            .or(() -> found.own().inDumps(t -> t.activity() == ThreadActivity.WAITING_FOR_LOCK));
    found.code(wanted);
    lock.filter(series -> series.site().isNamed())
        .ifPresent(series -> found.add(new Part(Role.LOCK, series.site().name(), series.source())));
    owner(wanted).ifPresent(found::add);
  }

  private Optional<Part> owner(Optional<Seen> wanted) {
    for (ThreadSnapshot dump : found.timeline().dumps()) {
      Optional<LockOwner> most =
          dump.lockOwners().stream().max(Comparator.comparingInt(LockOwner::waiting));
      Optional<Seen> at =
          most.flatMap(owner -> found.own().of(dump, List.of(owner.owner())).stream().findFirst());
      if (at.isPresent()) {
        return owner(at.get(), most.get().held(), wanted);
      }
    }
    return Optional.empty();
  }

  /** Nothing if it is held in the method that waits for it, not in a method that this one calls. */
  private static Optional<Part> owner(Seen at, Optional<CodePlace> held, Optional<Seen> wanted) {
    if (held.isEmpty()) {
      String caller = at.caller().map(Object::toString).orElse("");
      return Optional.of(new Part(Role.OWNER, at.place().toString(), caller, at.source()));
    }
    CodePlace place = held.get();
    boolean itself = place.equals(at.place());
    boolean same = wanted.filter(one -> one.place().method().equals(place.method())).isPresent();
    return itself && same
        ? Optional.empty()
        : Optional.of(
            new Part(
                Role.OWNER, place.toString(), itself ? "" : "calls " + at.place(), at.source()));
  }

  public void deadlock() {
    Optional<ThreadSnapshot> dump =
        found.timeline().dumps().stream().filter(one -> one.deadlocks().found()).findFirst();
    dump.ifPresent(
        one ->
            found
                .own()
                .of(one, one.deadlocks().threads())
                .forEach(at -> found.add(new Part(Role.CODE, at.place().toString(), at.source()))));
  }
}
