package io.gcdiag.ingest.jfr;

import io.gcdiag.evidence.LockHold.Doing;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.SignalState;
import io.gcdiag.evidence.Source;
import io.gcdiag.evidence.VirtualThreadUse;
import io.gcdiag.evidence.WaitKind;
import io.gcdiag.evidence.WaitSeries;
import io.gcdiag.evidence.WaitSite;
import io.gcdiag.ingest.Intake;
import io.gcdiag.ingest.Redactor;
import io.gcdiag.ingest.frames.StackKind;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.EventThread;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Waits with stacks: parks, monitors, sockets and files, summed up by site as they are read. */
final class WaitEvents implements EventGroup {

  private static final String PARK = "jdk.ThreadPark";
  private static final String MONITOR_ENTER = "jdk.JavaMonitorEnter";
  private static final String MONITOR_WAIT = "jdk.JavaMonitorWait";
  private static final String SOCKET_READ = "jdk.SocketRead";
  private static final String SLEEP = "jdk.ThreadSleep";
  private static final String FILE_READ = "jdk.FileRead";
  private static final String FILE_WRITE = "jdk.FileWrite";
  private static final String FILE_FORCE = "jdk.FileForce";

  private static final String EXCLUSIVE = "java.util.concurrent.locks.ReentrantLock$";

  /** A service waits at some dozens of sites; a recording with more has names that never repeat. */
  private static final int MOST_SITES = 2_000;

  /**
   * A wait this long is nobody's request, or its length is damaged; its course would be kept in
   * some 900,000 steps.
   */
  private static final Duration LONGEST = Duration.ofDays(1);

  private final String file;
  private final Stacks stacks;
  private final Redactor redactor;
  private final LockHandovers handovers;
  private final PoolHolds holds;
  private final WorkerTimes workers;
  private final Map<WaitSite, WaitSeries.Builder> series = new HashMap<>();
  private final Map<String, String> shownNames = new HashMap<>();
  private final Map<String, Long> seen = new HashMap<>();
  private long virtualThreadEvents;
  private Optional<Instant> firstVirtual = Optional.empty();

  WaitEvents(
      String file,
      Stacks stacks,
      Redactor redactor,
      LockHandovers handovers,
      PoolHolds holds,
      WorkerTimes workers) {
    this.workers = workers;
    this.file = file;
    this.handovers = handovers;
    this.holds = holds;
    this.redactor = redactor;
    this.stacks = stacks;
  }

  @Override
  public Map<String, Consumer<Event>> readers() {
    return Map.of(
        PARK, this::park,
        MONITOR_ENTER, this::monitorEnter,
        MONITOR_WAIT, this::monitorWait,
        SLEEP, this::sleep,
        SOCKET_READ, this::socketRead,
        FILE_READ, this::fileAccess,
        FILE_WRITE, this::fileAccess,
        FILE_FORCE, this::fileAccess);
  }

  private void park(Event event) {
    StackKind kind = count(event, "WAITING", event.className("parkedClass"));
    if (kind.waitsFor() == WaitKind.IDLE) {
      idle(event, kind);
    } else {
      add(event, kind.waitsFor(), kind.name(), kind);
    }
    // Of a lock that readers share, the last to get it is not its only owner.
    if (kind.waitsFor() == WaitKind.LOCK && kind.name().startsWith(EXCLUSIVE)) {
      handover(event, kind.name(), OptionalLong.empty());
    }
  }

  private void handover(Event event, String lock, OptionalLong previousOwner) {
    OptionalLong address = event.number("address");
    Optional<EventThread> thread = event.thread();
    if (thread.isPresent() && address.isPresent() && isCredible(event.duration())) {
      handovers.add(
          event.type(),
          shown(lock),
          address.getAsLong(),
          event.start(),
          event.duration(),
          thread.get().id(),
          previousOwner);
    }
  }

