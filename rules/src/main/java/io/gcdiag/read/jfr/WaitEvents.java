package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.threads.AcceptedPorts;
import io.gcdiag.evidence.threads.CallPart;
import io.gcdiag.evidence.threads.ThreadGroupSample.CallersRead;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Waits with stacks: parks, monitors, sockets and files, summed up by site as they are read. */
final class WaitEvents extends EventGroup {

  static final String PARK = "jdk.ThreadPark";

  private static final String SOCKET_PARK = "sun.nio.ch.NioSocketImpl.park";
  private static final String MONITOR_ENTER = "jdk.JavaMonitorEnter";
  private static final String MONITOR_WAIT = "jdk.JavaMonitorWait";
  static final String SOCKET_READ = "jdk.SocketRead";
  static final String SOCKET_WRITE = "jdk.SocketWrite";
  private static final String SLEEP = "jdk.ThreadSleep";

  /** The remote host of a response that is written. */
  private static final String CALLER = "the caller";

  /** Its writes end at once: what does not fit is written when the selector says so. */
  private static final String CHANNEL = "sun.nio.ch.SocketChannelImpl.";

  /** The package of streams, whose writes end when all bytes are taken. */
  private static final String STREAM = "java.io.";

  static final String FILE_READ = "jdk.FileRead";
  static final String FILE_WRITE = "jdk.FileWrite";
  static final String FILE_FORCE = "jdk.FileForce";

  private static final String WAITING = "WAITING";
  private static final String RUNNABLE = "RUNNABLE";

  private static final String EXCLUSIVE = "java.util.concurrent.locks.ReentrantLock$";

  private final WaitedCode code;
  private final WaitBook book;
  private final WorkerTimes workers;
  private final WaitCoverage coverage;
  private final WaitPlace.Finder parks;
  private final WaitPlace.Finder monitors;
  private final WaitPlace.Finder objects;
  private final WaitPlace.Finder sleeps;
  private final WaitPlace.Finder rests;
  private final WaitPlace.Finder sockets;
  private final WaitPlace.Finder socketWrites;
  private final WaitPlace.Finder reads;
  private final WaitPlace.Finder writes;
  private final WaitPlace.Finder forces;
  private final Function<Event, Optional<String>> remoteName = new RemoteNames()::of;

  /** Reads by no known client from ports that clients have, by place, with the first of each. */
  private final Map<WaitPlace, Instant> fromCallers = new LinkedHashMap<>();

  WaitEvents(
      LaneContext lane,
      LockHandovers handovers,
      PoolHolds holds,
      WorkerTimes workers,
      WaitedCode code) {
    super(lane);
    this.workers = workers;
    this.code = code;
    coverage = new WaitCoverage(file);
    book = new WaitBook(file, redactor, stacks, coverage, handovers, holds, workers);
    parks = places(PARK, WAITING, true, (kind, lock) -> place(PARK, kind));
    monitors = places(MONITOR_ENTER, "BLOCKED", true, this::monitor);
    objects = places(MONITOR_WAIT, WAITING, true, (kind, lock) -> place(MONITOR_WAIT, kind));
    sleeps = places(SLEEP, FrameBook.ASLEEP, false, this::sleep);
    rests =
        new WaitPlace.Finder(
            stacks,
            Optional.empty(),
            FrameBook.ASLEEP,
            false,
            (kind, none) -> place(SLEEP, kind, WaitKind.SLEEP, ""));
    sockets = places(SOCKET_READ, RUNNABLE, false, this::socket);
    socketWrites = places(SOCKET_WRITE, RUNNABLE, false, this::written);
    reads = files(FILE_READ);
    writes = files(FILE_WRITE);
    forces = files(FILE_FORCE);
    on(PARK, this::park);
    on(MONITOR_ENTER, this::monitorEnter);
    on(MONITOR_WAIT, this::monitorWait);
    on(SLEEP, this::sleep);
    // A server waits for each of its callers in turn: for which one does not matter.
    on(SOCKET_READ, this::socketRead);
    on(SOCKET_WRITE, event -> socketUsed(event, socketWrites));
    on(FILE_READ, event -> fileAccess(event, reads));
    on(FILE_WRITE, event -> fileAccess(event, writes));
    on(FILE_FORCE, event -> fileAccess(event, forces));
  }

