package io.gcdiag.ingest.gclog.placing;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.heap.HeapSamples;
import io.gcdiag.evidence.pauses.PauseStore;
import io.gcdiag.evidence.pauses.Pauses;
import io.gcdiag.evidence.time.LazyList;
import io.gcdiag.evidence.time.TimedIndex;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.ingest.format.ClockAlignment;
import io.gcdiag.ingest.format.ClockAlignment.LoggedCollection;
import io.gcdiag.ingest.format.ClockAlignment.Shift;
import io.gcdiag.ingest.format.IngestContext;
import io.gcdiag.ingest.format.InputFile;
import io.gcdiag.ingest.gclog.placing.PlacedLogs.Told;
import io.gcdiag.ingest.gclog.store.GcLog;
import io.gcdiag.ingest.gclog.store.LogFacts;
import io.gcdiag.ingest.gclog.store.LoggedStalls;
import io.gcdiag.ingest.gclog.text.LogStamp;
import io.gcdiag.ingest.process.JvmProcess;
import io.gcdiag.ingest.process.JvmProcess.Kind;
import io.gcdiag.ingest.process.JvmProcess.Start;
import io.gcdiag.ingest.text.CredibleTime;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Nanos;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Puts what a log tells on the common clock. */
public final class LogPlacing {

  /** No JVM in use is stopped for longer; a damaged digit makes it years. */
  private static final Duration LONGEST_STOP = Duration.ofDays(1);

  /** The two stamps of a line are taken one after the other, on a busy machine some time apart. */
  private static final Duration START_WITHIN = Duration.ofSeconds(3);

  private static final long LONGEST_NANOS = LONGEST_STOP.toNanos();

  private final String file;
  private final GcLog log;
  private final LogClock clock;
  private final Duration move;
  private final long moveNanos;

  private LogPlacing(String file, GcLog log, LogClock clock, Duration move) {
    this.file = file;
    this.log = log;
    this.clock = clock;
    this.move = move;
    this.moveNanos = move.isNegative() ? -Nanos.of(move.negated()) : Nanos.of(move);
  }

  /** Finds out where the log's stamps lie, and adds all of it to the timeline. */
  public static void place(InputFile file, GcLog log, ClockAlignment clocks, IngestContext intake) {
    if (log.pauses().size() > 0 && !log.pauses().areTimed()) {
      intake.note(file.name() + ": " + ofUntimed(log.pauses()));
      return;
    }
    LogClock clock = LogClock.of(log);
    Optional<Shift> joined =
        clocks.recordsCollections()
            ? clocks.shiftToRecording(collections(log, clock))
            : Optional.empty();
    Optional<Shift> shift = joined.filter(Shift::mayBeOneRun);
    joined
        .filter(by -> !by.mayBeOneRun())
        .ifPresent(
            by ->
                intake
                    .processes()
                    .refute(
                        file.name(),
                        by.collections() + " GCs have other times in it than in the recording"));
    long astray = clock.astray(log);
    if (astray > 0) {
      intake.note(
          file.name()
              + ": the machine's clock was set while the JVM ran: the times of "
              + astray
              + " pauses differ from their uptimes by more than a second; the times count");
    }
    shift.ifPresent(by -> clocks.noteShift(file.name(), by, clock.isWallClock()));
    Duration move =
        shift
            .map(Shift::by)
            .orElseGet(() -> clock.isWallClock() ? Duration.ZERO : fromStart(file, clocks));
    Optional<Window> span = new LogPlacing(file.name(), log, clock, move).add(intake);
    // A log of several runs is of no process in particular.
    if (log.extent().runs() <= 1) {
      Optional<Start> start = start(clock, move, shift.isPresent());
      intake
          .processes()
          .add(new JvmProcess(file.name(), Kind.LOG, LogFacts.of(file, log), start, span, ""));
    }
  }

  /**
   * When the JVM started, by the log's own stamps or by the GCs that a recording dates as well. A
   * log that has GCs in common with a recording may be of another zone than it states.
   */
  private static Optional<Start> start(LogClock clock, Duration move, boolean joined) {
    Optional<Instant> start =
        clock.isWallClock()
            ? clock.start()
            : Optional.of(Instant.EPOCH.plus(move)).filter(byRecordedGcs -> joined);
    return start.map(at -> new Start(at, START_WITHIN, !joined));
  }

  /** A concurrent cycle pauses more than once; the recording dates a collection by its first. */
  private static List<LoggedCollection> collections(GcLog log, LogClock clock) {
    Map<Long, LoggedCollection> first = new TreeMap<>();
    PauseStore pauses = log.pauses();
    for (int i = 0; i < pauses.size(); i++) {
      long id = pauses.gcId(i);
      long at = clock.nanos(pauses.start(i), pauses.uptime(i));
      if (id >= 0 && at != Nanos.NO_TIME) {
        first.merge(
            id,
            new LoggedCollection(id, Nanos.instant(at)),
            (a, b) -> a.stamp().isBefore(b.stamp()) ? a : b);
      }
    }
    return List.copyOf(first.values());
  }

