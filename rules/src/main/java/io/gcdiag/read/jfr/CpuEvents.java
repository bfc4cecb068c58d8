package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.CpuSample.ContextSwitches;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu.Kind;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/** CPU load of the JVM and the machine, by thread where recorded, and context switches. */
final class CpuEvents extends EventGroup {

  private static final String LOAD = "jdk.CPULoad";
  private static final String THREAD_LOAD = "jdk.ThreadCPULoad";

  private final List<CpuLoad> loads = new ArrayList<>();
  private final List<SwitchReading> switches = new ArrayList<>();

  private record SwitchReading(Instant at, double perSecond) {}

  /**
   * A pool has some hundred threads; services with more names than this name threads after their
   * work.
   */
  private static final int MOST_NAMES = 10_000;

  private final ThreadGroups threads;
  private final Set<String> serving = new HashSet<>();

  CpuEvents(LaneContext lane) {
    super(lane);
    threads = new ThreadGroups(frames, redactor);
    on(LOAD, this::load);
    on(THREAD_LOAD, this::threadLoad);
    on("jdk.ExecutionSample", this::sample);
    on("jdk.ThreadContextSwitchRate", this::contextSwitches);
  }

  private void load(Event event) {
    loads.add(
        new CpuLoad(
            event.start(),
            event.fraction("jvmUser"),
            event.fraction("jvmSystem"),
            event.fraction("machineTotal")));
  }

  private void threadLoad(Event event) {
    threads.add(
        event.start(), Stacks.threadName(event), event.fraction("user") + event.fraction("system"));
  }

  private void sample(Event event) {
    if (stacks.running(event).requestThread()) {
      event
          .thread("sampledThread")
          .map(EventThread::name)
          .filter(name -> serving.size() < MOST_NAMES && serving.add(name))
          .ifPresent(threads::serves);
    }
  }

  private void contextSwitches(Event event) {
    OptionalDouble rate = event.decimal("switchRate");
    if (rate.isPresent()) {
      switches.add(new SwitchReading(event.start(), rate.getAsDouble()));
    }
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    loads.sort(Comparator.comparing(CpuLoad::at));
    // The first one covers no interval: HotSpot has no previous reading and writes 100 %.
    loads.stream().skip(1).forEach(timeline::cpu);
    timeline.signal(Signal.CPU_LOAD, settings.state(LOAD, loads.size() > 1));
    threads.samples(settings.period(THREAD_LOAD)).forEach(timeline::sample);
    timeline.signal(Signal.THREAD_CPU, settings.state(THREAD_LOAD, !threads.isEmpty()));
    // The first one has no previous reading either.
    switches.sort(Comparator.comparing(SwitchReading::at));
    for (int i = 1; i < switches.size(); i++) {
      SwitchReading reading = switches.get(i);
      Duration interval = Duration.between(switches.get(i - 1).at(), reading.at());
      timeline.sample(new ContextSwitches(reading.at(), interval, reading.perSecond()));
    }
  }

  /** CPU use by kind of thread: threads whose names differ only in numbers. */
  static final class ThreadGroups {

    /** As in {@code C2 CompilerThread0}. */
    private static final String COMPILER = "CompilerThread";

    /**
     * A service has some dozens of kinds; services with more name their threads after their work.
     */
    private static final int MOST_GROUPS = 200;

    /** Tolerance: a period may differ from its setting by this share. */
    private static final double DRIFT = 0.1;

    /** With periods up to this length, readings in neighbouring seconds are different readings. */
    private static final Duration TOO_CLOSE = Duration.ofSeconds(2);

    /** HotSpot's default in the JDK's own settings. */
    private static final Duration USUAL_PERIOD = Duration.ofSeconds(10);

    private final FrameBook book;
    private final Redactor redactor;
    private final Map<String, Group> groups = new HashMap<>();
    private final Set<String> names = new HashSet<>();
    private final Map<Instant, Map<Group, Sum>> readings = new TreeMap<>();

    /** Groups with a thread seen in a frame that serves requests. */
    private final Set<String> serving = new HashSet<>();

    private record Group(String name, Kind kind) {}

    private record Sum(int threads, double share) {
      Sum plus(Sum more) {
        return new Sum(threads + more.threads, share + more.share);
      }
    }

    ThreadGroups(FrameBook book, Redactor redactor) {
      this.book = book;
      this.redactor = redactor;
    }

    boolean isEmpty() {
      return readings.isEmpty();
    }

    void add(Instant at, String thread, double share) {
      // All threads are read at the same time, within the clock's resolution.
      Instant second = Instant.ofEpochSecond(at.getEpochSecond());
      readings
          .computeIfAbsent(second, any -> new HashMap<>())
          .merge(group(thread), new Sum(1, share), Sum::plus);
    }

    /** Threads of an executor are recognised by what they do, because their names show nothing. */
    void serves(String thread) {
      if (serving.size() < MOST_GROUPS) {
        serving.add(ThreadNames.group(redactor.redact(thread)));
      }
    }

