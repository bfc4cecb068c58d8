package io.gcdiag.read.dumps;

import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.threads.LockOwner;
import io.gcdiag.evidence.threads.LockOwner.InLibrary;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.frames.StackKind;
import java.time.Duration;
import java.time.Instant;
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
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Converts dumps into evidence: each thread with its activity. The meaning of a stack is computed
 * once for all dumps.
 */
public final class ThreadSnapshots {

  /**
   * What a thread that runs inside is busy with, by any caller. Maps that are not made for several
   * threads at once: changed by them, these may link to themselves, and a search of them never
   * ends. And the walk of a stack for a new exception.
   */
  private static final Pattern TELLING =
      Pattern.compile(
          "java\\.lang\\.Throwable\\.fillInStackTrace|java\\.util\\.(?:(?:Linked|Weak|Identity)?Hash(?:Map|Set)|Tree(?:Map|Set))(?:\\$\\w+)*\\.\\w+");

  /** Offset basis and prime of FNV-1a for 64 bits. */
  private static final long FIRST = 0xcbf29ce484222325L;

  private static final long PRIME = 0x100000001b3L;

  /** Services have some thousands of distinct stacks. */
  private static final int MOST_KNOWN = 20_000;

  private final FrameBook book;
  private final Redactor redactor;
  private final Map<Stack, Known> known = new HashMap<>();

  /**
   * No dump yet.
   *
   * @param book the rules that tell what a stack means
   * @param redactor hides secrets in thread names
   */
  public ThreadSnapshots(FrameBook book, Redactor redactor) {
    this.book = book;
    this.redactor = redactor;
  }

  /**
   * The evidence in one dump.
   *
   * @param at when it was taken; only the caller knows the zone of the JVM and the other files
   * @param source where it was read
   */
  public ThreadSnapshot of(ParsedDump dump, Optional<Instant> at, Source source) {
    if (known.size() > MOST_KNOWN) {
      known.clear();
    }
    List<ThreadState> threads = dump.threads().stream().map(this::state).toList();
    return new ThreadSnapshot(
        at,
        threads,
        WaitCircles.of(dump, threads, book, redactor),
        LockOwners.of(dump, book, redactor),
        dump.totals(),
        source);
  }

  /** Key of a kind of stack; most of the thousands of threads of a service share a few stacks. */
  private record Stack(List<String> frames, String state, Optional<String> parkedClass) {}

  /**
   * What a stack says.
   *
   * @param number the hash of its frames
   * @param inner the frame of the service's own code that is innermost; negative without one
   * @param inPool whether a pool or executor runs it
   * @param loop whether an event loop does
   * @param holding whether it waits for a connection and holds another
   * @param inside the method of {@link #TELLING} that it computes in, as its caller calls it
   */
  private record Known(
      StackKind kind,
      ThreadActivity activity,
      long number,
      boolean serverLoop,
      int inner,
      int outer,
      boolean inPool,
      boolean loop,
      boolean holding,
      String inside) {
    static Known of(Stack stack, FrameBook book) {
      List<String> frames = stack.frames();
      StackKind kind = book.classify(frames, stack.state(), stack.parkedClass());
      return new Known(
          kind,
          book.activity(kind, frames, stack.state()),
          number(frames),
          book.isServerLoop(frames),
          book.innermostOfApplication(frames),
          book.outermostOfApplication(frames),
          FrameBook.runsInPool(frames),
          FrameBook.isLoop(frames),
          kind.waitsFor() == WaitKind.POOL && book.holdsAnother(frames),
          inside(frames));
    }

    /** The telling method that the thread computes in; empty if there is none. */
    private static String inside(List<String> frames) {
      int outer = 0;
      while (outer < frames.size() && TELLING.matcher(frames.get(outer)).matches()) {
        outer++;
      }
      return outer == 0 ? "" : frames.get(outer - 1);
    }

    /** The hash by Fowler, Noll and Vo (FNV-1a) over the hashes of the frames. */
    private static long number(List<String> frames) {
      long number = FIRST;
      for (String frame : frames) {
        number = (number ^ frame.hashCode()) * PRIME;
      }
      return number;
    }
  }

  private ThreadState state(ParsedThread thread) {
    Known stack =
        known.computeIfAbsent(
            new Stack(thread.frames(), thread.state(), thread.parkedClass()),
            any -> Known.of(any, book));
    StackKind kind = stack.kind();
    boolean running = stack.activity() == ThreadActivity.RUNNING;
    boolean serves = book.isRequestThread(thread.name()) && !stack.serverLoop();
    return new ThreadState(
        redactor.redact(thread.name()),
        thread.state(),
        stack.activity(),
        running ? stack.inside() : kind.name(),
        kind.requestThread() || serves,
        !running && book.isOfService(kind.name()),
        new ThreadPosition(
            stack.number(),
            kind.top(),
            thread.cpu().map(Duration::toNanos).orElse(ThreadPosition.UNKNOWN_CPU),
            thread.carries().orElse(ThreadPosition.NO_VIRTUAL_THREAD),
            place(thread, stack.inner()),
            place(thread, stack.outer()),
            stack.inPool(),
            stack.loop(),
            stack.holding()),
        thread.virtual(),
        kind.overflow());
  }

