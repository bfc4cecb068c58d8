package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.threads.ThreadGroupSample.CarrierThreads;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadCount;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadTurnover;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import io.gcdiag.read.jfr.reader.Note;
import io.gcdiag.read.jfr.reader.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** How many threads there are, and who starts them. */
final class ThreadCountEvents extends EventGroup {

  private static final String STATISTICS = "jdk.JavaThreadStatistics";
  private static final String START = "jdk.ThreadStart";

  private final List<ThreadCount> counts = new ArrayList<>();
  private final ThreadStarts starts = new ThreadStarts();
  private final Note<Starter> starters = new Note<>(this::starter);

  /** From the stack of a start: the code, and whether a pool or executor starts the thread. */
  private record Starter(String site, boolean isPool) {}

  private final WorkerTimes workers;

  ThreadCountEvents(LaneContext lane, WorkerTimes workers) {
    super(lane);
    this.workers = workers;
    on(STATISTICS, this::count);
    on(START, this::start);
    on("jdk.ThreadEnd", this::end);
  }

  private void count(Event event) {
    event
        .number("activeCount")
        .ifPresent(
            active -> counts.add(new ThreadCount(event.start(), active, source(STATISTICS))));
  }

  private void start(Event event) {
    Optional<EventThread> thread = event.thread("thread");
    if (thread.isEmpty()) {
      return;
    }
    workers.started(thread.get(), event.start());
    String name = redactor.redact(thread.get().name());
    Starter starter = stacks.note(event, starters);
    starts.started(event.start(), thread.get().javaId(), name, starter.site(), starter.isPool());
  }

  private Starter starter(Trace trace) {
    String top = stacks.running(trace).top();
    return new Starter(top, frames.startsInPool(trace.frames(), top));
  }

  private void end(Event event) {
    event
        .thread("thread")
        .ifPresent(
            thread -> {
              workers.ended(thread, event.start());
              starts.ended(event.start(), thread.javaId());
            });
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    counts.forEach(timeline::sample);
    starts.handOn(source(START), timeline::sample);
    timeline.signal(Signal.THREAD_COUNTS, settings.state(STATISTICS, !counts.isEmpty()));
  }

  /** Counts starting and ending threads, by the starting code and by second. */
  private static final class ThreadStarts {

    /** There are some dozens of kinds; more are names that never repeat. */
    private static final int MOST_KINDS = 500;

    /** Linux has room for 32,768 threads by default ({@code kernel.pid_max}). */
    private static final int MOST_ALIVE = 100_000;

    /** Pools of one kind above this number are not counted. */
    private static final int MOST_POOLS = 1_000;

    private final Map<Kind, Map<Long, long[]>> counts = new HashMap<>();
    private final Map<Long, Kind> alive = new HashMap<>();
    private final Map<Kind, Set<String>> pools = new HashMap<>();

    private record Kind(String group, String site, boolean byPool) {}

    /**
     * Adds the start of a thread.
     *
     * @param byPool whether a pool or executor started it
     */
    void started(Instant at, long thread, String name, String site, boolean byPool) {
      Kind kind = new Kind(ThreadNames.group(name), site, byPool);
      if (!counts.containsKey(kind) && counts.size() >= MOST_KINDS) {
        kind = new Kind("other threads", "other code", byPool);
      }
      cell(kind, at)[0]++;
      if (alive.size() < MOST_ALIVE) {
        alive.put(thread, kind);
      }
      Set<String> names = pools.computeIfAbsent(kind, key -> new HashSet<>());
      if (names.size() < MOST_POOLS) {
        names.add(ThreadNames.pool(name));
      }
    }

    /** Adds the end of a thread; ignored if its start was not recorded. */
    void ended(Instant at, long thread) {
      Kind kind = alive.remove(thread);
      if (kind != null) {
        cell(kind, at)[1]++;
      }
    }

    private long[] cell(Kind kind, Instant at) {
      return counts
          .computeIfAbsent(kind, key -> new HashMap<>())
          .computeIfAbsent(at.getEpochSecond(), second -> new long[2]);
    }

