package io.gcdiag.causes.waits;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.OwnPlaces.Seen;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.LockOwner;
import io.gcdiag.evidence.threads.LockOwner.InLibrary;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Threads queue for a monitor or lock. */
public final class LockContentionCause extends Cause {

  private static final String NOT_IN =
      "call %s less often, on fewer threads or with an object for each thread, or look for a setting"
          + " or a newer version of its library %s";

  public LockContentionCause() {
    super(
        Hypothesis.LOCK_CONTENTION,
        "Lock contention",
        "look at the owner of the named lock and shorten what it does inside",
        List.of(new LockWaitRule()),
        Trait.OF_SOME_REQUESTS,
        Trait.SEEN_IN_WAITS);
    chartLine("for a lock", "Lock waits");
    askedFirst(3);
    lengthens(Effect.LOCK_WAIT);
  }

  @Override
  public void place(PlaceParts found) {
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
        .map(series -> new Part(Role.LOCK, series.site().label(), series.source()))
        .ifPresent(found::add);
    if (lock.isEmpty()) {
      inDumps(found).ifPresent(found::add);
    }
    owner(found, wanted).ifPresent(found::add);
  }

  /**
   * The lock that most threads of a dump wait for, and the class that takes it. The class of a JDK
   * lock or object says nothing, and a library may take it.
   */
  private static Optional<Part> inDumps(PlaceParts found) {
    return found.timeline().dumps().stream()
        .flatMap(
            dump ->
                dump.threads().stream()
                    .filter(thread -> thread.is(ThreadActivity.WAITING_FOR_LOCK))
                    .map(thread -> new Part(Role.LOCK, named(thread), dump.source())))
        .filter(part -> !part.name().isEmpty())
        .collect(Collectors.groupingBy(Part::name, TreeMap::new, Collectors.toList()))
        .values()
        .stream()
        .max(Comparator.comparingInt(List::size))
        .map(parts -> parts.get(0));
  }

  private static String named(ThreadState thread) {
    String at = thread.standing().at();
    boolean ofJdk = thread.label().startsWith("java.");
    return ofJdk && at.indexOf('.') > 0
        ? thread.subject() + " of " + at.substring(0, at.lastIndexOf('.'))
        : thread.label();
  }

  private static Optional<Part> owner(PlaceParts found, Optional<Seen> wanted) {
    for (ThreadSnapshot dump : found.timeline().dumps()) {
      Optional<LockOwner> most = mostWaitedFor(dump);
      List<String> name = most.map(LockOwner::owner).stream().toList();
      Optional<InLibrary> library = most.flatMap(LockOwner::library);
      if (library.isPresent()) {
        String runs = "in a library, at " + library.get().runs();
        return Optional.of(
            new Part(Role.OWNER, library.get().place().toString(), runs, dump.source()));
      }
      Optional<Seen> at = found.own().of(dump, name).stream().findFirst();
      if (at.isPresent()) {
        return owner(at.get(), most.orElseThrow().held(), wanted);
      }
    }
    return Optional.empty();
  }

  /**
   * Empty if the lock is held in the method that waits for it and not in a method that this one
   * calls.
   */
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

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    String lock = suspect.at(Role.LOCK).map(Part::name).orElse("");
    Optional<OwnersTime> time = OwnersTime.of(suspect.incident()).filter(LockAdvice::isElsewhere);
    Optional<Part> code = suspect.at(Role.CODE);
    Optional<Part> caller = suspect.at(Role.CALLER);
    Optional<Part> owner = suspect.at(Role.OWNER);
    Optional<InLibrary> library = owner.flatMap(at -> library(suspect.timeline(), at));
    // A library is another project than that of the code that calls it.
    Optional<Part> service = caller.or(() -> code);
    Predicate<String> isOwn =
        name -> service.filter(part -> areOfOneProject(name, part)).isPresent();
    Optional<Part> own = code.filter(part -> isOwn.test(part.name())).or(() -> service);
    String holder = owner.or(() -> code).map(Part::name).orElse("");
    boolean foreign = library.isPresent() || !holder.isEmpty() && !isOwn.test(holder);