  private void park(Event event) {
    WaitPlace place = parks.at(book.counted(event, false), event.className("parkedClass"));
    if (place.waitsFor() == WaitKind.DOWNSTREAM && isInSocket(event)) {
      return;
    }
    book.wait(event, place);
    // The last thread to get a shared read lock is not its only owner.
    if (place.waitsFor() == WaitKind.LOCK && place.kind.name().startsWith(EXCLUSIVE)) {
      book.handover(event, place, OptionalLong.empty());
    }
  }

  /**
   * A virtual thread parks inside a blocking read or write of a socket, which has an event of its
   * own. The park has one only while the thread is pinned.
   */
  private static boolean isInSocket(Event event) {
    return event.stack().filter(trace -> trace.frames().contains(SOCKET_PARK)).isPresent();
  }

  private void monitorEnter(Event event) {
    WaitPlace place = monitors.at(book.counted(event, false), event.className("monitorClass"));
    book.wait(event, place);
    if (place.waitsFor() == WaitKind.LOCK) {
      Optional<EventThread> owner = event.thread("previousOwner");
      book.handover(
          event,
          place,
          owner.isPresent() ? OptionalLong.of(owner.get().id()) : OptionalLong.empty());
    }
  }

  private WaitPlace monitor(StackKind kind, Optional<String> monitor) {
    // A call is the lookup of a host that another thread makes meanwhile.
    return switch (kind.waitsFor()) {
      case POOL, DOWNSTREAM, LOG_QUEUE, DIRECT_MEMORY -> place(MONITOR_ENTER, kind);
      default -> place(MONITOR_ENTER, kind, WaitKind.LOCK, monitor.orElse("monitor"));
    };
  }

  /**
   * Some pools make borrowers wait on a monitor, databases inside the JVM sessions that want a lock
   * of another, and some clients those who wait for an answer. Of a thread that its stack shows to
   * serve a request any other Object.wait is one for an answer; of all others it is waiting for
   * work.
   */
  private void monitorWait(Event event) {
    WaitPlace place = objects.at(book.counted(event, false), event.className("monitorClass"));
    boolean answer = place.kind.requestThread() && isAnswer(place.waitsFor());
    boolean held = place.waitsFor() == WaitKind.POOL || place.waitsFor() == WaitKind.LOCK;
    if (held || place.isIdle() || answer) {
      book.wait(event, place);
    }
  }

  private static boolean isAnswer(WaitKind kind) {
    return switch (kind) {
      case DOWNSTREAM, LOG_QUEUE, DIRECT_MEMORY, CLIENT, OTHER -> true;
      default -> false;
    };
  }

  /**
   * A request that sleeps keeps its user waiting, and the threads that wait for what it holds. Of
   * other threads, sleeping between two rounds is what most of them do, unless they take their turn
   * in a limiter. A pool or client may also try again after a while.
   */
  private void sleep(Event event) {
    WaitPlace place = sleeps.at(book.counted(event, false), Optional.empty());
    if (place.waitsFor() == WaitKind.SLEEP
        && place.kind.limiter().isEmpty()
        && !stacks.onRequestThread(place.kind, event)) {
      WaitPlace rest = rests.at(event, Optional.empty());
      book.rest(event, rest);
    } else {
      book.wait(event, place);
    }
  }

  private WaitPlace sleep(StackKind kind, Optional<String> none) {
    boolean sleeps = kind.waitsFor() == WaitKind.OTHER || kind.waitsFor() == WaitKind.SLEEP;
    return sleeps
        ? place(SLEEP, kind, WaitKind.SLEEP, kind.limiter().orElse(kind.top()))
        : place(SLEEP, kind);
  }

  private void socketRead(Event event) {
    WaitPlace place = socketUsed(event, sockets);
    if (place.kind.name().equals(CallPart.SOCKET)
        && !fromCallers.containsKey(place)
        && AcceptedPorts.isEphemeral(place.what())) {
      fromCallers.put(place, event.start());
    }
  }