  /**
   * Uptimes count from the JVM's start, where a recording tells it, else from an unknown moment.
   */
  private static Duration fromStart(InputFile file, ClockAlignment clocks) {
    if (clocks.jvmStart().isEmpty()) {
      clocks.note(
          file.name()
              + " has no wall-clock times: its times are counted from the JVM's start, shown"
              + " as 1970-01-01; log with -Xlog:...:time,uptime to have both");
      return Duration.ZERO;
    }
    return Duration.between(Instant.EPOCH, clocks.jvmStart().get());
  }

  /** Adds all of it; returns the time that it covers. */
  private Optional<Window> add(IngestContext intake) {
    TimelineBuilder timeline = intake.timeline();
    PauseStore all = log.pauses();
    all.place(i -> start(all.nanos(i), all.start(i), all.uptime(i)));
    TimedIndex dated = TimedIndex.of(all.size(), all::start);
    Pauses pauses = Pauses.of(file, all);
    timeline.pauses(file, pauses);
    LoggedStalls stalls = log.stalls();
    stalls.place(i -> start(stalls.nanos(i), stalls.wallClock(i), stalls.uptime(i)));
    TimedIndex every = TimedIndex.of(stalls.size(), stalls::start);
    Told told = LogParts.of(intake).placed().add(all, dated, stalls, every, last());
    TimedIndex heaps =
        TimedIndex.of(all.size(), i -> all.tellsHeap(i) ? all.end(i) : Nanos.NO_TIME);
    timeline.heapOfLog(HeapSamples.of(new PlacedHeap(all, heaps, file)));
    TimedIndex times =
        TimedIndex.of(
            all.size(),
            i -> all.tellsCpu(i) && !told.pause().test(all.start(i)) ? all.end(i) : Nanos.NO_TIME);
    timeline.gcCpuOfLog(LazyList.of(times.size(), i -> all.cpu(times.of(i), file)));
    TimedIndex stops =
        TimedIndex.of(
            stalls.size(),
            i -> told.stop().test(stalls.start(i)) ? Nanos.NO_TIME : stalls.start(i));
    timeline.safepointsOfLog(LazyList.of(stops.size(), i -> stalls.placed(stops.of(i), file)));
    LinePlacing lines = new LinePlacing(file, clock, move, told.line());
    lines.cycles(log, LogFacts.fixedSize(log), timeline);
    lines.waits(log, timeline, intake.frames());
    lines.humongous(log, timeline);
    lines.young(log, timeline);
    lines.phases(log, timeline);
    Optional<Window> span = extent(pauses);
    span.ifPresent(timeline::log);
    if (dated.size() < all.size()) {
      timeline.note(
          "%s: %s pauses carry no credible time or length and are left out"
              .formatted(file, all.size() - dated.size()));
    }
    return span;
  }

  private Optional<Instant> at(LogStamp stamp) {
    return clock.at(stamp).map(instant -> instant.plus(move));
  }

  /** When one of them begins, in nanoseconds since 1970, or {@link Nanos#NO_TIME}. */
  private long start(long nanos, long wallClock, long uptime) {
    return nanos > LONGEST_NANOS ? Nanos.NO_TIME : moved(clock.nanos(wallClock, uptime));
  }

  private long last() {
    return at(log.extent().last()).map(Nanos::since1970).orElse(Nanos.NO_TIME);
  }

  private long moved(long nanos) {
    // What lies beyond all numbers becomes negative, and is not credible either.
    return nanos != Nanos.NO_TIME && CredibleTime.is(nanos + moveNanos)
        ? nanos + moveNanos
        : Nanos.NO_TIME;
  }

  private Optional<Window> extent(Pauses pauses) {
    Instant from = at(log.extent().first()).orElse(Instant.MAX);
    Instant to = at(log.extent().last()).orElse(Instant.MIN);
    if (!pauses.isEmpty()) {
      // They are in the order of their starts, and pauses do not overlap.
      Instant start = pauses.start(0);
      Instant end = Nanos.instant(pauses.endNanos(pauses.size() - 1));
      from = start.isBefore(from) ? start : from;
      to = end.isAfter(to) ? end : to;
    }
    return from.isBefore(to) ? Optional.of(new Window(from, to)) : Optional.empty();
  }

  /** The sentence on pauses whose lines bear no times: they can be counted, and no more. */
  private static String ofUntimed(PauseStore pauses) {
    long sum = 0;
    long longest = 0;
    for (int i = 0; i < pauses.size(); i++) {
      sum = Nanos.plus(sum, pauses.nanos(i));
      longest = Math.max(longest, pauses.nanos(i));
    }
    return ("its lines have no credible times: its %s pauses, %s in all and the longest"
            + " %s, cannot be placed and judged; log with"
            + " -Xlog:gc*:file=gc.log:time,uptime, or with -XX:+PrintGCDateStamps on JDK 8")
        .formatted(
            Numbers.count(pauses.size()),
            Durations.format(Duration.ofNanos(sum)),
            Durations.format(Duration.ofNanos(longest)));
  }
}
