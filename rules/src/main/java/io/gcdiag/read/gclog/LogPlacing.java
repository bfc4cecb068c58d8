package io.gcdiag.read.gclog;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.GcSample.ConcurrentCycle;
import io.gcdiag.evidence.jvm.GcSample.HumongousRegions;
import io.gcdiag.evidence.jvm.GcSample.PausePhase;
import io.gcdiag.evidence.jvm.GcSample.StarvedAllocation;
import io.gcdiag.evidence.jvm.GcSample.YoungCollections;
import io.gcdiag.evidence.jvm.HeapSample;
import io.gcdiag.evidence.jvm.HeapSample.Moment;
import io.gcdiag.evidence.jvm.HeapSamples;
import io.gcdiag.evidence.jvm.HeapSamples.HeapColumns;
import io.gcdiag.evidence.jvm.PauseStore;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.threads.AllocationStalls;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.LazyList;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.TimedIndex;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.bytes.ClockAlignment;
import io.gcdiag.read.bytes.ClockAlignment.LoggedCollection;
import io.gcdiag.read.bytes.ClockAlignment.Shift;
import io.gcdiag.read.bytes.CredibleTime;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.JvmProcess;
import io.gcdiag.read.bytes.JvmProcess.Kind;
import io.gcdiag.read.bytes.JvmProcess.Start;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.gclog.GcLog.LoggedCycle;
import io.gcdiag.read.gclog.GcLog.LoggedPhase;
import io.gcdiag.read.gclog.GcLog.LoggedRegions;
import io.gcdiag.read.gclog.GcLog.LoggedWait;
import io.gcdiag.read.gclog.GcLog.LoggedYoung;
import io.gcdiag.read.gclog.GcLog.StarvedThread;
import io.gcdiag.read.gclog.LogParts.PlacedLogs.Told;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Nanos;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.UtcText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;

/**
 * Puts the content of a log on the common clock. Wall-clock timestamps are used if there are any,
 * refined by the uptime if both exist; otherwise uptimes are counted from 1970 until the start of
 * the JVM is known. Computed in nanoseconds since 1970 for speed, because it is called for every
 * pause.
 */
final class LogPlacing {

  /** No JVM in use is stopped for longer; a damaged digit would make it years. */
  private static final Duration LONGEST_STOP = Duration.ofDays(1);

  /**
   * Tolerance: the two timestamps of a line are taken one after the other, on a busy machine some
   * time apart.
   */
  private static final Duration START_WITHIN = Duration.ofSeconds(3);

  private static final long LONGEST_NANOS = LONGEST_STOP.toNanos();

  /** The two timestamps of one line differ by less than this, however busy the machine. */
  private static final long APART_NANOS = 1_001_000_000L;

  /** This many lines with both timestamps are enough for the median. */
  private static final int ENOUGH = 8_192;

  private final String file;
  private final GcLog log;

  private boolean wallClock;

  /** When the JVM started; {@link Nanos#NO_TIME} if the log cannot tell. */
  private long start = Nanos.NO_TIME;

  /** Offset from the log's clock to the common clock. */
  private Duration move = Duration.ZERO;

  private LogPlacing(String file, GcLog log) {
    this.file = file;
    this.log = log;
    PauseStore pauses = log.pauses;
    // The two timestamps of a line are taken up to some milliseconds apart, so the median
    // difference is used.
    int step = 1 + pauses.size() / ENOUGH;
    long[] starts = new long[1 + pauses.size() / step];
    int both = 0;
    for (int i = 0; i < pauses.size(); i++) {
      long wall = pauses.start(i);
      wallClock |= wall != Nanos.NO_TIME;
      if (i % step == 0 && wall != Nanos.NO_TIME && pauses.uptime(i) != Nanos.NO_TIME) {
        starts[both++] = wall - pauses.uptime(i);
      }
    }
    // A log of safepoints alone has dates as well.
    wallClock |=
        pauses.size() == 0 && log.stalls.size() > 0 && log.stalls.wallClock(0) != Nanos.NO_TIME;
    Arrays.sort(starts, 0, both);
    if (both > 0 && log.extent().runs() <= 1) {
      start = starts[both / 2];
    }
  }

  /** Determines the log's clock, and adds everything to the timeline. */
  static void place(InputFile file, GcLog log, ClockAlignment clocks, IngestContext intake) {
    if (log.pauses.size() > 0 && !log.pauses.areTimed()) {
      intake.note(file.name() + ": " + ofUntimed(log.pauses));
      return;
    }
    new LogPlacing(file.name(), log).place(clocks, intake, file);
  }