  /** One method that reads from as many ports of one host as there are callers. */
  private void tellOfCallers(TimelineBuilder timeline) {
    fromCallers.keySet().stream()
        .collect(
            Collectors.groupingBy(
                place ->
                    List.of(place.kind.top(), place.kind.root(), AcceptedPorts.host(place.what()))))
        .values()
        .stream()
        .filter(reads -> AcceptedPorts.areCallers(reads.stream().map(WaitPlace::what).toList()))
        .map(
            reads -> {
              StackKind kind = reads.get(0).kind;
              Set<String> ports = reads.stream().map(WaitPlace::what).collect(Collectors.toSet());
              return new CallersRead(
                  fromCallers.get(reads.get(0)), kind.top(), kind.root(), ports.size());
            })
        .forEach(timeline::sample);
  }

  private WaitPlace socketUsed(Event event, WaitPlace.Finder places) {
    WaitPlace place = places.at(book.counted(event, true), remoteName);
    if (place.waitsFor() == WaitKind.OTHER) {
      book.rest(event, place);
    } else {
      book.wait(event, place);
    }
    return place;
  }

  private WaitPlace socket(StackKind kind, Optional<String> remote) {
    if (kind.waitsFor() == WaitKind.IDLE || kind.waitsFor() == WaitKind.CLIENT) {
      return place(SOCKET_READ, kind);
    }
    boolean ofServer = kind.waitsFor() == WaitKind.OTHER && !kind.name().isEmpty();
    return ofServer
        ? place(SOCKET_READ, kind, WaitKind.OTHER, CALLER)
        : place(SOCKET_READ, kind, WaitKind.DOWNSTREAM, remote.orElse(""));
  }

  /**
   * A client that writes is in its call. A server that writes waits for its caller to read: that is
   * no call, and says nothing of how long calls take.
   */
  private WaitPlace written(StackKind kind, Optional<String> remote) {
    boolean channel =
        kind.name().equals(CallPart.SOCKET)
            && kind.frames().stream().anyMatch(one -> one.startsWith(CHANNEL));
    boolean ofServer = kind.waitsFor() == WaitKind.OTHER && !kind.name().isEmpty();
    if (kind.waitsFor() == WaitKind.CLIENT || ofServer) {
      return place(SOCKET_WRITE, kind, WaitKind.CLIENT, kind.name());
    }
    // From JDK 24 on the event leaves out the frames of sockets and channels (@StackFilter): what
    // is
    // known to be no channel is a stream of bytes.
    boolean stream =
        kind.frames().stream().findFirst().filter(top -> top.startsWith(STREAM)).isPresent();
    return channel || kind.waitsFor() == WaitKind.OTHER && !stream
        ? place(SOCKET_WRITE, kind, WaitKind.OTHER, CALLER)
        : place(SOCKET_WRITE, kind, WaitKind.DOWNSTREAM, remote.orElse(""));
  }

  private void fileAccess(Event event, WaitPlace.Finder places) {
    book.wait(event, places.at(book.counted(event, true), event.text("path")));
  }

  private WaitPlace.Finder files(String event) {
    return places(
        event,
        RUNNABLE,
        false,
        (kind, path) ->
            event.equals(FILE_READ) && OpenedStream.isPipe(path)
                ? place(event, kind, WaitKind.OTHER, FrameBook.PIPE)
                : OpenedStream.isEntropy(path)
                    ? place(event, kind, WaitKind.DOWNSTREAM, path.orElse(""))
                    : place(event, kind, WaitKind.FILE, fileName(event, path)));
  }

  /** The JDK knows the path of all that it opens itself: it did not open standard output. */
  private static String fileName(String event, Optional<String> path) {
    boolean handed = event.equals(FILE_WRITE) && OpenedStream.isPipe(path);
    return handed ? WaitSite.STANDARD_OUTPUT : path.orElse("unknown file");
  }

  private WaitPlace.Finder places(
      String event, String state, boolean subjectIsClass, WaitPlace.Finder.Maker maker) {
    return new WaitPlace.Finder(
        stacks, Optional.of(new WaitPlace.Finder.Code(code, event)), state, subjectIsClass, maker);
  }