  private static Optional<CodePlace> place(ParsedThread thread, int frame) {
    return frame < 0
        ? Optional.empty()
        : Optional.of(new CodePlace(thread.frames().get(frame), thread.lines().get(frame)));
  }

  /** Finds the owners of the locks that threads of a dump wait for. */
  private static final class LockOwners {

    private static final String READ_WRITE = "java.util.concurrent.locks.ReentrantReadWriteLock$";
    private static final String UNLOCKS = READ_WRITE + "ReadLock.unlock";

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
            .filter(lock -> !owners.containsKey(lock))
            .ifPresent(
                lock -> releasing(thread, dump).ifPresent(holder -> owners.put(lock, holder)));
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
      List<ParsedThread> asking =
          chain.size() == 1 ? waiting : List.of(chain.get(chain.size() - 2));
      int holding = holding(last, asking, book);
      return new LockOwner(
          waiting.size(),
          redactor.redact(last.name()),
          doing,
          running ? "" : redactor.redact(kind.name()),
          held(last, asking, book),
          holding < 0 || book.isServices(last.frames().get(holding))
              ? Optional.empty()
              : Optional.of(new InLibrary(place(last, holding), runs(last, holding, book))));
    }

    private static Optional<CodePlace> held(
        ParsedThread owner, List<ParsedThread> waiting, FrameBook book) {
      return entered(owner, waiting).stream()
          .flatMap(entered -> IntStream.range(entered, owner.frames().size()).boxed())
          .filter(frame -> book.isServices(owner.frames().get(frame)))
          .findFirst()
          .or(() -> sameClass(owner, waiting, book::innermostOfApplication))
          .map(frame -> place(owner, frame));
    }

    /**
     * The innermost frame outside the JDK that holds the lock. Where it is not known, and no code
     * of the service is on the stack, the innermost of all; else -1.
     */
    private static int holding(ParsedThread owner, List<ParsedThread> waiting, FrameBook book) {
      int any = book.isOfApplication(owner.frames()) ? -1 : outsideJdk(owner.frames(), 0);
      return entered(owner, waiting)
          .map(entered -> outsideJdk(owner.frames(), entered))
          .or(() -> sameClass(owner, waiting, frames -> outsideJdk(frames, 0)))
          .orElse(any);
    }

    private static Optional<Integer> entered(ParsedThread owner, List<ParsedThread> waiting) {
      return waiting.get(0).locks().wanted().map(owner.locks().entered()::get);
    }

    private static int outsideJdk(List<String> frames, int from) {
      return IntStream.range(from, frames.size())
          .filter(frame -> !new CodePlace(frames.get(frame), CodePlace.NO_LINE).isOfJdk())
          .findFirst()
          .orElse(-1);
    }

    /** Code of the service that the library calls inside, else where in the JDK or itself it is. */
    private static String runs(ParsedThread owner, int holding, FrameBook book) {
      List<String> frames = owner.frames();
      int own = book.innermostOfApplication(frames);
      if (own >= 0 && own < holding) {
        return place(owner, own).toString();
      }
      String called = frames.get(Math.max(0, holding - 1));
      boolean same = outerClass(called).equals(outerClass(frames.get(0)));
      return frames.get(0) + (same ? "" : " in " + called);
    }

    private static CodePlace place(ParsedThread thread, int frame) {
      return new CodePlace(thread.frames().get(frame), thread.lines().get(frame));
    }

    /**
     * For locks other than monitors, a dump does not show the frame that took it. Most are fields
     * of one class and taken in it, so the class of the waiting threads is used.
     */
    private static Optional<Integer> sameClass(
        ParsedThread owner, List<ParsedThread> waiting, ToIntFunction<List<String>> asking) {
      Set<String> classes = new HashSet<>();
      for (ParsedThread thread : waiting) {
        int asks = asking.applyAsInt(thread.frames());
        if (asks >= 0) {
          classes.add(outerClass(thread.frames().get(asks)));
        }
      }
      return IntStream.range(0, owner.frames().size())
          .boxed()
          .filter(frame -> classes.contains(outerClass(owner.frames().get(frame))))
          .findFirst();
    }

    /**
     * A dump lists no holders of read locks. A thread that releases one in the class of the thread
     * that waits still holds it.
     */
    private static Optional<ParsedThread> releasing(ParsedThread waiting, ParsedDump dump) {
      int asks = outsideJdk(waiting.frames(), 0);
      return asks < 0 || waiting.parkedClass().filter(type -> type.startsWith(READ_WRITE)).isEmpty()
          ? Optional.empty()
          : dump.threads().stream()
              .filter(
                  thread -> {
                    int unlocks = thread.frames().indexOf(UNLOCKS) + 1;
                    return unlocks > 0
                        && unlocks < thread.frames().size()
                        && outerClass(thread.frames().get(unlocks))
                            .equals(outerClass(waiting.frames().get(asks)));
                  })
              .findFirst();
    }

    private static String outerClass(String frame) {
      String name = frame.substring(0, Math.max(0, frame.lastIndexOf('.')));
      int inner = name.indexOf('$');
      return inner > 0 ? name.substring(0, inner) : name;
    }
  }
}
