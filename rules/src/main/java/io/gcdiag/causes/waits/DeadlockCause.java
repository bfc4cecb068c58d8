package io.gcdiag.causes.waits;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.Timeline;
import java.util.List;

/** Threads wait for each other: a deadlock. */
public final class DeadlockCause extends Cause {
  public DeadlockCause() {
    super(
        Hypothesis.DEADLOCK,
        "Deadlock: threads wait for each other",
        "take the named locks in one order everywhere, or with a timeout; restart "
            + "the JVM to recover",
        Trait.OF_SOME_REQUESTS,
        Trait.SEEN_IN_WAITS);
  }

  @Override
  public List<Rule> rules() {
    return List.of(new DeadlockedThreadsRule());
  }

  @Override
  public void place(PlaceParts found) {
    found.timeline().dumps().stream()
        .filter(one -> one.deadlocks().found())
        .findFirst()
        .ifPresent(
            one ->
                found
                    .own()
                    .of(one, one.deadlocks().threads())
                    .forEach(
                        at -> found.add(new Part(Role.CODE, at.place().toString(), at.source()))));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.code(
        isOfClasses(suspect.timeline())
            ? "initialize these classes in one thread before others use them, such as by"
                + " Class.forName at the start"
            : "acquire the locks in the same order everywhere, for example by the key of what they guard");
  }

  /** Whether threads of a dump wait for each other's classes. */
  private static boolean isOfClasses(Timeline timeline) {
    return timeline.dumps().stream()
        .flatMap(dump -> dump.threads().stream())
        .anyMatch(thread -> thread.subject().equals("class initialization"));
  }
}
