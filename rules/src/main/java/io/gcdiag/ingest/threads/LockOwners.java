package io.gcdiag.ingest.threads;

import io.gcdiag.evidence.LockOwner;
import io.gcdiag.evidence.ThreadActivity;
import io.gcdiag.evidence.WaitKind;
import io.gcdiag.ingest.Redactor;
import io.gcdiag.ingest.frames.FrameBook;
import io.gcdiag.ingest.frames.StackKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Brings the threads of a dump that wait for a lock together with the thread that owns it. */
final class LockOwners {

  private LockOwners() {}

  static List<LockOwner> of(ParsedDump dump, FrameBook book, Redactor redactor) {
    Map<String, ParsedThread> owners = new HashMap<>();
    for (ParsedThread thread : dump.threads()) {
      thread.locks().owned().forEach(lock -> owners.put(lock, thread));
    }
    Map<String, List<ParsedThread>> waiting = new TreeMap<>();
    for (ParsedThread thread : dump.threads()) {
      thread
          .locks()
          .wanted()
          .filter(lock -> owners.containsKey(lock) && owners.get(lock) != thread)
          .ifPresent(lock -> waiting.computeIfAbsent(lock, any -> new ArrayList<>()).add(thread));
    }
    List<LockOwner> found = new ArrayList<>();
    waiting.forEach((lock, threads) -> found.add(owner(owners.get(lock), threads, book, redactor)));
    return found;
  }

  private static LockOwner owner(
      ParsedThread owner, List<ParsedThread> waiting, FrameBook book, Redactor redactor) {
    StackKind kind = book.classify(owner.frames(), owner.state(), owner.parkedClass());
    boolean running = book.activity(kind, owner.frames(), owner.state()) == ThreadActivity.RUNNING;
    Optional<WaitKind> doing = running ? Optional.empty() : Optional.of(kind.waitsFor());
    return new LockOwner(
        redactor.redact(waiting.get(0).parkedClass().orElse("monitor")),
        waiting.size(),
        redactor.redact(owner.name()),
        doing,
        running ? "" : redactor.redact(kind.name()),
        kind.top());
  }
}
