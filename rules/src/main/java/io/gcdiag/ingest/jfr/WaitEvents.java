package io.gcdiag.ingest.jfr;

import io.gcdiag.evidence.LockHold.Doing;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.Source;
import io.gcdiag.evidence.VirtualThreadUse;
import io.gcdiag.evidence.WaitKind;
import io.gcdiag.evidence.WaitSeries;
import io.gcdiag.evidence.WaitSite;
import io.gcdiag.ingest.Intake;
import io.gcdiag.ingest.Redactor;
import io.gcdiag.ingest.frames.StackKind;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;

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
  private final Map<WaitSite, WaitSeries.Builder> series = new HashMap<>();
  private final Map<String, String> shownNames = new HashMap<>();
  private final Map<String, Long> seen = new HashMap<>();
  private long virtualThreadEvents;
  private Optional<Instant> firstVirtual = Optional.empty();

  WaitEvents(String file, Stacks stacks, Redactor redactor, LockHandovers handovers) {
    this.file = file;
    this.handovers = handovers;
    this.redactor = redactor;
    this.stacks = stacks;
  }

  @Override
  public Map<String, Consumer<RecordedEvent>> readers() {
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

  private void park(RecordedEvent event) {
    StackKind kind = count(event, "WAITING", Fields.className(event, "parkedClass"));
    if (kind.waitsFor() != WaitKind.IDLE) {
      add(event, kind.waitsFor(), kind.name(), kind);
    }
    // Of a lock that readers share, the last to get it is not its only owner.
    if (kind.waitsFor() == WaitKind.LOCK && kind.name().startsWith(EXCLUSIVE)) {
      handover(event, kind.name(), OptionalLong.empty());
    }
  }

  private void handover(RecordedEvent event, String lock, OptionalLong previousOwner) {
    OptionalLong address = Fields.number(event, "address");
    if (event.getThread() != null && address.isPresent() && isCredible(event.getDuration())) {
      handovers.add(
          event.getEventType().getName(),
          shown(lock),
          address.getAsLong(),
          event.getStartTime(),
          event.getDuration(),
          event.getThread().getId(),
          previousOwner);
    }
  }

  private void monitorEnter(RecordedEvent event) {
    Optional<String> monitor = Fields.className(event, "monitorClass");
    StackKind kind = count(event, "BLOCKED", monitor);
    WaitKind wait = kind.waitsFor() == WaitKind.POOL ? WaitKind.POOL : WaitKind.LOCK;
    add(event, wait, wait == WaitKind.POOL ? kind.name() : monitor.orElse("monitor"), kind);
    if (wait == WaitKind.LOCK) {
      RecordedThread owner =
          event.hasField("previousOwner") ? event.getThread("previousOwner") : null;
      handover(
          event,
          monitor.orElse("monitor"),
          owner == null ? OptionalLong.empty() : OptionalLong.of(owner.getId()));
    }
  }

  /** Some pools make borrowers wait on a monitor; any other Object.wait is waiting for work. */
  private void monitorWait(RecordedEvent event) {
    StackKind kind = count(event, "WAITING", Fields.className(event, "monitorClass"));
    if (kind.waitsFor() == WaitKind.POOL) {
      add(event, WaitKind.POOL, kind.name(), kind);
    }
  }

  /** What the owner of a lock may be doing while others wait for it. */
  private void sleep(RecordedEvent event) {
    if (count(event, "TIMED_WAITING", Optional.empty()).waitsFor() == WaitKind.OTHER) {
      span(event, WaitKind.SLEEP, "");
    }
  }

  private void socketRead(RecordedEvent event) {
    StackKind kind = count(event, "RUNNABLE", Optional.empty());
    if (kind.waitsFor() == WaitKind.IDLE) {
      return;
    }
    add(event, WaitKind.DOWNSTREAM, remote(event), kind);
  }

  private static String remote(RecordedEvent event) {
    String host =
        Fields.text(event, "host")
            .filter(name -> !name.isEmpty())
            .or(() -> Fields.text(event, "address"))
            .orElse("unknown host");
    OptionalLong port = Fields.number(event, "port");
    return port.isPresent() ? host + ":" + port.getAsLong() : host;
  }

  private void fileAccess(RecordedEvent event) {
    StackKind kind = count(event, "RUNNABLE", Optional.empty());
    add(event, WaitKind.FILE, Fields.text(event, "path").orElse("unknown file"), kind);
  }

  private StackKind count(RecordedEvent event, String state, Optional<String> subject) {
    seen.merge(event.getEventType().getName(), 1L, Long::sum);
    if (event.getThread() != null
        && event.getThread().hasField("virtual")
        && event.getThread().getBoolean("virtual")) {
      virtualThreadEvents++;
      firstVirtual = firstVirtual.or(() -> Optional.of(event.getStartTime()));
    }
    return stacks.kind(event, state, subject);
  }

  private void add(RecordedEvent event, WaitKind wait, String name, StackKind kind) {
    Duration duration = event.getDuration();
    if (!isCredible(duration)) {
      return;
    }
    span(event, wait, name);
    boolean serving = stacks.onRequestThread(kind, event);
    WaitSite site = new WaitSite(wait, shown(name), serving, kind.top());
    if (!series.containsKey(site) && series.size() >= MOST_SITES) {
      site = new WaitSite(wait, "other sites", serving, "");
    }
    WaitSeries.Builder waits =
        series.computeIfAbsent(
            site,
            key -> new WaitSeries.Builder(key, new Source(file, event.getEventType().getName())));
    if (event.getThread() == null) {
      waits.add(event.getStartTime(), duration);
    } else {
      waits.add(event.getStartTime(), duration, event.getThread().getId());
    }
  }

  private static boolean isCredible(Duration duration) {
    return !duration.isNegative() && duration.compareTo(LONGEST) <= 0;
  }

  /** Remembers what the thread is at: it may own what others wait for. */
  private void span(RecordedEvent event, WaitKind wait, String name) {
    if (event.getThread() != null && isCredible(event.getDuration())) {
      handovers
          .spans()
          .add(
              event.getThread().getId(),
              event.getStartTime(),
              event.getDuration(),
              new Doing(wait, shown(name)));
    }
  }

  /** Names repeat with every event, and to look one through for secrets takes a while. */
  private String shown(String name) {
    if (shownNames.size() >= MOST_SITES) {
      shownNames.clear();
    }
    return shownNames.computeIfAbsent(name, redactor::redact);
  }

  @Override
  public void finish(Intake intake, RecordedSettings settings) {
    series.values().forEach(builder -> intake.timeline().waits(builder.build()));
    signal(intake, settings, Signal.THREAD_PARKS, PARK);
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
