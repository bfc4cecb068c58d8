package io.gcdiag.read.dumps;

import io.gcdiag.evidence.threads.Deadlocks;
import io.gcdiag.evidence.threads.Deadlocks.Kind;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.frames.FrameBook;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Threads of a dump that wait for each other. The JVM searches for deadlocks of locks when it
 * prints a dump, and states them at its end. In a dump that was truncated there, and in a dump to
 * file, only the owners show them. Other waits the JVM does not consider: for a class that another
 * thread initializes, for a task that others run, for an answer that an event loop has to read, for
 * a connection that others hold, for those who read what a lock guards.
 *
 * <p>A thread cannot go on if none of the threads that could let it go on can. The largest set of
 * threads of which that is true is in a deadlock, or waits for one (R. C. Holt, "Some deadlock
 * properties of computer systems", 1972). Where a dump does not say which of several threads it is
 * that another one waits for, all of them are considered: one of them that is at work itself is
 * enough to find no deadlock.
 */
final class WaitCircles {

  /** A wait is within so many of the innermost frames. */
  private static final int WAIT_FRAMES = 8;

  /** More names of threads say no more: they are those of one pool. */
  private static final int MOST_NAMED = 3;

  private static final String WORKER = "java.util.concurrent.ForkJoinWorkerThread.run";

  /** The same workers carry virtual threads, and then run no task that another thread waits for. */
  private static final String CARRIED = "java.lang.VirtualThread.";

  /** A thread in one of these runs a task of an executor. */
  private static final Set<String> RUNS =
      Set.of(
          "java.util.concurrent.FutureTask.run",
          "java.util.concurrent.ThreadPoolExecutor.runWorker");

  /** What several may hold at a time: no dump says who reads. */
  private static final String SHARED = "java.util.concurrent.locks.ReentrantReadWriteLock";

  private static final String WRITES = SHARED + "$WriteLock.";

  /**
   * What a thread waits for.
   *
   * @param words in words, before the names of the holders
   * @param holders the threads of which one could let it go on; not empty
   */
  private record Need(Kind kind, String words, List<Integer> holders) {}

  /** What the frames of a stack say; the thousands of threads of a service share a few stacks. */
  private record Stack(
      boolean joins,
      boolean awaits,
      boolean works,
      boolean runs,
      boolean readsOwn,
      boolean holds,
      boolean writes) {

    static Stack of(List<String> frames, ThreadState state, FrameBook book) {
      return new Stack(
          begins(frames, "java.util.concurrent.ForkJoinTask."),
          begins(frames, "java.util.concurrent.FutureTask.awaitDone"),
          frames.contains(WORKER) && frames.stream().noneMatch(one -> one.startsWith(CARRIED)),
          frames.stream().anyMatch(RUNS::contains),
          state.is(ThreadActivity.IN_DOWNSTREAM_CALL)
              && book.readsAnswersOf(state.subject(), frames),
          book.holdsConnection(frames),
          begins(frames, WRITES));
    }

    private static boolean begins(List<String> frames, String with) {
      return frames.stream().limit(WAIT_FRAMES).anyMatch(frame -> frame.startsWith(with));
    }
  }

  private final List<ParsedThread> threads;
  private final List<ThreadState> states;
  private final FrameBook book;
  private final Map<List<String>, Stack> stacks = new IdentityHashMap<>();
  private final Map<String, Integer> owners = new HashMap<>();
  private final Map<String, List<Integer>> holders = new HashMap<>();
  private final Map<Integer, Need> needs = new TreeMap<>();

  private WaitCircles(List<ParsedThread> threads, List<ThreadState> states, FrameBook book) {
    this.threads = threads;
    this.states = states;
    this.book = book;
    for (int i = 0; i < threads.size(); i++) {
      for (String lock : threads.get(i).locks().owned()) {
        owners.put(lock, i);
      }
    }
    for (int i = 0; i < threads.size(); i++) {
      Optional<Need> need = need(i).filter(any -> !any.holders().isEmpty());
      if (need.isPresent()) {
        needs.put(i, need.get());
      }
    }
  }

  /**
   * The threads that the JVM reported, or otherwise those that the waits show.
   *
   * @param states activity of each of its threads, in the same order
   * @param book the meaning of stacks
   * @param redactor hides secrets in thread names
   */
  static Deadlocks of(
      ParsedDump dump, List<ThreadState> states, FrameBook book, Redactor redactor) {
    WaitCircles waits = new WaitCircles(dump.threads(), states, book);
    Set<Integer> stuck = waits.stuck();
    Set<Integer> circle = waits.circle(stuck);
    boolean ofTasks =
        !circle.isEmpty()
            && circle.stream().allMatch(one -> waits.needs.get(one).kind() == Kind.TASKS);
    List<String> names =
        dump.deadlocked().isEmpty() && !ofTasks ? waits.names(circle) : dump.deadlocked();
    List<String> links =
        names.isEmpty()
            ? waits.unclear(ofTasks ? circle : Set.of(), stuck)
            : waits.links(dump.deadlocked().isEmpty() ? circle : Set.of());
    return new Deadlocks(
        names.stream().map(redactor::redact).toList(),
        !dump.selected()
            && (!names.isEmpty() || links.isEmpty())
            && (dump.searched() && !dump.cut() && waits.areClassesKnown()
                || waits.areAllOwnersTold()),
        dump.deadlocked().isEmpty()
            ? circle.stream()
                .map(one -> waits.needs.get(one).kind())
                .max(Comparator.naturalOrder())
                .orElse(Kind.LOCKS)
            : Kind.LOCKS,
        links.stream().map(redactor::redact).toList(),
        names.isEmpty() || ofTasks ? Map.of() : waits.behind(stuck));
  }

  private Optional<Need> need(int i) {
    ParsedThread thread = threads.get(i);
    ThreadState state = states.get(i);
    Optional<String> lock = thread.locks().wanted();
    Optional<Integer> owner = lock.map(owners::get);
    if (owner.isPresent()) {
      return owner.filter(other -> other != i).map(other -> ofLock(lock.orElseThrow(), other));
    }
    if (thread.isWaitingForClass()) {
      return need(Kind.CLASSES, "a class, initialized by", initializers(i));
    }
    return switch (state.activity()) {
      case WAITING_FOR_LOCK -> lock.flatMap(wanted -> shared(i, wanted));
      case WAITING_FOR_POOL -> need(Kind.CONNECTIONS, "a connection, held by", connections(state));
      case IN_DOWNSTREAM_CALL -> need(Kind.ANSWERS, "an answer, read by", loops(state.subject()));
      case OTHER -> task(i);
      default -> Optional.empty();
    };
  }

  private static Optional<Need> need(Kind kind, String words, List<Integer> holders) {
    return Optional.of(new Need(kind, words, holders));
  }

  private static Need ofLock(String lock, int owner) {
    return lock.startsWith(ParsedThread.INITIALIZER)
        ? new Need(
            Kind.CLASSES,
            "the class " + lock.substring(ParsedThread.INITIALIZER.length()) + ", initialized by",
            List.of(owner))
        : new Need(Kind.LOCKS, "a lock of", List.of(owner));
  }

  /**
   * JDK 8 and 11 do not name the class that a thread waits for, and who initializes a class may
   * wait for its superclass, before any frame of its own. The threads that initialize other classes
   * are considered, or where there is none, those that wait for other classes.
   */
  private List<Integer> initializers(int i) {
    Optional<String> wanted = threads.get(i).locks().wanted();
    List<Integer> others = where("initialize", one -> threads.get(one).isInitializing());
    List<Integer> also =
        others.stream().allMatch(one -> one == i)
            ? where("wait for classes", one -> threads.get(one).isWaitingForClass())
            : others;
    return also.stream()
        .filter(one -> one != i)
        .filter(one -> wanted.isEmpty() || !threads.get(one).locks().wanted().equals(wanted))
        .toList();
  }

  /**
   * The threads that may hold a lock that a writer waits for and that no thread owns: those at work
   * that do not wait for it as well. If there is none, it is one of the writers that reads, or no
   * thread any more.
   */
  private Optional<Need> shared(int i, String lock) {
    if (threads.get(i).parkedClass().filter(name -> name.startsWith(SHARED)).isEmpty()) {
      return Optional.empty();
    }
    IntPredicate wanting =
        one -> threads.get(one).locks().wanted().filter(lock::equals).isPresent();
    List<Integer> readers = where(lock, one -> isAtWork(one) && !wanting.test(one));
    return need(
        Kind.READERS,
        "a lock that no thread has locked for writing; it may be read by",
        readers.isEmpty()
            ? where("writers of " + lock, one -> stack(one).writes() && wanting.test(one))
            : readers);
  }

  /**
   * The threads that are seen to hold a connection of a pool, and those at work, which may. Empty
   * if none is seen to hold one: then nothing is known of who does.
   */
  private List<Integer> connections(ThreadState borrower) {
    Predicate<ThreadState> holder =
        one -> !one.is(ThreadActivity.WAITING_FOR_POOL) && one.isOwnCallOf(borrower);
    String pool = "connection of " + borrower.subject();
    boolean seen =
        !where(
                pool,
                one ->
                    holder.test(states.get(one))
                        || isAtWork(one)
                            && !states.get(one).is(ThreadActivity.WAITING_FOR_POOL)
                            && stack(one).holds())
            .isEmpty();
    return seen
        ? where(
            pool + " or at work",
            one ->
                holder.test(states.get(one))
                    || isAtWork(one) && !states.get(one).is(ThreadActivity.WAITING_FOR_POOL))
        : List.of();
  }

  /** The event loops of a client, by the names of those that the client called this service on. */
  private List<Integer> loops(String client) {
    Set<String> names =
        where(
                "loops of " + client,
                one -> stack(one).readsOwn() && states.get(one).subject().equals(client))
            .stream()
            .map(one -> ThreadNames.group(name(one)))
            .collect(Collectors.toSet());
    return names.isEmpty()
        ? List.of()
        : where("answer of " + client, one -> names.contains(ThreadNames.group(name(one))));
  }

  private Optional<Need> task(int i) {
    Stack stack = stack(i);
    if (!stack.joins() && !stack.awaits()) {
      return Optional.empty();
    }
    List<Integer> run =
        stack.joins()
            ? where("work", one -> !isIdle(one) && stack(one).works())
            : where("run", one -> !isIdle(one) && stack(one).runs());
    return need(Kind.TASKS, "a task, run by", run.stream().filter(one -> one != i).toList());
  }

  /** Whether it does something for the service, and may hold what is on no stack. */
  private boolean isAtWork(int i) {
    ThreadState state = states.get(i);
    return !isIdle(i)
        && !threads.get(i).frames().isEmpty()
        && (state.requestThread() || state.standing().own().isPresent());
  }

  private boolean isIdle(int i) {
    return states.get(i).is(ThreadActivity.IDLE);
  }

  private Stack stack(int i) {
    List<String> frames = threads.get(i).frames();
    Stack known = stacks.get(frames);
    if (known == null) {
      known = Stack.of(frames, states.get(i), book);
      stacks.put(frames, known);
    }
    return known;
  }

  private List<Integer> where(String key, IntPredicate of) {
    List<Integer> known = holders.get(key);
    if (known == null) {
      known = IntStream.range(0, threads.size()).filter(of).boxed().toList();
      holders.put(key, known);
    }
    return known;
  }

  /** Takes those away that one of their holders may let go on, until none is left. */
  private Set<Integer> stuck() {
    Set<Integer> left = new TreeSet<>(needs.keySet());
    while (left.removeIf(one -> !left.containsAll(needs.get(one).holders()))) {
      // Who waits for one that was taken away is taken away in the next round.
    }
    return left;
  }

  /** Takes those away that no other waits for, until none is left. */
  private Set<Integer> circle(Set<Integer> stuck) {
    Set<Integer> left = new LinkedHashSet<>(stuck);
    while (left.retainAll(
        left.stream()
            .flatMap(one -> needs.get(one).holders().stream())
            .collect(Collectors.toSet()))) {
      // Who was waited for by one that was taken away may be waited for by none now.
    }
    return left;
  }

  /** From each to the one that it waits for, as far as that goes. */
  private List<String> names(Set<Integer> circle) {
    Set<Integer> ordered = new LinkedHashSet<>();
    for (int first : circle) {
      Optional<Integer> next = Optional.of(first);
      while (next.isPresent() && ordered.add(next.get())) {
        next = needs.get(next.get()).holders().stream().filter(circle::contains).findFirst();
      }
    }
    return ordered.stream().map(this::name).distinct().toList();
  }

  private String name(int i) {
    return threads.get(i).name();
  }

  private List<String> links(Set<Integer> circle) {
    Map<String, List<String>> links = new LinkedHashMap<>();
    for (int one : circle) {
      Need need = needs.get(one);
      List<String> by = need.holders().stream().filter(circle::contains).map(this::name).toList();
      links
          .computeIfAbsent(need.words() + " " + named(by), any -> new ArrayList<>())
          .add(name(one));
    }
    return links.entrySet().stream()
        .map(
            link ->
                named(link.getValue())
                    + (link.getValue().size() == 1 ? " waits for " : " wait for ")
                    + link.getKey())
        .toList();
  }

  private static String named(List<String> names) {
    int more = names.size() - MOST_NAMED;
    return names.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
        + (more <= 0 ? "" : " and " + more + " more");
  }

  /**
   * What may be a deadlock that is not seen.
   *
   * @param tasks threads that wait for tasks of each other
   */
  private List<String> unclear(Set<Integer> tasks, Set<Integer> stuck) {
    Set<String> unclear = new LinkedHashSet<>();
    if (!tasks.isEmpty()) {
      unclear.add("tasks of " + named(names(tasks)) + ", who wait for tasks");
    }
    for (int i = 0; i < threads.size(); i++) {
      if (stack(i).readsOwn() && !stuck.contains(i)) {
        unclear.add("who reads the answer that " + name(i) + " waits for, an event loop");
      }
    }
    needs.values().stream()
        .filter(need -> need.holders().size() == 1)
        .map(need -> need.holders().get(0))
        .filter(owner -> !needs.containsKey(owner))
        .filter(
            owner ->
                states.get(owner).is(ThreadActivity.WAITING_FOR_POOL)
                    || states.get(owner).is(ThreadActivity.OTHER))
        .map(owner -> "what " + name(owner) + " waits for, and others wait for it")
        .forEach(unclear::add);
    return List.copyOf(unclear);
  }

  private Map<ThreadActivity, Integer> behind(Collection<Integer> stuck) {
    Map<ThreadActivity, Integer> counts = new EnumMap<>(ThreadActivity.class);
    stuck.forEach(one -> counts.merge(states.get(one).activity(), 1, Integer::sum));
    return counts;
  }

  /** Whether the initializing thread of each class that a thread waits for is known. */
  private boolean areClassesKnown() {
    return threads.stream()
        .noneMatch(
            thread ->
                thread.isWaitingForClass()
                    && thread.locks().wanted().filter(owners::containsKey).isEmpty());
  }

  private boolean areAllOwnersTold() {
    return IntStream.range(0, threads.size())
        .filter(i -> states.get(i).is(ThreadActivity.WAITING_FOR_LOCK))
        .allMatch(
            i -> threads.get(i).locks().wanted().map(owners::get).filter(o -> o != i).isPresent());
  }
}