    private Group group(String thread) {
      Group known = groups.get(thread);
      if (known != null) {
        return known;
      }
      String name = ThreadNames.group(redactor.redact(thread));
      if (!names.contains(name) && names.size() >= MOST_GROUPS) {
        name = "other threads";
      }
      names.add(name);
      Kind kind =
          thread.contains(COMPILER)
              ? Kind.COMPILER
              : book.isRequestThread(thread) ? Kind.REQUEST : Kind.OTHER;
      Group group = new Group(name, kind);
      if (groups.size() < MOST_GROUPS * MOST_GROUPS) {
        groups.put(thread, group);
      }
      return group;
    }

    private Kind kind(Group group) {
      return group.kind() == Kind.OTHER && serving.contains(group.name())
          ? Kind.REQUEST
          : group.kind();
    }

    /**
     * One sample for each group and period. A thread that ends is reported between two periods,
     * alone: its part belongs to the period that ends next.
     */
    List<ThreadGroupCpu> samples(Optional<Duration> period) {
      if (isEmpty()) {
        return List.of();
      }
      Duration length = period.orElse(USUAL_PERIOD);
      TreeMap<Instant, Map<Group, Sum>> together = inWholeReadings(length);
      Set<Instant> ends = period.map(known -> ends(together, known)).orElse(together.keySet());
      List<ThreadGroupCpu> samples = new ArrayList<>();
      Map<Group, Sum> ended = new HashMap<>();
      Instant last = Instant.MIN;
      for (Map.Entry<Instant, Map<Group, Sum>> reading : together.entrySet()) {
        Instant at = reading.getKey();
        Map<Group, Sum> groupsThen = reading.getValue();
        if (!ends.contains(at)) {
          double part =
              last.equals(Instant.MIN)
                  ? 1
                  : Math.min(
                      1, Durations.seconds(Duration.between(last, at)) / Durations.seconds(length));
          groupsThen.forEach(
              (group, sum) ->
                  ended.merge(group, new Sum(sum.threads, sum.share * part), Sum::plus));
          continue;
        }
        ended.forEach((group, sum) -> groupsThen.merge(group, sum, Sum::plus));
        ended.clear();
        last = at;
        groupsThen.forEach(
            (group, sum) ->
                samples.add(
                    new ThreadGroupCpu(
                        at, length, group.name(), kind(group), sum.threads(), sum.share())));
      }
      samples.sort(
          (a, b) ->
              a.at().equals(b.at()) ? a.group().compareTo(b.group()) : a.at().compareTo(b.at()));
      return samples;
    }

    /** A reading that went on into the next second is one. */
    private TreeMap<Instant, Map<Group, Sum>> inWholeReadings(Duration period) {
      if (period.compareTo(TOO_CLOSE) <= 0) {
        return new TreeMap<>(readings);
      }
      TreeMap<Instant, Map<Group, Sum>> whole = new TreeMap<>();
      for (Map.Entry<Instant, Map<Group, Sum>> reading : readings.entrySet()) {
        Instant before = reading.getKey().minusSeconds(1);
        Map<Group, Sum> into =
            whole.computeIfAbsent(
                whole.containsKey(before) ? before : reading.getKey(), any -> new HashMap<>());
        reading.getValue().forEach((group, sum) -> into.merge(group, sum, Sum::plus));
      }
      return whole;
    }

    /**
     * When periods end: of the readings that come about a period after the last one, or within the
     * first, the one of most threads. On full cores a period ends late, and a thread that ends
     * alone where it was due does not stand for all.
     */
    private static Set<Instant> ends(TreeMap<Instant, Map<Group, Sum>> together, Duration period) {
      Duration drift = Durations.ofSeconds(DRIFT * Durations.seconds(period));
      Set<Instant> ends = new HashSet<>();
      Instant from = together.firstKey();
      Instant to = from.plus(period);
      int usual = 0;
      while (from != null) {
        Instant end = mostThreads(together.subMap(from, true, to, false));
        if (2 * threads(together.get(end)) < usual) {
          end = mostThreads(together.subMap(from, true, from.plus(period), false));
        }
        ends.add(end);
        usual = threads(together.get(end));
        from = together.ceilingKey(end.plus(period).minus(drift));
        to = from == null ? end : from.plus(drift).plus(drift).plusNanos(1);
      }
      return ends;
    }

    /** The first of those with most threads. */
    private static Instant mostThreads(NavigableMap<Instant, Map<Group, Sum>> readings) {
      Instant most = readings.firstKey();
      for (Instant at : readings.keySet()) {
        most = threads(readings.get(at)) > threads(readings.get(most)) ? at : most;
      }
      return most;
    }

    private static int threads(Map<Group, Sum> groups) {
      return groups.values().stream().mapToInt(Sum::threads).sum();
    }
  }
}
