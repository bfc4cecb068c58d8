package io.gcdiag.read.dumps;

import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.threads.LockOwner;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.frames.StackKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Finds the owners of the locks that threads of a dump wait for. */
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
    waiting.forEach(
        (lock, threads) -> found.add(owner(chain(lock, owners), threads, book, redactor)));
    return found;
  }

  /**
   * The lock's owner, the owner of the lock that this one waits for, and so on, up to one that
   * waits for no lock. In a cycle there is no such thread; then only the owner.
   */
  private static List<ParsedThread> chain(String lock, Map<String, ParsedThread> owners) {
    Set<ParsedThread> chain = Collections.newSetFromMap(new IdentityHashMap<>());
    List<ParsedThread> ordered = new ArrayList<>();
    ParsedThread next = owners.get(lock);
    while (next != null && chain.add(next)) {
      ordered.add(next);
      next = next.locks().wanted().map(owners::get).orElse(null);
    }
    return next == null ? ordered : ordered.subList(0, 1);
  }

  private static LockOwner owner(
      List<ParsedThread> chain, List<ParsedThread> waiting, FrameBook book, Redactor redactor) {
    ParsedThread last = chain.get(chain.size() - 1);
    StackKind kind = book.classify(last.frames(), last.state(), last.parkedClass());
    boolean running = book.activity(kind, last.frames(), last.state()) == ThreadActivity.RUNNING;
    Optional<WaitKind> doing = running ? Optional.empty() : Optional.of(kind.waitsFor());
    return new LockOwner(
        waiting.size(),
        redactor.redact(last.name()),
        doing,
        running ? "" : redactor.redact(kind.name()),
        chain.stream().limit(chain.size() - 1L).map(one -> redactor.redact(one.name())).toList(),
        held(last, chain.size() == 1 ? waiting : List.of(chain.get(chain.size() - 2)), book));
  }

  private static Optional<CodePlace> held(
      ParsedThread owner, List<ParsedThread> waiting, FrameBook book) {
    return waiting.get(0).locks().wanted().map(owner.locks().entered()::get).stream()
        .flatMap(entered -> IntStream.range(entered, owner.frames().size()).boxed())
        .filter(frame -> book.isServices(owner.frames().get(frame)))
        .findFirst()
        .map(frame -> place(owner, frame))
        .or(() -> sameClass(owner, waiting, book));
  }

  private static CodePlace place(ParsedThread thread, int frame) {
    return new CodePlace(thread.frames().get(frame), thread.lines().get(frame));
  }

  /**
   * For locks other than monitors, a dump does not show the frame that took it. Most are fields of
   * one class and taken in it, so the class of the waiting threads is used.
   */
  private static Optional<CodePlace> sameClass(
      ParsedThread owner, List<ParsedThread> waiting, FrameBook book) {
    Set<String> classes = new HashSet<>();
    for (ParsedThread thread : waiting) {
      int asks = book.innermostOfApplication(thread.frames());
      if (asks >= 0) {
        classes.add(outerClass(thread.frames().get(asks)));
      }
    }
    List<String> frames = owner.frames();
    for (int frame = 0; frame < frames.size(); frame++) {
      if (classes.contains(outerClass(frames.get(frame)))) {
        return Optional.of(place(owner, frame));
      }
    }
    return Optional.empty();
  }

  private static String outerClass(String frame) {
    String name = frame.substring(0, Math.max(0, frame.lastIndexOf('.')));
    int inner = name.indexOf('$');
    return inner > 0 ? name.substring(0, inner) : name;
  }
}