  private void monitorEnter(Event event) {
    Optional<String> monitor = event.className("monitorClass");
    StackKind kind = count(event, "BLOCKED", monitor);
    WaitKind wait = kind.waitsFor() == WaitKind.POOL ? WaitKind.POOL : WaitKind.LOCK;
    add(event, wait, wait == WaitKind.POOL ? kind.name() : monitor.orElse("monitor"), kind);
    if (wait == WaitKind.LOCK) {
      Optional<EventThread> owner = event.thread("previousOwner");
      handover(
          event,
          monitor.orElse("monitor"),
          owner.isPresent() ? OptionalLong.of(owner.get().id()) : OptionalLong.empty());
    }
  }

  /** Some pools make borrowers wait on a monitor; any other Object.wait is waiting for work. */
  private void monitorWait(Event event) {
    StackKind kind = count(event, "WAITING", event.className("monitorClass"));
    if (kind.waitsFor() == WaitKind.POOL) {
      add(event, WaitKind.POOL, kind.name(), kind);
    } else if (kind.waitsFor() == WaitKind.IDLE) {
      idle(event, kind);
    }
  }

  /**
   * A request that sleeps keeps its user waiting, and whoever waits for what it holds. Of other
   * threads, sleeping between two rounds is what most of them do.
   */
  private void sleep(Event event) {
    StackKind kind = count(event, "TIMED_WAITING", Optional.empty());
    if (kind.waitsFor() == WaitKind.IDLE) {
      idle(event, kind);
    } else if (kind.waitsFor() != WaitKind.OTHER) {
      // A pool or client that tries again after a while.
      add(event, kind.waitsFor(), kind.name(), kind);
    } else if (stacks.onRequestThread(kind, event)) {
      add(event, WaitKind.SLEEP, kind.top(), kind);
    } else {
      span(event, WaitKind.SLEEP, "", kind);
    }
  }

  private void socketRead(Event event) {
    StackKind kind = count(event, "RUNNABLE", Optional.empty());
    if (kind.waitsFor() == WaitKind.IDLE) {
      idle(event, kind);
      return;
    }
    add(event, WaitKind.DOWNSTREAM, remote(event), kind);
  }

  private static String remote(Event event) {
    String host =
        event
            .text("host")
            .filter(name -> !name.isEmpty())
            .or(() -> event.text("address"))
            .orElse("unknown host");
    OptionalLong port = event.number("port");
    return port.isPresent() ? host + ":" + port.getAsLong() : host;
  }

  private void fileAccess(Event event) {
    StackKind kind = count(event, "RUNNABLE", Optional.empty());
    add(event, WaitKind.FILE, event.text("path").orElse("unknown file"), kind);
  }

  private StackKind count(Event event, String state, Optional<String> subject) {
    seen.merge(event.type(), 1L, Long::sum);
    if (event.thread().filter(EventThread::virtual).isPresent()) {
      virtualThreadEvents++;
      firstVirtual = firstVirtual.or(() -> Optional.of(event.start()));
    }
    return stacks.kind(event, state, subject);
  }

  private void add(Event event, WaitKind wait, String name, StackKind kind) {
    Duration duration = event.duration();
    if (!isCredible(duration)) {
      return;
    }
    span(event, wait, name, kind);
    boolean serving = stacks.onRequestThread(kind, event);
    WaitSite site = new WaitSite(wait, shown(name), serving, kind.top());
    if (!series.containsKey(site) && series.size() >= MOST_SITES) {
      site = new WaitSite(wait, "other sites", serving, "");
    }
    WaitSeries.Builder waits =
        series.computeIfAbsent(
            site, key -> new WaitSeries.Builder(key, new Source(file, event.type())));
    Optional<EventThread> thread = event.thread();
    if (thread.isPresent()) {
      waits.add(event.start(), duration, thread.get().id());
    } else {
      waits.add(event.start(), duration);
    }
  }

  private static boolean isCredible(Duration duration) {
    return !duration.isNegative() && duration.compareTo(LONGEST) <= 0;
  }

