package io.gcdiag.ingest.gclog;

import io.gcdiag.evidence.GcCpu;
import io.gcdiag.evidence.GcPause;
import io.gcdiag.evidence.HeapChange;
import io.gcdiag.evidence.HeapSample;
import io.gcdiag.evidence.HeapSample.Moment;
import io.gcdiag.evidence.LazyList;
import io.gcdiag.evidence.SafepointStop;
import io.gcdiag.evidence.Source;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.Window;
import io.gcdiag.ingest.ClockAlignment;
import io.gcdiag.ingest.ClockAlignment.LoggedCollection;
import io.gcdiag.ingest.ClockAlignment.Shift;
import io.gcdiag.ingest.InputFile;
import io.gcdiag.ingest.Intake;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Puts what a log tells on the common clock. */
final class LogPlacing {

  /** No JVM that somebody uses stands still for longer; a damaged digit makes it years. */
  private static final Duration LONGEST_STOP = Duration.ofDays(1);

  private final String file;
  private final GcLog log;
  private final LogClock clock;
  private final Duration move;

  private LogPlacing(String file, GcLog log, LogClock clock, Duration move) {
    this.file = file;
    this.log = log;
    this.clock = clock;
    this.move = move;
  }

  /** Finds out where the log's stamps lie, and adds all of it to the timeline. */
  static void place(InputFile file, GcLog log, ClockAlignment clocks, Intake intake) {
    LogClock clock = LogClock.of(log);
    Optional<Shift> shift =
        clocks.recordsCollections()
            ? clocks.shiftToRecording(file.name(), collections(log, clock))
            : Optional.empty();
    long astray = clock.astray(log);
    if (astray > 0) {
      intake
          .timeline()
          .note(
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
    new LogPlacing(file.name(), log, clock, move).add(intake);
  }

  /** A concurrent cycle pauses more than once; the recording dates a collection by its first. */
  private static List<LoggedCollection> collections(GcLog log, LogClock clock) {
    Map<Long, LoggedCollection> first = new TreeMap<>();
    for (LoggedPause pause : log.pauses()) {
      if (pause.gcId().isPresent()) {
        long id = pause.gcId().getAsLong();
        clock
            .at(pause.start())
            .ifPresent(
                at ->
                    first.merge(
                        id,
                        new LoggedCollection(id, at),
                        (a, b) -> a.stamp().isBefore(b.stamp()) ? a : b));
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

  private void add(Intake intake) {
    TimelineBuilder timeline = intake.timeline();
    List<LoggedPause> all = log.pauses();
    TimedIndex dated = TimedIndex.of(all.size(), i -> start(all.get(i)));
    List<GcPause> pauses = LazyList.of(dated.size(), i -> pause(all.get(dated.of(i))));
    timeline.pauses(file, pauses);
    TimedIndex heaps =
        TimedIndex.of(
            all.size(), i -> end(all.get(i)).filter(at -> all.get(i).heap().whole().isPresent()));
    timeline.heapOfLog(LazyList.of(heaps.size(), i -> heap(all.get(heaps.of(i)))));
    TimedIndex times =
        TimedIndex.of(all.size(), i -> end(all.get(i)).filter(at -> all.get(i).cpu().isPresent()));
    timeline.gcCpuOfLog(LazyList.of(times.size(), i -> cpu(all.get(times.of(i)))));
    List<LoggedStall> stalls = log.stalls();
    TimedIndex stops = TimedIndex.of(stalls.size(), i -> start(stalls.get(i)));
    timeline.safepointsOfLog(LazyList.of(stops.size(), i -> stop(stalls.get(stops.of(i)))));
    ConcurrentPlacing concurrent = new ConcurrentPlacing(file, clock, move);
    concurrent.cycles(log, LogFacts.fixedSize(log), timeline);
    concurrent.waits(log, timeline, intake.frames());
    extent(pauses).ifPresent(timeline::log);
    if (dated.size() < all.size()) {
      timeline.note(
          file
              + ": "
              + (all.size() - dated.size())
              + " pauses carry no credible time or length and are left out");
    }
  }

  private Optional<Instant> at(LogStamp stamp) {
    return clock.at(stamp).map(instant -> instant.plus(move));
  }

  private Optional<Instant> start(LoggedPause pause) {
    return at(pause.start()).filter(at -> pause.duration().compareTo(LONGEST_STOP) <= 0);
  }

  private Optional<Instant> start(LoggedStall stall) {
    return at(stall.start())
        .filter(at -> stall.reaching().plus(stall.at()).compareTo(LONGEST_STOP) <= 0);
  }

  private Optional<Instant> end(LoggedPause pause) {
    return start(pause).map(start -> start.plus(pause.duration()));
  }

  private Source line(long number) {
    return Source.line(file, number);
  }

  private GcPause pause(LoggedPause pause) {
    return new GcPause(
        at(pause.start()).orElseThrow(),
        pause.duration(),
        pause.kind(),
        pause.cause(),
        pause.gcId(),
        pause.heap().whole(),
        pause.heap().evacuationFailure(),
        line(pause.line()));
  }

  private HeapSample heap(LoggedPause pause) {
    HeapChange heap = pause.heap().whole().orElseThrow();
    return new HeapSample(
        end(pause).orElseThrow(),
        Moment.AFTER_COLLECTION,
        heap.usedAfter(),
        heap.committedAfter(),
        pause.gcId(),
        line(pause.line()));
  }

  private GcCpu cpu(LoggedPause pause) {
    CpuTimes cpu = pause.cpu().orElseThrow();
    return new GcCpu(end(pause).orElseThrow(), cpu.user(), cpu.system(), cpu.real(), file);
  }

  private SafepointStop stop(LoggedStall stall) {
    return new SafepointStop(
        at(stall.start()).orElseThrow(),
        stall.reaching(),
        stall.at(),
        stall.operation(),
        stall.collection(),
        line(stall.line()));
  }

  private Optional<Window> extent(List<GcPause> pauses) {
    Instant from = at(log.extent().first()).orElse(Instant.MAX);
    Instant to = at(log.extent().last()).orElse(Instant.MIN);
    if (!pauses.isEmpty()) {
      // They are in the order of their starts, and pauses do not overlap.
      Instant start = pauses.get(0).start();
      Instant end = pauses.get(pauses.size() - 1).end();
      from = start.isBefore(from) ? start : from;
      to = end.isAfter(to) ? end : to;
    }
    return from.isBefore(to) ? Optional.of(new Window(from, to)) : Optional.empty();
  }
}