  private void place(ClockAlignment clocks, IngestContext intake, InputFile input) {
    Optional<Shift> joined =
        clocks.recordsCollections() ? clocks.shiftToRecording(collections()) : Optional.empty();
    Optional<Shift> shift = joined.filter(Shift::mayBeOneRun);
    joined
        .filter(by -> !by.mayBeOneRun())
        .ifPresent(
            by ->
                intake
                    .processes()
                    .refute(
                        file,
                        by.collections() + " GCs have other times in it than in the recording"));
    long astray = astray();
    if (astray > 0) {
      intake.note(
          file
              + ": the machine's clock was set while the JVM ran: the times of "
              + astray
              + " pauses differ from their uptimes by more than a second; the times count");
    }
    shift.ifPresent(by -> clocks.noteShift(file, by, wallClock));
    move =
        shift.map(Shift::by).orElseGet(() -> wallClock ? Duration.ZERO : fromStart(clocks, intake));
    Optional<Window> span = add(intake);
    // A log of several runs is of no particular process.
    if (log.extent().runs() <= 1) {
      Optional<Start> begun = start(shift.isPresent());
      intake
          .processes()
          .add(new JvmProcess(file, Kind.LOG, LogFacts.of(input, log), begun, span, ""));
    }
  }

  /**
   * When the JVM started, by the log's own timestamps or by collections that a recording contains
   * as well. A log with collections in common with a recording may be of another zone than it
   * states.
   */
  private Optional<Start> start(boolean joined) {
    Optional<Instant> begun =
        wallClock
            ? Optional.of(start).filter(at -> at != Nanos.NO_TIME).map(Nanos::instant)
            : Optional.of(Instant.EPOCH.plus(move)).filter(byRecordedGcs -> joined);
    return begun.map(at -> new Start(at, START_WITHIN, !joined));
  }