    if (!foreign || LockAdvice.isOfSessions(lock)) {
      // If owner and waiting threads have the same caller, the lock is taken where they wait.
      boolean sameWay =
          caller.isPresent() && caller.map(Part::name).equals(owner.map(Part::detail));
      Optional<Part> at = foreign || sameWay ? own : owner.or(() -> own);
      return edit(at, LockAdvice.inside(time, lock, ""), suspect);
    }
    if (library.map(InLibrary::runs).filter(isOwn).isPresent()) {
      String change = LockAdvice.inside(time, lock, " that " + holder + " holds meanwhile");
      return List.of(Edit.code(library.get().runs(), change, suspect.why()));
    }
    String called = code.map(Part::name).filter(isOwn.negate()).orElse(holder);
    String without =
        time.map(spent -> "that has " + LockAdvice.what(spent) + " outside the lock")
            .orElse("without the lock");
    return edit(own, NOT_IN.formatted(called, without), suspect);
  }

  /** The library that holds the lock in the dump of that owner; empty if other code does. */
  private static Optional<InLibrary> library(Timeline timeline, Part owner) {
    return timeline.dumps().stream()
        .filter(dump -> dump.source().equals(owner.source()))
        .flatMap(dump -> mostWaitedFor(dump).flatMap(LockOwner::library).stream())
        .filter(library -> library.place().toString().equals(owner.name()))
        .findFirst();
  }

  private static Optional<LockOwner> mostWaitedFor(ThreadSnapshot dump) {
    return dump.lockOwners().stream().max(Comparator.comparingInt(LockOwner::waiting));
  }

  private static List<Edit> edit(Optional<Part> at, String change, SuspectContext suspect) {
    return at.stream().map(part -> Edit.code(part.name(), change, suspect.why())).toList();
  }

  private static boolean areOfOneProject(String name, Part other) {
    return new CodePlace(name, CodePlace.NO_LINE)
        .isOfProject(new CodePlace(other.name(), CodePlace.NO_LINE));
  }

  /** Advice for a lock, by its kind and by what its owners waited for. */
  static final class LockAdvice {

    /** Class of a bin's head in the table of the JDK's concurrent map, and the words for it. */
    private static final String BIN = "java.util.concurrent.ConcurrentHashMap$";

    private static final String PERMITS = "java.util.concurrent.Semaphore$";

    private static final String BIN_IS_LOCKED =
        "; a ConcurrentHashMap locks a key, and those in the same bin, while the function given to"
            + " compute, computeIfAbsent or merge runs";

    /** In place of the general advice; empty if there is nothing to add to it. */
    static Optional<String> of(Optional<OwnersTime> owners, String lock) {
      Optional<OwnersTime> time = owners.filter(LockAdvice::isElsewhere);
      boolean special = time.isPresent() || lock.startsWith(BIN);
      return Optional.of(inside(time, lock, "")).filter(any -> special);
    }

    /** Whether owners mostly wait for what needs no lock. */
    static boolean isElsewhere(OwnersTime owners) {
      return owners.share(WaitKind.DOWNSTREAM) + owners.share(WaitKind.SLEEP) >= Policy.MAJORITY;
    }

    /** What to change where the lock is held. */
    static String inside(Optional<OwnersTime> elsewhere, String lock, String held) {
      String change =
          isOfSessions(lock)
              ? "shorten the transactions that lock the same rows or tables: commit after fewer"
                  + " changes"
              : lock.startsWith(PERMITS)
                  ? "allow more permits, or do less while one is held"
                  : "do less inside the lock, or hold one lock per key";
      return elsewhere.map(own -> "move " + what(own) + " out of the lock").orElse(change)
          + (held + (lock.startsWith(BIN) ? BIN_IS_LOCKED : ""));
    }

    /** What the owner of a lock mostly waits for. */
    static String what(OwnersTime time) {
      if (time.share(WaitKind.SLEEP) > time.share(WaitKind.DOWNSTREAM)) {
        return "the sleep";
      }
      String name = time.names().getOrDefault(WaitKind.DOWNSTREAM, "");
      return "the downstream call" + (name.isEmpty() ? "" : " (" + name + ")");
    }

    /** Whether it is held by another session of a database inside the JVM. */
    static boolean isOfSessions(String lock) {
      return lock.endsWith(ThreadState.OF_SESSIONS);
    }
  }
}
