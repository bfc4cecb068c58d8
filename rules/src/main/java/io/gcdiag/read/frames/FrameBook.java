package io.gcdiag.read.frames;

import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.InferredServer;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Lazy;
import io.gcdiag.units.ResourceText;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Tells from the frames of a stack what its thread waits for.
 *
 * <p>A frame is {@code com.pkg.Class.method}, without module, file and line; the innermost comes
 * first. A stack has one meaning, however many of its frames are known. The first of these that
 * holds decides:
 *
 * <ol>
 *   <li>a wait or lock of the JDK's inside the reservation of memory for a direct buffer: {@link
 *       WaitKind#DIRECT_MEMORY};
 *   <li>a frame of an idle worker, a background loop that waits itself, or an executor's thread in
 *       which only its own classes run: {@link WaitKind#IDLE};
 *   <li>a pool's borrow frame, with neither a socket nor another library's driver inside it: {@link
 *       WaitKind#POOL}, although the thread technically parks on a lock or queue. A pool that opens
 *       or tests a connection is in its driver and thus downstream. A wait inside a class that
 *       calls itself a pool and takes something out of it is one, too;
 *   <li>a frame of a limiter or of the pause between two tries, with no driver or client inside it,
 *       or a client of a service or a library of retries that sleeps itself: {@link
 *       WaitKind#SLEEP}, although it may park;
 *   <li>a frame that puts into the queue of an asynchronous logger, directly outside the wait:
 *       {@link WaitKind#LOG_QUEUE}, although the thread parks on a lock or for a moment at a time;
 *   <li>a lock of the JDK's that another thread holds while it looks up a host, or a read of random
 *       numbers: {@link WaitKind#DOWNSTREAM}, as the host has to answer;
 *   <li>a monitor or lock: {@link WaitKind#LOCK}, even inside a driver, because a shared connection
 *       is a lock among the callers, and one of another session inside an embedded database; of a
 *       thread that serves a request a semaphore, too, unless a client waits for it;
 *   <li>a socket or selector below a driver or client that the service calls: {@link
 *       WaitKind#DOWNSTREAM}. A client's library outside all frames of the service is a server;
 *   <li>the connector of a server that writes a response or reads the body of a request, or a write
 *       of the library that has called the service: {@link WaitKind#CLIENT}; one that reads the
 *       next request: {@link WaitKind#OTHER};
 *   <li>a selector or accept of any other library: {@link WaitKind#IDLE};
 *   <li>a read by the first of the service's own code on a thread that serves no known request:
 *       {@link WaitKind#IDLE}, as it waits for what a connection brings next; so does code that
 *       reads the head of a request by its name, of whatever server;
 *   <li>any other socket, looking up a host: {@link WaitKind#DOWNSTREAM}; a file: {@link
 *       WaitKind#FILE};
 *   <li>a wait directly inside a client that works with futures: {@link WaitKind#DOWNSTREAM};
 *   <li>a blocking queue, unless the thread serves a request: {@link WaitKind#IDLE};
 *   <li>{@code Thread.sleep}: {@link WaitKind#SLEEP};
 *   <li>the rest, such as futures and latches of the application: {@link WaitKind#OTHER}.
 * </ol>
 *
 * <p>Instances are immutable and may be shared by threads.
 */
public final class FrameBook {

  /** The name of a wait for what comes through a pipe or is typed. */
  public static final String PIPE = "pipe or standard input";

  private static final String OWN_SERVER = "own server";

  /** The state to use for a recorded sleep, because the stack may not show it. */
  public static final String ASLEEP = "ASLEEP";

  private static final String RESOURCE = "frames.txt";

  /**
   * Largest number of frames between a pool's frame and the start of a thread: its worker's loop
   * calls a task.
   */
  private static final int POOL_FRAMES = 6;

  /**
   * Classes that keep the threads they start, of the JDK and of servers alike: {@code
   * ThreadPoolExecutor}, {@code ForkJoinPool}, {@code QueuedThreadPool}, {@code
   * EnhancedQueueExecutor}, {@code NioEventLoopGroup}.
   */
  private static final Pattern POOL =
      Pattern.compile(".*\\b\\w*(?:Pool|Executor|EventLoop)\\w*(?:\\$\\w+)*\\.\\w+");

  /** Reads what arrives on connections, whichever package a library has moved it to. */
  private static final Pattern LOOP =
      Pattern.compile(
          ".*\\b(?:\\w*EventLoop|\\w*IOReactor|AbstractNioSelector|HttpClientImpl\\$SelectorManager)"
              + "\\.(?:run|execute|doExecute)");

  /** Clients that only wait for asynchronous calls of others. */
  private static final Set<String> ANY_CALL = Set.of("Reactor", "RxJava", "Mutiny");

  /** Read when they are first asked for: logs alone have no frames. */
  private static final FrameBook STANDARD = new FrameBook(new Lazy<>(FrameBook::load));

  private final Lazy<FrameRules> lines;

  private FrameBook(Lazy<FrameRules> lines) {
    this.lines = lines;
  }

  FrameBook(FrameRules rules) {
    this(new Lazy<>(() -> rules));
  }

  private FrameRules rules() {
    return lines.get();
  }

  public static FrameBook standard() {
    return STANDARD;
  }

  /**
   * The book that comes with this program, and a user's rules on top of it: a frame that stands in
   * both has the user's name.
   *
   * @param file rules in the format of {@code frames.txt}
   * @throws IllegalFramesException if the file cannot be read or a line of it is not a rule; the
   *     message names the file and the line
   */
  public static FrameBook with(Path file) {
    try (Reader standard = ResourceText.open(FrameBook.class, RESOURCE);
        Reader more = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      FrameRules rules = FrameRules.parse(standard);
      rules.add(more);
      return new FrameBook(rules);
    } catch (IllegalArgumentException e) {
      throw new IllegalFramesException(file + ", " + e.getMessage(), e);
    } catch (MalformedInputException e) {
      throw new IllegalFramesException(file + ": not a text in UTF-8", e);
    } catch (IOException e) {
      throw new IllegalFramesException(file + ": cannot be read", e);
    }
  }

  /**
   * This book, plus what files show of an unknown server.
   *
   * @param threads names of threads that serve its requests, with {@code *} for any text
   * @param pools methods of the service in which its requests wait for a queue or a permit, with
   *     their names
   * @param callers methods of the service that write to its callers, or read from them
   * @param loops methods that do all that is asked for on one connection
   */
  public FrameBook and(
      Set<String> threads, Map<String, String> pools, Set<String> callers, Set<String> loops) {
    FrameRules more = rules().and(threads);
    pools.forEach((method, name) -> more.mean(method, Section.OWN_POOL, name));
    callers.forEach(method -> more.mean(method, Section.OWN_SERVER, OWN_SERVER));
    loops.forEach(method -> more.mean(method, Section.REQUEST, OWN_SERVER));
    return new FrameBook(more);
  }

  private static FrameRules load() {
    try (Reader text = ResourceText.open(FrameBook.class, RESOURCE)) {
      return FrameRules.parse(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The meaning of a stack.
   *
   * @param frames the frames, innermost first; may be empty
   * @param state the Java state such as {@code TIMED_WAITING}, or empty if unknown. For a monitor
   *     entry it must be {@code BLOCKED}, for a sleep event {@link #ASLEEP}, because nothing else
   *     distinguishes them from other waits
   * @param parkedClass the class of the object parked on or of the monitor, if known
   */
  public StackKind classify(List<String> frames, String state, Optional<String> parkedClass) {
    StackReader stack =
        new StackReader(rules(), state.equals(ASLEEP) ? MethodNames.asleep(frames) : frames);
    Wait wait = stack.read(state.equals("BLOCKED"), parkedClass);
    return new StackKind(
        wait.kind(),
        wait.name(),
        stack.isServing(),
        stack.root(),
        stack.top(),
        stack.isOverflow(),
        frames);
  }

  /**
   * The activity of a thread in a dump. The JVM reports a thread inside a native read or poll as
   * {@code RUNNABLE}; this distinguishes it from a running thread. A thread without frames, mostly
   * one of the JVM's own, is {@link ThreadActivity#OTHER}.
   *
   * @param kind result of {@link #classify} for the same frames
   * @param frames the frames, innermost first
   * @param state the Java state; empty if the dump does not have it
   */
  public ThreadActivity activity(StackKind kind, List<String> frames, String state) {
    if (frames.isEmpty() || state.equals("NEW") || state.equals("TERMINATED")) {
      return ThreadActivity.OTHER;
    }
    boolean mayRun = state.isEmpty() || state.equals("RUNNABLE");
    // A virtual thread that yields lets go of its carrier as if it waited.
    if (mayRun && (!isWait(frames.get(0)) || frames.contains("java.lang.Thread.yield"))) {
      return ThreadActivity.RUNNING;
    }
    return ThreadActivity.of(kind.waitsFor());
  }

  /**
   * Whether a pool, an executor or a server starts a thread with this stack. A server with one
   * thread per connection has at most as many as its callers open.
   *
   * @param top the innermost frame outside the JDK
   */
  public boolean startsInPool(List<String> frames, String top) {
    return rules().is(Section.SERVER, top)
        || frames.stream().limit(POOL_FRAMES).anyMatch(FrameBook::isOfPool);
  }

  /** Whether a pool or executor runs the thread of a stack. */
  public static boolean runsInPool(List<String> frames) {
    return frames.stream()
        .skip(Math.max(0, frames.size() - POOL_FRAMES))
        .anyMatch(FrameBook::isOfPool);
  }

  static boolean isOfPool(String frame) {
    return POOL.matcher(frame).matches();
  }

  /**
   * Number of frames outside the borrowing of a connection; all frames if the stack is none of a
   * borrower.
   */
  public int framesOutsidePool(List<String> frames) {
    for (int i = frames.size() - 1; i >= 0; i--) {
      String frame = frames.get(i);
      if (rules().is(Section.POOL, frame)
          || rules().is(Section.POOL_BENEATH, frame)
          || PoolWords.pool(frame, false).isPresent()) {
        return frames.size() - 1 - i;
      }
      if (rules().is(Section.OWN_POOL, frame)) {
        return frames.size() - i;
      }
    }
    return frames.size();
  }

  /**
   * The index of the innermost frame that runs the transaction of a connection borrowed with this
   * stack: it is returned when that frame returns, not when its user closes it. The number of
   * frames if there is none.
   */
  public int transaction(List<String> frames) {
    for (int i = frames.size() - framesOutsidePool(frames); i < frames.size(); i++) {
      if (rules().is(Section.TRANSACTION, frames.get(i))) {
        return i;
      }
    }
    return frames.size();
  }

  /**
   * Whether a thread that borrows a connection with this stack already holds another one: inside a
   * frame that holds a connection, the service's code enters a second frame of the same kind.
   */
  public boolean holdsAnother(List<String> frames) {
    List<String> inside = new ArrayList<>();
    List<String> around = new ArrayList<>();
    for (String frame : frames.subList(frames.size() - framesOutsidePool(frames), frames.size())) {
      Optional<String> scope = rules().name(Section.CONNECTION_SCOPE, frame);
      if (scope.filter(around::contains).isPresent()) {
        return true;
      }
      scope.ifPresent(inside::add);
      if (isServices(frame)) {
        around.addAll(inside);
      }
    }
    return false;
  }

  /** Whether a frame runs its caller's code while it holds a connection. */
  public boolean holdsConnection(List<String> frames) {
    return frames.stream().anyMatch(frame -> rules().is(Section.CONNECTION_SCOPE, frame));
  }

  /**
   * Whether a thread is one of those that read the answers of a client, and waits for an answer
   * itself: an event loop on which the client was called back, directly by what reads from the
   * network, and waits inside. What waits for any asynchronous call is taken for a part of the
   * client that the loop belongs to.
   *
   * @param client the name of the client that the thread waits in
   */
  public boolean readsAnswersOf(String client, List<String> frames) {
    if (!isLoop(frames)) {
      return false;
    }
    boolean any = ANY_CALL.contains(client);
    boolean called = false;
    for (String frame : frames) {
      boolean own = isOfClient(client, frame);
      if (called && !own && isReader(frame)) {
        return true;
      }
      called = isJdk(frame) ? called : own || any && (called || isServices(frame));
    }
    return false;
  }

  /** Whether an event loop runs the thread of a stack. */
  public static boolean isLoop(List<String> frames) {
    return frames.stream().anyMatch(frame -> LOOP.matcher(frame).matches());
  }

  private boolean isReader(String frame) {
    return frame.contains(".netty.")
        || Stream.of(Section.CLIENT, Section.SERVICE_CLIENT, Section.ASYNC_CLIENT)
            .anyMatch(section -> rules().name(section, frame).isPresent());
  }

  private boolean isOfClient(String name, String frame) {
    return Stream.of(Section.CLIENT, Section.SERVICE_CLIENT)
        .anyMatch(section -> rules().name(section, frame).filter(name::equals).isPresent());
  }

  /**
   * Whether a call needs the borrowed connection: it is of the library of the pool, or of any
   * database if the pool is one of database connections.
   *
   * @param pool the pool's name, from the stack of a borrower
   * @param call meaning of a stack in the call
   */
  public boolean isOwnCall(String pool, StackKind call) {
    if (call.name().equals(pool) || InferredServer.isPool(pool)) {
      return true;
    }
    boolean ofService =
        call.frames().stream()
            .anyMatch(
                frame ->
                    rules()
                        .name(Section.SERVICE_CLIENT, frame)
                        .filter(call.name()::equals)
                        .isPresent());
    return !ofService && !rules().isNamed(Section.SERVICE_CLIENT, pool);
  }

  /** Whether clients of that name, or pools of them, are for services and not for databases. */
  public boolean isOfService(String name) {
    return !name.isEmpty() && rules().isNamed(Section.SERVICE_CLIENT, name);
  }

  /** The clients and pools in a stack that make no thread wait. */
  public List<String> asyncClients(List<String> frames) {
    return frames.stream()
        .flatMap(frame -> rules().name(Section.ASYNC_CLIENT, frame).stream())
        .distinct()
        .toList();
  }

  /** The server that gets a response from the thread of a stack; empty if there is none. */
  public Optional<String> answers(List<String> frames) {
    return frames.stream()
        .flatMap(frame -> rules().name(Section.ANSWER, frame).stream())
        .findFirst();
  }

  /** Whether the frame is of the service or its libraries, and not of the JDK or plumbing. */
  public boolean isOwn(String frame) {
    return !isJdk(frame) && !rules().is(Section.PLUMBING, frame);
  }

  /**
   * Whether the service's own code is on the stack: a frame of no JDK, server, framework, pool,
   * client or library that is known.
   */
  public boolean isOfApplication(List<String> frames) {
    return frames.stream().anyMatch(this::isServices);
  }

  /** The index of the innermost frame of the service's own code; -1 if there is none. */
  public int innermostOfApplication(List<String> frames) {
    for (int i = 0; i < frames.size(); i++) {
      if (isServices(frames.get(i))) {
        return i;
      }
    }
    return -1;
  }

  /** The index of the outermost frame of the service's own code; -1 if there is none. */
  public int outermostOfApplication(List<String> frames) {
    int last = frames.size() - 1;
    while (last >= 0 && !isServices(frames.get(last))) {
      last--;
    }
    return last;
  }

  /** Whether the frame is the service's own code, that is, not known to be another's. */
  public boolean isServices(String frame) {
    return rules().meaning(frame).isServices();
  }

  /** The servers and frameworks whose frames show that the thread serves a request. */
  public List<String> frameworks(List<String> frames) {
    return frames.stream()
        .flatMap(frame -> rules().name(Section.REQUEST, frame).stream())
        .distinct()
        .toList();
  }

  /** Whether threads of this name serve requests, whatever they do. */
  public boolean isRequestThread(String threadName) {
    return rules().isRequestThread(threadName);
  }

  /** Whether the thread is an event loop of the server and takes no request. */
  public boolean isServerLoop(List<String> frames) {
    return frames.stream().anyMatch(frame -> rules().is(Section.SERVER_LOOP, frame));
  }

  /** Whether a thread with this innermost frame waits inside it: for a file, a selector. */
  public boolean isWait(String innermost) {
    return rules().is(Section.WAIT, innermost)
        || rules().is(Section.POLL, innermost)
        || rules().is(Section.SOCKET, innermost)
        || rules().is(Section.FILE, innermost);
  }

  private boolean isJdk(String frame) {
    return rules().is(Section.JDK, frame);
  }

  record Wait(WaitKind kind, String name) {}
}