  /**
   * A concurrent cycle has several pauses; a recording's time of a collection is that of its first.
   */
  private List<LoggedCollection> collections() {
    Map<Long, LoggedCollection> first = new TreeMap<>();
    PauseStore pauses = log.pauses;
    for (int i = 0; i < pauses.size(); i++) {
      long id = pauses.gcId(i);
      long at = nanos(pauses.start(i), pauses.uptime(i));
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
   * Uptimes count from the JVM's start, if a recording states it, otherwise from an unknown time.
   */
  private Duration fromStart(ClockAlignment clocks, IngestContext intake) {
    Optional<Instant> begun = clocks.jvmStart();
    if (begun.isEmpty()) {
      boolean inFront = log.startInFront().isPresent();
      begun = log.startInFront().or(() -> intake.processes().startByDumps());
      begun.ifPresent(
          at ->
              clocks.note(
                  file
                      + " has no wall-clock times: by "
                      + (inFront
                          ? "those in front of its lines"
                          : "the age of the threads in the dumps")
                      + " the JVM started at "
                      + UtcText.dayAndTime(at)
                      + ", from which its times are counted"));
    }
    if (begun.isEmpty()) {
      clocks.note(
          file
              + " has no wall-clock times: its times are counted from the JVM's start, shown"
              + " as 1970-01-01; log with -Xlog:...:time,uptime to have both");
      return Duration.ZERO;
    }
    return Duration.between(Instant.EPOCH, begun.get());
  }

  /** Adds everything; returns the time that it covers. */
  private Optional<Window> add(IngestContext intake) {
    TimelineBuilder timeline = intake.timeline();
    PauseStore all = log.pauses;
    all.place(i -> start(all.nanos(i), all.start(i), all.uptime(i)));
    TimedIndex dated = TimedIndex.of(all.size(), all::start);
    Pauses pauses = Pauses.of(file, all);
    timeline.pauses(file, pauses);
    LoggedStalls stalls = log.stalls;
    stalls.place(i -> start(stalls.nanos(i), stalls.wallClock(i), stalls.uptime(i)));
    TimedIndex every = TimedIndex.of(stalls.size(), stalls::start);
    Told told =
        LogParts.of(intake)
            .placed()
            .add(
                all,
                dated,
                stalls,
                every,
                at(log.extent().last()).map(Nanos::since1970).orElse(Nanos.NO_TIME));
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
    LinePlacing lines = new LinePlacing(file, this::at, told.line());
    lines.cycles(log, LogFacts.fixedSize(log), timeline);
    lines.waits(log, timeline, intake.frames());
    lines.young(log, timeline);
    lines.moments(log, timeline);
    Optional<Window> span = extent(pauses);
    span.ifPresent(timeline::log);
    if (dated.size() < all.size()) {
      timeline.note(
          "%s: %s pauses carry no credible time or length and are left out"
              .formatted(file, all.size() - dated.size()));
    }
    return span;
  }

  /**
   * The time of a timestamp; empty if it lacks the kind of time that the rest of the log has, or is
   * implausible.
   */
  private Optional<Instant> at(LogStamp stamp) {
    long at = nanos(stamp.wallNanos(), stamp.uptimeNanos());
    return at == Nanos.NO_TIME ? Optional.empty() : Optional.of(Nanos.instant(at).plus(move));
  }

  /** When one of them begins, in nanoseconds since 1970, or {@link Nanos#NO_TIME}. */
  private long start(long nanos, long wall, long uptime) {
    long at = nanos > LONGEST_NANOS ? Nanos.NO_TIME : nanos(wall, uptime);
    long moved = at + (move.isNegative() ? -Nanos.of(move.negated()) : Nanos.of(move));
    // An overflow becomes negative, which is implausible as well.
    return at != Nanos.NO_TIME && CredibleTime.is(moved) ? moved : Nanos.NO_TIME;
  }

  /**
   * A timestamp by the log's own clock.
   *
   * @param wall its wall clock since 1970, or {@link Nanos#NO_TIME}
   * @param uptime its uptime, or {@link Nanos#NO_TIME}
   * @return nanoseconds since 1970, or {@link Nanos#NO_TIME}
   */
  private long nanos(long wall, long uptime) {
    long at = wallClock ? onTheWall(wall, uptime) : uptime;
    return CredibleTime.is(at) ? at : Nanos.NO_TIME;
  }

  private long onTheWall(long wall, long uptime) {
    if (start == Nanos.NO_TIME || uptime == Nanos.NO_TIME) {
      return wall;
    }
    // If the clock was changed while the JVM ran, the two disagree, and the wall clock is used.
    return wall != Nanos.NO_TIME && isAstray(wall, uptime) ? wall : start + uptime;
  }

  private boolean isAstray(long wall, long uptime) {
    return Math.abs(start + uptime - wall) >= APART_NANOS;
  }

  /** Number of pauses whose wall clock disagrees with their uptime. */
  private long astray() {
    PauseStore pauses = log.pauses;
    return IntStream.range(0, start == Nanos.NO_TIME ? 0 : pauses.size())
        .filter(row -> pauses.start(row) != Nanos.NO_TIME && pauses.uptime(row) != Nanos.NO_TIME)
        .filter(row -> isAstray(pauses.start(row), pauses.uptime(row)))
        .count();
  }

  /** Of a log that has its first lines only, which come within a second, it is no time at all. */
  private Optional<Window> extent(Pauses pauses) {
    Instant from = at(log.extent().first()).orElse(Instant.MAX);
    Instant to = at(log.extent().last()).orElse(Instant.MIN);
    if (!pauses.isEmpty()) {
      // Pauses are in order of start and do not overlap.
      Instant start = pauses.start(0);
      Instant end = Nanos.instant(pauses.endNanos(pauses.size() - 1));
      from = start.isBefore(from) ? start : from;
      to = end.isAfter(to) ? end : to;
    }
    boolean silent = pauses.isEmpty() && log.stalls.size() == 0;
    return !from.isBefore(to) || silent && to.isBefore(from.plusSeconds(1))
        ? Optional.empty()
        : Optional.of(new Window(from, to));
  }

  /** A sentence about pauses whose lines have no times: they can be counted, but nothing else. */
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

  /**
   * Heap sizes after a log's collections, read directly from the store of pauses.
   *
   * @param pauses all pauses of the log, on the common clock
   * @param telling those with a time and heap sizes, in order of their ends
   */
  private record PlacedHeap(PauseStore pauses, TimedIndex telling, String name)
      implements HeapColumns {

    @Override
    public int size() {
      return telling.size();
    }

    @Override
    public long at(int place) {
      return pauses.end(telling.of(place));
    }

    @Override
    public Moment moment(int place) {
      return Moment.AFTER_COLLECTION;
    }

    @Override
    public long used(int place) {
      return pauses.usedAfter(telling.of(place));
    }

    @Override
    public long committed(int place) {
      return pauses.committedAfter(telling.of(place));
    }

    @Override
    public String file(int place) {
      return name;
    }

    @Override
    public long line(int place) {
      return pauses.line(telling.of(place));
    }

    @Override
    public HeapSample get(int place) {
      return new HeapSample(
          Nanos.instant(at(place)),
          moment(place),
          Bytes.of(used(place)),
          Bytes.of(committed(place)),
          Source.line(name, line(place)));
    }
  }

  /**
   * Puts cycles, phases, waits for memory and humongous regions on the common clock.
   *
   * @param clock converts a timestamp to the common clock
   * @param told tests whether an earlier log covers a time, in nanoseconds since 1970
   */
  private record LinePlacing(
      String file, Function<LogStamp, Optional<Instant>> clock, LongPredicate told) {

    private Optional<Instant> at(LogStamp stamp) {
      return clock.apply(stamp).filter(instant -> !told.test(Nanos.since1970(instant)));
    }

    /**
     * Cycles. ZGC's lines do not state the committed size; if the heap has a fixed size, it is the
     * maximum.
     */
    void cycles(GcLog log, Optional<Bytes> fixedSize, TimelineBuilder timeline) {
      List<HeapSample> samples = new ArrayList<>();
      for (LoggedCycle cycle : log.cycles) {
        Optional<Instant> at = at(cycle.end());
        if (at.isPresent()) {
          Source source = line(cycle.line());
          timeline.sampleOfLog(
              new ConcurrentCycle(at.get(), cycle.usedAfter(), cycle.whole(), source));
          fixedSize.ifPresent(
              size ->
                  samples.add(
                      new HeapSample(
                          at.get(), Moment.AFTER_COLLECTION, cycle.usedAfter(), size, source)));
        }
      }
      timeline.heapOfLog(samples);
    }

    /** Young collections; for G1 the log has to state the region size. */
    void young(GcLog log, TimelineBuilder timeline) {
      Optional<Bytes> region = LogFacts.size(log.origin().facts(), "G1HeapRegionSize");
      for (LoggedYoung young : log.young()) {
        Optional<Bytes> step = young.inRegions() ? region : Optional.of(Bytes.of(1));
        Optional<Instant> at = at(young.stamp());
        if (step.isPresent() && at.isPresent()) {
          long unit = step.get().value();
          timeline.sample(
              new YoungCollections(
                  at.get(),
                  young.count(),
                  Bytes.of(unit * young.before()),
                  Bytes.of(unit * young.survived()),
                  Bytes.of(unit * young.promoted()),
                  step.get(),
                  line(young.line())));
        }
      }
    }

    private Source line(long number) {
      return Source.line(file, number);
    }

    /** What happened at one moment: humongous regions, allocations given up for JNI, phases. */
    void moments(GcLog log, TimelineBuilder timeline) {
      for (LoggedRegions one : log.humongous()) {
        at(one.end())
            .map(at -> new HumongousRegions(at, one.before(), one.after(), line(one.line())))
            .ifPresent(timeline::sample);
      }
      for (StarvedThread one : log.starved) {
        at(one.at())
            .map(at -> new StarvedAllocation(at, one.name(), line(one.line())))
            .ifPresent(timeline::sample);
      }
      // A recording of the same pauses has them as well.
      for (LoggedPhase one : log.phases.phases) {
        at(one.start())
            .map(
                at -> new PausePhase(at, one.pause(), one.part(), one.duration(), line(one.line())))
            .ifPresent(timeline::sampleOfLog);
      }
    }

    /** Waits, of request threads and of others, by thread name. */
    void waits(GcLog log, TimelineBuilder timeline, FrameBook frames) {
      Map<WaitSite, WaitSeries.Builder> series = new TreeMap<>();
      for (LoggedWait wait : log.waits) {
        Optional<Instant> end = at(wait.end());
        if (end.isPresent()) {
          boolean serving = frames.isRequestThread(wait.thread());
          WaitSite site =
              new WaitSite(
                  WaitKind.ALLOCATION_STALL,
                  wait.paced() ? AllocationStalls.PACING : AllocationStalls.COLLECTOR,
                  serving,
                  "");
          series
              .computeIfAbsent(site, key -> new WaitSeries.Builder(key, line(wait.line())))
              .add(end.get().minus(wait.duration()), wait.duration());
        }
      }
      series.values().forEach(builder -> timeline.waitsOfLog(builder.build()));
    }
  }
}
