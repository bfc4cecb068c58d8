package io.gcdiag.causes.waits;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.OwnPlaces;
import io.gcdiag.books.OwnPlaces.Seen;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.threads.Deadlocks;
import io.gcdiag.evidence.threads.Deadlocks.Kind;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import java.util.List;

/** Threads wait for each other: a deadlock. */
public final class DeadlockCause extends Cause {

  private static final String IN_ORDER =
      "acquire the locks in the same order everywhere, for example by the key of what they guard";

  public DeadlockCause() {
    super(
        Hypothesis.DEADLOCK,
        "Deadlock: threads wait for each other",
        "take the named locks in one order everywhere, or with a timeout; restart "
            + "the JVM to recover",
        List.of(new DeadlockedThreadsRule()),
        Trait.OF_SOME_REQUESTS,
        Trait.SEEN_IN_WAITS);
  }

  @Override
  public void place(PlaceParts found) {
    found.timeline().dumps().stream()
        .filter(one -> one.deadlocks().found())
        .findFirst()
        .map(one -> places(found, one))
        .orElse(List.of())
        .forEach(at -> found.add(new Part(Role.CODE, at.place().toString(), at.source())));
  }

  private static List<Seen> places(PlaceParts found, ThreadSnapshot dump) {
    List<String> names = dump.deadlocks().threads();
    List<Seen> own = found.own().of(dump, names);
    return own.isEmpty() ? OwnPlaces.ofLibraries(dump, names) : own;
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.code(
        suspect.timeline().dumps().stream()
            .map(ThreadSnapshot::deadlocks)
            .filter(Deadlocks::found)
            .map(found -> action(found.kind()))
            .findFirst()
            .orElse(IN_ORDER));
  }

  private static String action(Kind kind) {
    return switch (kind) {
      case LOCKS -> IN_ORDER;
      case TASKS ->
          "do not wait for a task while holding a lock that tasks of the same executor need";
      case CLASSES ->
          "initialize these classes in one thread before others use them, such as by Class.forName"
              + " at the start, and do not wait for other threads in a static initializer";
      case READERS ->
          "release the read lock before locking for writing, and each lock in a finally block";
      case CONNECTIONS ->
          "get the connection before the lock everywhere, or release the lock before waiting for"
              + " a connection";
      case ANSWERS ->
          "do not wait on an event loop: do this on a thread of its own, or go on when the future"
              + " completes";
    };
  }
}
