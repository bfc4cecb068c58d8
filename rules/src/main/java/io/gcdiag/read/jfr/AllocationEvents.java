package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.AllocationProfile;
import io.gcdiag.evidence.jvm.AllocationSite;
import io.gcdiag.evidence.jvm.AllocationSite.Path;
import io.gcdiag.evidence.jvm.AllocationSites;
import io.gcdiag.evidence.jvm.GcSample.OldObjects;
import io.gcdiag.evidence.threads.AllocationStalls;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.RowIndex;
import io.gcdiag.evidence.time.Series;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.SlowParts.Allocated;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import io.gcdiag.read.jfr.reader.Fields;
import io.gcdiag.read.jfr.reader.Note;
import io.gcdiag.read.jfr.reader.Trace;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Allocation by class and stack, and its rate over time. */
final class AllocationEvents extends EventGroup {

  private static final String SAMPLE = "jdk.ObjectAllocationSample";

  /** Used instead of samples in recordings of JDKs before 16 and of async-profiler. */
  private static final String NEW_TLAB = "jdk.ObjectAllocationInNewTLAB";

  private static final String OUTSIDE_TLAB = "jdk.ObjectAllocationOutsideTLAB";

  /** Sites beyond this number are summed up as one; the largest ones stay exact. */
  private static final int MOST_SITES = 20_000;

  /** In the order of their numbers. */
  private final Map<Key, Sums> sums = new LinkedHashMap<>();

  private final AllocationSites.Builder sites = new AllocationSites.Builder();
  private final Series.Builder sampled = new Series.Builder();
  private final Note<Site> sampledSites = new Note<>(trace -> new Site(Path.SAMPLED, trace));
  private final Note<Site> outsideSites = new Note<>(trace -> new Site(Path.OUTSIDE_TLAB, trace));
  private final AllocationCounters counters = new AllocationCounters();
  private final RecordedSettings settings;
  private final ThreadSpans<Allocated> byThread;
  private boolean samples;
  private boolean tlabs;
  private boolean outside;