  private WaitPlace place(String event, StackKind kind) {
    return place(event, kind, kind.waitsFor(), kind.name());
  }

  private WaitPlace place(String event, StackKind kind, WaitKind wait, String name) {
    return book.place(event, kind, wait, name);
  }

  /** Whether waits of that kind, and of that name unless it is a lock, were timed. */
  boolean has(WaitKind kind, String name) {
    return book.has(kind, name);
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    book.finish(timeline);
    code.finish(file, timeline);
    tellOfCallers(timeline);
    if (settings.byAsyncProfiler()) {
      // It contains only parks for locks and semaphores (lockTracer.cpp).
      timeline.signal(
          Signal.THREAD_PARKS,
          new SignalState(
              SignalState.Kind.NOT_RECORDED,
              Optional.empty(),
              "async-profiler records parks for locks only"));
    } else {
      workers.times().forEach(timeline::sample);
      workers.whole.times().forEach(timeline::sample);
      workers.rounds().forEach(timeline::sample);
      workers.unrested.runs().forEach(timeline::sample);
      coverage.tell(timeline, settings, Signal.THREAD_PARKS, PARK, parks);
    }
    coverage.tell(timeline, settings, Signal.MONITOR_WAITS, MONITOR_ENTER, monitors);
    coverage.tell(timeline, settings, Signal.THREAD_SLEEPS, SLEEP, sleeps);
    if (book.has(WaitKind.SLEEP)) {
      // Limiters park: such a sleep is seen as well where sleeps themselves are not recorded.
      timeline.signal(
          Signal.THREAD_SLEEPS,
          new SignalState(SignalState.Kind.SEEN, settings.threshold(SLEEP), ""));
    }
    coverage.tell(timeline, settings, Signal.SOCKET_READS, SOCKET_READ, sockets);
    coverage.tell(timeline, settings, Signal.FILE_IO, FILE_READ, reads);
    long events =
        Stream.of(parks, monitors, objects, sleeps, sockets, socketWrites, reads, writes, forces)
            .mapToLong(WaitPlace.Finder::asked)
            .sum();
    coverage.tellOfVirtualThreads(timeline, SOCKET_READ, events);
  }

  /** Names of remote hosts, as {@code host:port}. */
  private static final class RemoteNames {

    private static final long NO_PORT = Long.MIN_VALUE;

    /** The one before: a service mostly calls the same hosts again and again. */
    private String latestHost = "";

    private long latestPort = NO_PORT;
    private Optional<String> latest = Optional.of("");

    /** The other side of a socket. */
    Optional<String> of(Event event) {
      Optional<String> name = event.text("host");
      Optional<String> given =
          name.isPresent() && !name.get().isEmpty() ? name : event.text("address");
      String host = given.orElse("unknown host");
      long port = event.numberOr("port", NO_PORT);
      boolean same = latestHost.equals(host) && latestPort == port;
      // The same text in another object is found out only once.
      latestHost = host;
      latestPort = port;
      if (!same) {
        latest = Optional.of(port == NO_PORT ? host : host + ":" + port);
      }
      return latest;
    }
  }

  /** Names in file events that are no files. */
  static final class OpenedStream {

    /** Terminals, and what a process was handed when it began. */
    private static final List<String> STREAMS =
        List.of(
            "/dev/stdin", "/dev/fd/", "/dev/tty", "/dev/pts/", "/dev/console", "/proc/self/fd/");

    /** Read for random numbers; the first blocks where the system has collected too few. */
    private static final Set<String> ENTROPY = Set.of("/dev/random", "/dev/urandom");

    /** Whether what is read are the system's random numbers. */
    static boolean isEntropy(Optional<String> path) {
      return path.filter(ENTROPY::contains).isPresent();
    }

    /**
     * Whether what is read comes from another process or from a user. The JDK knows the path of all
     * that it opens itself; standard input and the output of a child process it is handed open.
     *
     * @param path of the file, as the event has it
     */
    static boolean isPipe(Optional<String> path) {
      return path.isEmpty()
          || path.get().isEmpty()
          || STREAMS.stream().anyMatch(path.get()::startsWith);
    }
  }
}
