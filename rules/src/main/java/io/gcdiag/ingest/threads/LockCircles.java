package io.gcdiag.ingest.threads;

import io.gcdiag.evidence.threads.Deadlocks;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.ingest.format.Redactor;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Threads of a dump that wait for each other in a deadlock. The JVM looks for them when it prints a
 * dump, and says so at its end; a dump that was cut there, and a dump to file, show the owners
 * alone.
 */
final class LockCircles {

  private final List<ParsedThread> threads;
  private final Map<String, ParsedThread> owners = new HashMap<>();

  private LockCircles(List<ParsedThread> threads) {
    this.threads = threads;
    for (ParsedThread thread : threads) {
      thread.locks().owned().forEach(lock -> owners.put(lock, thread));
    }
  }

  /**
   * Those that the JVM found, or else those that the owners show.
   *
   * @param dump the dump
   * @param states what each of its threads was doing, in the same order
   * @param redactor hides secrets in thread names
   */
  static Deadlocks of(ParsedDump dump, List<ThreadState> states, Redactor redactor) {
    LockCircles circles = new LockCircles(dump.threads());
    List<String> names =
        dump.deadlocked().isEmpty() ? List.copyOf(circles.names()) : dump.deadlocked();
    return new Deadlocks(
        names.stream().map(redactor::redact).toList(),
        dump.searched() && !dump.cut() || circles.allOwnersTold(states));
  }

  private Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    Set<ParsedThread> followed = Collections.newSetFromMap(new IdentityHashMap<>());
    for (ParsedThread thread : threads) {
      follow(thread, followed, names);
    }
    return names;
  }

  /** Goes from owner to owner, to one that was seen before: on the way now, this is a circle. */
  private void follow(ParsedThread from, Set<ParsedThread> followed, Set<String> names) {
    Set<ParsedThread> way = Collections.newSetFromMap(new IdentityHashMap<>());
    ParsedThread next = from;
    while (next != null && followed.add(next)) {
      way.add(next);
      next = ownerOfWanted(next);
    }
    if (next != null && way.contains(next)) {
      ParsedThread first = next;
      do {
        names.add(next.name());
        next = ownerOfWanted(next);
      } while (next != first);
    }
  }

  /** Absent as null within this class: most threads want nothing, and there may be a million. */
  private ParsedThread ownerOfWanted(ParsedThread thread) {
    ParsedThread owner = thread.locks().wanted().map(owners::get).orElse(null);
    return owner == thread ? null : owner;
  }

  private boolean allOwnersTold(List<ThreadState> states) {
    for (int i = 0; i < threads.size(); i++) {
      boolean waits = states.get(i).activity() == ThreadActivity.WAITING_FOR_LOCK;
      if (waits && ownerOfWanted(threads.get(i)) == null) {
        return false;
      }
    }
    return true;
  }
}
