package io.gcdiag.ingest.threads;

import io.gcdiag.evidence.Source;
import io.gcdiag.evidence.ThreadActivity;
import io.gcdiag.evidence.ThreadSnapshot;
import io.gcdiag.evidence.ThreadState;
import io.gcdiag.ingest.Redactor;
import io.gcdiag.ingest.frames.FrameBook;
import io.gcdiag.ingest.frames.StackKind;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns dumps into evidence: each thread once, with what it was doing. */
public final class ThreadSnapshots {

  private ThreadSnapshots() {}

  /**
   * The evidence in one dump.
   *
   * @param dump the dump
   * @param book the rules that tell what a stack means
   * @param at when it was taken; the caller knows the zone of the JVM and the other files
   * @param source where it was read
   * @param redactor hides secrets in thread names
   */
  public static ThreadSnapshot of(
      ParsedDump dump, FrameBook book, Optional<Instant> at, Source source, Redactor redactor) {
    Map<Stack, StackKind> kinds = new HashMap<>();
    return new ThreadSnapshot(
        at,
        dump.threads().stream().map(thread -> state(thread, book, redactor, kinds)).toList(),
        dump.deadlocked().stream().map(redactor::redact).toList(),
        LockOwners.of(dump, book, redactor),
        source);
  }

  /** What a kind is told by; of the thousands of threads of a service most share a few stacks. */
  private record Stack(List<String> frames, String state, Optional<String> parkedClass) {}

  private static ThreadState state(
      ParsedThread thread, FrameBook book, Redactor redactor, Map<Stack, StackKind> kinds) {
    StackKind kind =
        kinds.computeIfAbsent(
            new Stack(thread.frames(), thread.state(), thread.parkedClass()),
            stack -> book.classify(stack.frames(), stack.state(), stack.parkedClass()));
    ThreadActivity activity = book.activity(kind, thread.frames(), thread.state());
    boolean running = activity == ThreadActivity.RUNNING;
    boolean serves = book.isRequestThread(thread.name()) && !book.isServerLoop(thread.frames());
    return new ThreadState(
        redactor.redact(thread.name()),
        thread.state(),
        activity,
        running ? "" : kind.name(),
        kind.requestThread() || serves,
        !running && book.isOfService(kind.name()));
  }
}