  /** Remembers what the thread is at: it may hold what others wait for. */
  private void span(Event event, WaitKind wait, String name, StackKind kind) {
    Optional<EventThread> thread = event.thread();
    if (thread.isEmpty() || !isCredible(event.duration())) {
      return;
    }
    long id = thread.get().id();
    String what = shown(name);
    handovers.spans().add(id, event.start(), event.duration(), new Doing(wait, what));
    if (!isInNative(event)) {
      workers.waited(
          thread.get(), stacks.onRequestThread(kind, event), event.start(), event.duration(), wait);
    }
    holds.step(
        id, event.start(), event.duration(), new PoolHolds.Step(Optional.of(wait), what, kind));
    if (wait == WaitKind.POOL) {
      holds.borrowed(id, event.start(), event.duration(), what, kind, event.type());
    }
  }

  /** Who waits for new work is done with the old, however long the wait is. */
  private void idle(Event event, StackKind kind) {
    Optional<EventThread> thread = event.thread();
    if (thread.isEmpty()) {
      return;
    }
    holds.step(
        thread.get().id(),
        event.start(),
        Duration.ZERO,
        new PoolHolds.Step(Optional.of(WaitKind.IDLE), "", kind));
    if (isCredible(event.duration()) && !isInNative(event)) {
      workers.waited(
          thread.get(),
          stacks.onRequestThread(kind, event),
          event.start(),
          event.duration(),
          WaitKind.IDLE);
    }
  }

  /** Whether the sampler of native calls sees the same. */
  private static boolean isInNative(Event event) {
    return event.type().equals(SOCKET_READ)
        || event.type().equals(FILE_READ)
        || event.type().equals(FILE_WRITE)
        || event.type().equals(FILE_FORCE);
  }

  /** Names repeat with every event, and to look one through for secrets takes a while. */
  private String shown(String name) {
    if (shownNames.size() >= MOST_SITES) {
      shownNames.clear();
    }
    return shownNames.computeIfAbsent(name, redactor::redact);
  }

  /** Whether waits of that kind, and of that name unless it is a lock, were timed. */
  boolean has(WaitKind kind, String name) {
    return series.keySet().stream()
        .anyMatch(
            site -> site.kind() == kind && (kind == WaitKind.LOCK || site.name().equals(name)));
  }

  @Override
  public void finish(Intake intake, RecordedSettings settings) {
    series.values().forEach(builder -> intake.timeline().waits(builder.build()));
    if (settings.byAsyncProfiler()) {
      // Of parks it has those for locks and semaphores alone (lockTracer.cpp).
      intake
          .timeline()
          .signal(
              Signal.THREAD_PARKS,
              new SignalState(
                  SignalState.Kind.NOT_RECORDED,
                  Optional.empty(),
                  "async-profiler records parks for locks only"));
    } else {
      workers.times().forEach(intake.timeline()::sample);
      signal(intake, settings, Signal.THREAD_PARKS, PARK);
    }
    signal(intake, settings, Signal.MONITOR_WAITS, MONITOR_ENTER);
    signal(intake, settings, Signal.SOCKET_READS, SOCKET_READ);
    signal(intake, settings, Signal.FILE_IO, FILE_READ);
    double events = seen.values().stream().mapToLong(Long::longValue).sum();
    firstVirtual.ifPresent(
        at ->
            intake
                .timeline()
                .sample(
                    new VirtualThreadUse(
                        at, virtualThreadEvents / events, new Source(file, SOCKET_READ))));
    if (virtualThreadEvents > 0) {
      intake
          .timeline()
          .note(
              file
                  + " has events of virtual threads, but the JVM records no parks of virtual"
                  + " threads: their waits for pools and locks are not in it; use jcmd PID"
                  + " Thread.dump_to_file to see them");
    }
  }

  private void signal(Intake intake, RecordedSettings settings, Signal signal, String event) {
    intake.timeline().signal(signal, settings.state(event, seen.containsKey(event)));
  }
}