    void handOn(Source source, Consumer<ThreadTurnover> to) {
      counts.forEach(
          (kind, seconds) -> {
            boolean pooled = kind.byPool() && !isPoolEach(kind, seconds);
            seconds.forEach(
                (second, cell) ->
                    to.accept(
                        new ThreadTurnover(
                            Instant.ofEpochSecond(second),
                            kind.group(),
                            kind.site(),
                            pooled,
                            cell[0],
                            cell[1],
                            source)));
          });
    }

    /** Each new executor has a different number in its threads' names. */
    private boolean isPoolEach(Kind kind, Map<Long, long[]> seconds) {
      long started = seconds.values().stream().mapToLong(cell -> cell[0]).sum();
      return started > 1 && pools.get(kind).size() > started / 2;
    }
  }

  /**
   * Virtual threads that keep their carrier while they block ({@code jdk.VirtualThreadPinned}, JDK
   * 21 and later), and those that could not be started or continued.
   */
  static final class VirtualThreadEvents extends EventGroup {

    private static final String PINNED = "jdk.VirtualThreadPinned";
    private static final String FAILED = "jdk.VirtualThreadSubmitFailed";

    /** Code that pins stands at some dozens of places. */
    private static final int MOST_SITES = 200;

    /** The frame that blocks, and the callers among which is the one with the monitor. */
    private static final int FRAMES = 3;

    /** No request lasts a day; such a length is damaged. */
    private static final Duration LONGEST = Duration.ofDays(1);

    private final Map<WaitSite, WaitSeries.Builder> series = new HashMap<>();
    private Optional<CarrierThreads> carriers = Optional.empty();
    private long failures;

    VirtualThreadEvents(LaneContext lane) {
      super(lane);
      on(PINNED, this::pinned);
      on(FAILED, event -> failures++);
      on("jdk.InitialSystemProperty", this::property);
    }

    private void pinned(Event event) {
      Duration duration = event.duration();
      if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
        return;
      }
      StackKind kind = stacks.kind(event, "WAITING");
      // Since JDK 24 the event says why: a native frame, or a class that is being initialised.
      String reason =
          event
              .text("pinnedReason")
              .filter(text -> !text.isBlank())
              .map(text -> " (" + text + ")")
              .orElse("");
      String name = callers(event, kind.top()) + redactor.redact(reason);
      boolean serving = stacks.onRequestThread(kind, event);
      WaitSite site = new WaitSite(WaitKind.PINNED, name, serving, kind.top());
      if (!series.containsKey(site) && series.size() >= MOST_SITES) {
        site = new WaitSite(WaitKind.PINNED, "other sites", serving, "");
      }
      series
          .computeIfAbsent(site, key -> new WaitSeries.Builder(key, source(PINNED)))
          .add(event.start(), duration);
    }

    private static String callers(Event event, String top) {
      List<String> frames = event.stack().map(Trace::frames).orElse(List.of());
      if (frames.isEmpty()) {
        return "unknown code";
      }
      int first = Math.max(0, frames.indexOf(top));
      return String.join(" < ", frames.subList(first, Math.min(frames.size(), first + FRAMES)));
    }

    private void property(Event event) {
      if (event.text("key").filter("jdk.virtualThreadScheduler.parallelism"::equals).isEmpty()) {
        return;
      }
      Instant at = event.start();
      carriers =
          event
              .text("value")
              .filter(text -> text.matches("[1-9]\\d{0,4}"))
              .map(text -> new CarrierThreads(at, Integer.parseInt(text)))
              .or(() -> carriers);
    }

    @Override
    public void finish(TimelineBuilder timeline, RecordedSettings settings) {
      series.values().forEach(builder -> timeline.waits(builder.build()));
      carriers.ifPresent(timeline::sample);
      timeline.signal(
          Signal.PINNED_THREADS,
          settings.stated() && !settings.knows(PINNED)
              // A JVM without the event has no virtual threads.
              ? new SignalState(SignalState.Kind.NOTHING_SEEN, Optional.empty(), "")
              : settings.state(PINNED, !series.isEmpty()));
      if (failures > 0) {
        timeline.note(
            "%s has %s virtual threads that could not be started or continued (%s)"
                .formatted(file, failures, FAILED));
      }
    }
  }
}