  /**
   * equals is written by hand, because it is called for each stack of each chunk and a record's is
   * too slow.
   */
  private record Key(Path path, String className, String top, String root, boolean ofApplication) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key that
          && path == that.path
          && className.equals(that.className)
          && top.equals(that.top)
          && root.equals(that.root)
          && ofApplication == that.ofApplication;
    }

    @Override
    public int hashCode() {
      return ((path.ordinal() * 31 + className.hashCode()) * 31 + top.hashCode()) * 31
          + root.hashCode();
    }
  }

  /** Running sums of one site. */
  private static final class Sums {
    private static final int MOST_SIZES = 256;
    private final int number;
    private long bytes;
    private long count;
    private final RowIndex sizes = new RowIndex();

    private long[] countBySize = {};

    Sums(int number) {
      this.number = number;
    }

    void add(long amount, boolean exactSize) {
      bytes += amount;
      count++;
      if (exactSize && (sizes.count() < MOST_SIZES || sizes.find(amount) != RowIndex.NONE)) {
        int row = sizes.row(amount);
        if (row >= countBySize.length) {
          countBySize = Arrays.copyOf(countBySize, Math.max(Long.BYTES, 2 * row));
        }
        countBySize[row]++;
      }
    }

    Optional<Bytes> medianSize() {
      long half = Arrays.stream(countBySize).sum() / 2;
      long seen = 0;
      for (long size : sizes.sorted()) {
        seen += countBySize[sizes.find(size)];
        if (seen > half) {
          return Optional.of(Bytes.of(size));
        }
      }
      return Optional.empty();
    }
  }

  /**
   * Reads allocations.
   *
   * @param byThread gets each that stands for the others of its thread
   */
  AllocationEvents(LaneContext lane, RecordedSettings settings, ThreadSpans<Allocated> byThread) {
    super(lane);
    this.settings = settings;
    this.byThread = byThread;
    on(SAMPLE, this::sample);
    on(NEW_TLAB, this::newTlab);
    on(OUTSIDE_TLAB, this::outside);
    on(AllocationCounters.EVENT, counters::accept);
  }

  /** If the recording JVM has allocation samples, TLAB events are ignored. */
  @Override
  public boolean needs(String type) {
    return !type.equals(NEW_TLAB) || tlabs || !settings.knows(SAMPLE);
  }

  private void sample(Event event) {
    samples = true;
    sampled(event, event.numberOr("weight", 0));
  }

  private void sampled(Event event, long weight) {
    sampled.add(event.startNanos(), weight);
    ofThread(event, add(event, sampledSites, weight, false), weight);
  }

  private void ofThread(Event event, StackKind stack, long weight) {
    event
        .thread()
        .ifPresent(
            thread ->
                byThread.add(thread.id(), event.startNanos(), 0, new Allocated(stack, weight)));
  }

  /** A buffer's first object stands for the whole buffer; async-profiler states the same. */
  private void newTlab(Event event) {
    tlabs = needs(NEW_TLAB);
    if (tlabs) {
      sampled(event, event.numberOr("tlabSize", 0));
    }
  }

  private void outside(Event event) {
    outside = true;
    long bytes = event.numberOr("allocationSize", 0);
    StackKind stack = add(event, outsideSites, bytes, true);
    // The weights of samples have them as well.
    if (!settings.knows(SAMPLE)) {
      ofThread(event, stack, bytes);
    }
  }

  private StackKind add(Event event, Note<Site> path, long bytes, boolean exactSize) {
    Site place = stacks.note(event, path);
    Sums site = place.sums(event.className("objectClass").orElse("unknown class"));
    site.add(bytes, exactSize);
    sites.add(site.number, event.startNanos(), bytes);
    return place.kind;
  }

  private Sums sums(Path path, String type, StackKind kind, boolean ofApplication) {
    Key key = new Key(path, type, kind.top(), kind.root(), ofApplication);
    if (!sums.containsKey(key) && sums.size() >= MOST_SITES) {
      key = new Key(path, "other classes", "", "", ofApplication);
    }
    return sums.computeIfAbsent(key, any -> new Sums(sums.size()));
  }

  /** A stack that allocates, mostly objects of one class. */
  private final class Site {
    private final Path path;
    private final StackKind kind;
    private final boolean ofApplication;
    private String type = "";
    private Sums latest;

    Site(Path path, Trace trace) {
      this.path = path;
      this.kind = stacks.running(trace);
      this.ofApplication = stacks.isOfApplication(kind);
    }

    Sums sums(String className) {
      if (latest == null || !type.equals(className)) {
        type = className;
        latest = AllocationEvents.this.sums(path, className, kind, ofApplication);
      }
      return latest;
    }
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    List<AllocationSite> known =
        sums.entrySet().stream().map(entry -> site(entry.getKey(), entry.getValue())).toList();
    timeline.allocation(
        new AllocationProfile(
            sites.build(known),
            sampled.build(),
            counters.bytesPerSecond(),
            Optional.of(source(settings.written(source())))));
    timeline.signal(
        Signal.ALLOCATION_SAMPLES, settings.state(tlabs ? NEW_TLAB : SAMPLE, samples || tlabs));
    timeline.signal(Signal.OUTSIDE_TLAB, settings.state(OUTSIDE_TLAB, outside));
  }

  private String source() {
    if (outside) {
      return OUTSIDE_TLAB;
    }
    return tlabs ? NEW_TLAB : SAMPLE;
  }

  private static AllocationSite site(Key key, Sums sums) {
    return new AllocationSite(
        key.className(),
        key.top(),
        key.root(),
        key.ofApplication(),
        key.path(),
        Bytes.of(Math.max(0, sums.bytes)),
        sums.count,
        sums.medianSize());
  }

  /**
   * The threads' own counters of allocated bytes, written at the start and end of each chunk. The
   * difference between a thread's first and last reading is exact, except for threads that ended in
   * between.
   */
  private static final class AllocationCounters {

    static final String EVENT = "jdk.ThreadAllocationStatistics";

    /** Readings of one emission are at most this far apart. */
    private static final Duration ONE_EMISSION = Duration.ofSeconds(1);

    private final Map<Long, Reading> firstByThread = new HashMap<>();
    private final Map<Long, Reading> lastByThread = new HashMap<>();
    private Optional<Instant> first = Optional.empty();
    private Optional<Instant> last = Optional.empty();

    private record Reading(Instant at, long bytes) {}

    void accept(Event event) {
      Optional<EventThread> thread = event.thread("thread");
      if (thread.isEmpty()) {
        return;
      }
      long id = thread.get().id();
      Instant at = event.start();
      Reading reading = new Reading(at, event.number("allocated").orElse(0));
      firstByThread.merge(id, reading, (a, b) -> a.at().isAfter(b.at()) ? b : a);
      lastByThread.merge(id, reading, (a, b) -> a.at().isAfter(b.at()) ? a : b);
      first = first.filter(known -> known.isBefore(at)).or(() -> Optional.of(at));
      last = last.filter(known -> known.isAfter(at)).or(() -> Optional.of(at));
    }

    OptionalDouble bytesPerSecond() {
      if (first.isEmpty()
          || Duration.between(first.get(), last.get()).compareTo(ONE_EMISSION) < 0) {
        return OptionalDouble.empty();
      }
      Instant start = first.get().plus(ONE_EMISSION);
      long bytes = 0;
      for (Map.Entry<Long, Reading> entry : lastByThread.entrySet()) {
        Reading begin = firstByThread.get(entry.getKey());
        // A thread that started later allocated everything in that time.
        bytes += entry.getValue().bytes() - (begin.at().isBefore(start) ? begin.bytes() : 0);
      }
      Duration time = Duration.between(first.get(), last.get());
      return OptionalDouble.of(bytes / (time.toNanos() / 1e9));
    }
  }

  /**
   * Threads that wait inside an allocation, outside of GC pauses.
   *
   * <p>{@code jdk.ZAllocationStall} is one thread's wait. {@code jdk.GCLocker} is recorded once for
   * all threads that a JNI critical section delayed: it lasts from the first of them until the
   * section is left, and has their number. Their arrivals are assumed to be evenly spread.
   */
  static final class AllocationStallEvents extends EventGroup {

    /** Stacks differ by what is allocated; sites beyond this number are summed up as one. */
    private static final int MOST_SITES = 200;

    /** No JVM runs more threads than this; a larger number is damaged. */
    private static final long MOST_THREADS = 100_000;

    /** No critical section is held for longer; a longer one is damaged. */
    private static final Duration LONGEST = Duration.ofHours(1);

    private final Map<WaitSite, WaitSeries.Builder> series = new TreeMap<>();

    AllocationStallEvents(LaneContext lane) {
      super(lane);
      on("jdk.ZAllocationStall", this::collectorStall);
      on("jdk.GCLocker", this::lockerStall);
    }

    private void collectorStall(Event event) {
      StackKind kind = stacks.running(event);
      boolean serving = stacks.onRequestThread(kind, event);
      add(event, AllocationStalls.COLLECTOR, serving, kind, event.start());
    }

    private void lockerStall(Event event) {
      OptionalLong stalled = event.number("stallCount");
      long threads = Math.min(MOST_THREADS, stalled.orElse(0));
      // The stack is that of the thread that left the section last, which is the relevant one.
      StackKind kind = stacks.running(event);
      for (long i = 0; i < threads; i++) {
        Duration late = event.duration().multipliedBy(i).dividedBy(threads);
        add(event, AllocationStalls.GC_LOCKER, true, kind, event.start().plus(late));
      }
    }

    /** Adds a wait until the event's end. */
    private void add(Event event, String name, boolean serving, StackKind kind, Instant from) {
      Duration length = Duration.between(from, event.end());
      if (length.isNegative() || length.compareTo(LONGEST) > 0) {
        return;
      }
      WaitSite site = new WaitSite(WaitKind.ALLOCATION_STALL, name, serving, kind.top());
      if (!series.containsKey(site) && series.size() >= MOST_SITES) {
        site = new WaitSite(WaitKind.ALLOCATION_STALL, name, serving, "");
      }
      series
          .computeIfAbsent(site, key -> new WaitSeries.Builder(key, source(event.type())))
          .add(from, length);
    }

    @Override
    public void finish(TimelineBuilder timeline, RecordedSettings settings) {
      series.values().forEach(builder -> timeline.waits(builder.build()));
    }
  }

  /**
   * Sampled objects that are still reachable ({@code jdk.OldObjectSample}): at most 256 per
   * recording, written when it ends. With {@code path-to-gc-roots=true} each has the chain of its
   * holders.
   */
  static final class OldObjectEvents extends EventGroup {

    private static final String EVENT = "jdk.OldObjectSample";

    /** Different holders in a row; the innermost are enough. */
    private static final int MOST_HOLDERS = 8;

    private static final int MOST_SITES = 1_000;

    private final Source source;
    private final Map<Key, Sum> sums = new HashMap<>();

    private record Key(String className, String allocatedAt, String holders) {}

    private static final class Sum {
      private Instant at = Instant.MIN;
      private final List<Instant> allocated = new ArrayList<>();

      void add(Instant written, Duration age) {
        at = written.isAfter(at) ? written : at;
        allocated.add(written.minus(age));
      }
    }

    OldObjectEvents(LaneContext lane) {
      super(lane);
      this.source = source(EVENT);
      on(EVENT, this::sample);
    }

    private void sample(Event event) {
      Optional<Fields> found = event.inside("object");
      if (found.isEmpty()) {
        return;
      }
      Fields object = found.get();
      Key key =
          new Key(
              object.className("type").orElse("unknown class"),
              stacks.running(event).top(),
              holders(object));
      if (sums.containsKey(key) || sums.size() < MOST_SITES) {
        sums.computeIfAbsent(key, any -> new Sum()).add(event.start(), event.duration("objectAge"));
      }
    }

    /**
     * {@code HashMap$Node[] < HashMap.table < PickSessions.open}, innermost first. The nodes of a
     * linked list are named once.
     */
    private static String holders(Fields object) {
      List<String> holders = new ArrayList<>();
      Optional<Fields> reference = object.inside("referrer");
      while (reference.isPresent() && holders.size() < MOST_HOLDERS) {
        Optional<Fields> holder = reference.get().inside("object");
        if (holder.isEmpty()) {
          break;
        }
        String type = holder.get().className("type").orElse("unknown class");
        String field =
            reference
                .get()
                .inside("field")
                .flatMap(named -> named.text("name"))
                .map(name -> "." + name)
                .orElse("");
        String last = holders.isEmpty() ? "" : holders.get(holders.size() - 1);
        if (!last.equals(type + field) && !(field.isEmpty() && last.startsWith(type + "."))) {
          holders.add(type + field);
        }
        reference = holder.get().inside("referrer");
      }
      return String.join(" < ", holders);
    }

    @Override
    public void finish(TimelineBuilder timeline, RecordedSettings settings) {
      sums.forEach(
          (key, sum) ->
              timeline.sample(
                  new OldObjects(
                      sum.at,
                      key.className(),
                      key.allocatedAt(),
                      key.holders(),
                      sum.allocated.stream().sorted().toList(),
                      source)));
    }
  }
}
