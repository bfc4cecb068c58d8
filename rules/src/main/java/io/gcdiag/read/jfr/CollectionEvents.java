package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.GcCpu;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.GcSample.ConcurrentCycle;
import io.gcdiag.evidence.jvm.GcSample.PausePhase;
import io.gcdiag.evidence.jvm.GcSample.YoungCollections;
import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.evidence.jvm.HeapSample;
import io.gcdiag.evidence.jvm.HeapSample.Moment;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.PausePart;
import io.gcdiag.evidence.jvm.PauseStore;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.jvm.VmOperations;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.ClockAlignment;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.Fields;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Collections, their pauses, and the heap around them.
 *
 * <p>A pause is a {@code jdk.GCPhasePause}; its kind and cause come from the {@code
 * jdk.GarbageCollection} with the same id, its heap from the two {@code jdk.GCHeapSummary}. The
 * duration of {@code jdk.GarbageCollection} itself is no pause: for concurrent cycles it is the
 * whole cycle.
 */
final class CollectionEvents extends EventGroup {

  private static final String PAUSE = "jdk.GCPhasePause";

  /** Shenandoah finishes a concurrent cycle in a pause: "Pause Degenerated GC (Mark)". */
  private static final String DEGENERATED = "Degenerated GC";

  private static final String SUMMARY = "jdk.GCHeapSummary";

  private final List<Phase> phases = new ArrayList<>();
  private final Map<Long, Collection> collections = new HashMap<>();
  private final Map<Long, String> g1Types = new HashMap<>();
  private final Map<Long, HeapSample> before = new HashMap<>();
  private final Map<Long, HeapSample> after = new HashMap<>();
  private final List<HeapSample> samples = new ArrayList<>();
  private final Set<Long> evacuationFailures = new HashSet<>();
  private final List<GcCpu> cpuTimes = new ArrayList<>();

  private record Phase(Instant start, Duration duration, String name, long gcId) {}

  private record Collection(String name, String cause, Instant start, Duration paused) {}

  CollectionEvents(LaneContext lane) {
    super(lane);
    on(PAUSE, this::pause);
    on("jdk.GarbageCollection", this::collection);
    on("jdk.G1GarbageCollection", this::g1Type);
    on(SUMMARY, this::heapSummary);
    on("jdk.EvacuationFailed", this::evacuationFailed);
    on("jdk.PromotionFailed", this::evacuationFailed);
    on("jdk.ConcurrentModeFailure", this::evacuationFailed);
    on("jdk.GCCPUTime", this::cpuTime);
  }

  private void pause(Event event) {
    phases.add(
        new Phase(event.start(), event.duration(), event.text("name").orElse(""), gcId(event)));
  }

  private void collection(Event event) {
    collections.put(
        gcId(event),
        new Collection(
            event.text("name").orElse(""),
            event.text("cause").orElse(""),
            event.start(),
            event.duration("sumOfPauses")));
  }

  private void g1Type(Event event) {
    event.text("type").ifPresent(type -> g1Types.put(gcId(event), type));
  }

  private void heapSummary(Event event) {
    Optional<Fields> heap = event.inside("heapSpace");
    OptionalLong used = event.number("heapUsed");
    if (heap.isEmpty() || used.isEmpty()) {
      return;
    }
    boolean first = event.text("when").filter("Before GC"::equals).isPresent();
    long id = gcId(event);
    HeapSample sample =
        new HeapSample(
            event.start(),
            first ? Moment.BEFORE_COLLECTION : Moment.AFTER_COLLECTION,
            Bytes.of(used.getAsLong()),
            Bytes.of(heap.get().number("committedSize").orElse(0)),
            source(SUMMARY + " gcId " + id));
    (first ? before : after).put(id, sample);
    samples.add(sample);
  }

  private void evacuationFailed(Event event) {
    evacuationFailures.add(gcId(event));
  }

  private void cpuTime(Event event) {
    cpuTimes.add(
        new GcCpu(
            event.start(),
            event.duration("userTime"),
            event.duration("systemTime"),
            event.duration("realTime"),
            file));
  }

  private static long gcId(Event event) {
    return event.number("gcId").orElse(-1);
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    if (phases.isEmpty()) {
      // Some settings disable the phases; the sum of a collection's pauses is used then.
      collections.forEach(
          (id, collection) ->
              phases.add(new Phase(collection.start(), collection.paused(), "", id)));
    }
    PauseStore pauses = new PauseStore();
    phases.forEach(phase -> pauses.add(toPause(phase)));
    timeline.pauses(file, Pauses.of(file, pauses)).heap(samples);
    cpuTimes.forEach(timeline::gcCpu);
    collections.forEach((id, collection) -> cycle(id, collection, timeline));
    timeline.signal(Signal.GC_PAUSES, settings.state(PAUSE, pauses.size() > 0));
    timeline.signal(Signal.HEAP_AROUND_GC, settings.state(SUMMARY, !samples.isEmpty()));
  }

  @Override
  public void tell(ClockAlignment clocks) {
    // Only the first pause of a collection is at its start; later ones end a concurrent cycle.
    phases.forEach(phase -> clocks.recordedCollection(phase.gcId(), phase.start()));
  }

  /** {@code Z} up to JDK 20, {@code ZGC Minor} and {@code ZGC Major} after, {@code Shenandoah}. */
  private void cycle(long id, Collection collection, TimelineBuilder timeline) {
    String name = collection.name();
    HeapSample end = after.get(id);
    if (end != null && (name.startsWith("Z") || name.startsWith("Shenandoah"))) {
      timeline.sample(
          new ConcurrentCycle(end.at(), end.used(), !name.endsWith("Minor"), end.source()));
    }
  }

  private GcPause toPause(Phase phase) {
    Optional<Collection> collection = Optional.ofNullable(collections.get(phase.gcId()));
    PauseKind kind =
        kind(
            phase.name(),
            collection.map(Collection::name).orElse(""),
            g1Types.getOrDefault(phase.gcId(), ""));
    boolean moving = kind != PauseKind.REMARK && kind != PauseKind.CLEANUP;
    return new GcPause(
        phase.start(),
        phase.duration(),
        kind,
        phase.name().contains(DEGENERATED)
            ? DEGENERATED
            : collection.map(Collection::cause).orElse(""),
        phase.gcId() < 0 ? OptionalLong.empty() : OptionalLong.of(phase.gcId()),
        moving ? heapChange(phase.gcId()) : Optional.empty(),
        moving && evacuationFailures.contains(phase.gcId()),
        source(PAUSE + " gcId " + phase.gcId()));
  }

  private Optional<HeapChange> heapChange(long id) {
    HeapSample first = before.get(id);
    HeapSample last = after.get(id);
    return first == null || last == null
        ? Optional.empty()
        : Optional.of(new HeapChange(first.used(), last.used(), last.committed()));
  }

  /** From the phase's name if it is more specific than "GC Pause", else from the collection's. */
  private static PauseKind kind(String phase, String collection, String g1Type) {
    if (phase.contains("Remark") || phase.contains("Mark End") || phase.contains("Final Mark")) {
      return PauseKind.REMARK;
    }
    if (phase.contains("Cleanup") || phase.contains("Relocate Start")) {
      return PauseKind.CLEANUP;
    }
    if (phase.contains("Mark Start") || phase.contains("Initial Mark") || phase.contains("Init ")) {
      return PauseKind.MARK_START;
    }
    if (phase.startsWith("Pause Full")) {
      return PauseKind.FULL;
    }
    if (g1Type.equals("Mixed")) {
      return PauseKind.MIXED;
    }
    return switch (collection) {
      case "G1New", "ParallelScavenge", "DefNew", "ParNew" -> PauseKind.YOUNG;
      case "G1Full", "SerialOld", "ParallelOld", "PSMarkSweep" -> PauseKind.FULL;
      default -> PauseKind.OTHER;
    };
  }

  /**
   * Phases inside pauses, of both upper levels. The same phase may be on the first level in one
   * collector and on the second in another, or both; overlapping time counts once.
   */
  static final class PhaseEvents extends EventGroup {

    private static final String OUTER = "jdk.GCPhasePauseLevel1";

    /** Shorter phases are ignored. */
    private static final Duration LEAST = Duration.ofMillis(1);

    private final List<Span> pauses = new ArrayList<>();
    private final Map<Long, Map<PausePart, List<Span>>> phases = new HashMap<>();

    /** Start and end of something in the collection of that number. */
    private record Span(Instant start, Instant end, long gcId) {}

    PhaseEvents(LaneContext lane) {
      super(lane);
      on(PAUSE, this::pause);
      on(OUTER, this::phase);
      on("jdk.GCPhasePauseLevel2", this::phase);
    }

    /** Without a number a phase cannot be assigned to its pause. */
    private static Optional<Span> span(Event event) {
      if (event.duration().compareTo(LEAST) < 0) {
        return Optional.empty();
      }
      OptionalLong gcId = event.number("gcId");
      return gcId.isEmpty()
          ? Optional.empty()
          : Optional.of(new Span(event.start(), event.end(), gcId.getAsLong()));
    }

    private void pause(Event event) {
      span(event).ifPresent(pauses::add);
    }

    private void phase(Event event) {
      span(event)
          .ifPresent(
              span -> event.text("name").flatMap(PausePart::of).ifPresent(part -> add(span, part)));
    }

    private void add(Span span, PausePart part) {
      phases
          .computeIfAbsent(span.gcId(), any -> new HashMap<>())
          .computeIfAbsent(part, any -> new ArrayList<>())
          .add(span);
    }

    @Override
    public void finish(TimelineBuilder timeline, RecordedSettings settings) {
      Source source = source(OUTER);
      for (Span pause : pauses) {
        phases
            .getOrDefault(pause.gcId(), Map.of())
            .forEach(
                (part, spans) -> {
                  Duration taken = covered(spans, pause);
                  if (taken.compareTo(LEAST) >= 0) {
                    Duration whole = Duration.between(pause.start(), pause.end());
                    timeline.sample(new PausePhase(pause.start(), whole, part, taken, source));
                  }
                });
      }
    }

    /** The part of a pause that at least one of the spans covers. */
    private static Duration covered(List<Span> spans, Span pause) {
      Duration sum = Duration.ZERO;
      Instant until = Instant.MIN;
      for (Span span : spans.stream().sorted(Comparator.comparing(Span::start)).toList()) {
        if (!span.start.isBefore(pause.start())
            && !span.end.isAfter(pause.end())
            && span.end().isAfter(until)) {
          sum =
              sum.plus(
                  Duration.between(
                      span.start().isBefore(until) ? until : span.start(), span.end()));
          until = span.end();
        }
      }
      return sum;
    }
  }

  /**
   * The exact bytes that young collections found alive and that they promoted. G1 states what it
   * copied, by destination. Parallel states what each generation holds before and after. Recordings
   * of Serial and CMS have neither.
   */
  static final class YoungEvents extends EventGroup {

    private static final String TO_OLD = "jdk.G1EvacuationOldStatistics";
    private static final String PARALLEL = "jdk.PSHeapSummary";

    /** G1's type of collections that move old objects as well. */
    private static final String MIXED = "Mixed";

    private final Map<Long, Copied> copied = new HashMap<>();
    private final Set<Long> mixed = new HashSet<>();
    private final Set<Long> young = new HashSet<>();
    private final Map<Long, Generations> before = new HashMap<>();
    private final Map<Long, Generations> after = new HashMap<>();

    /** G1's figures of one collection. */
    private static final class Copied {
      private Instant at = Instant.EPOCH;
      private long from = -1;
      private long toYoung;
      private long toOld = -1;
    }

    private record Generations(Instant at, long young, long old) {}

    YoungEvents(LaneContext lane) {
      super(lane);
      on("jdk.EvacuationInformation", this::set);
      on("jdk.G1EvacuationYoungStatistics", this::toYoung);
      on(TO_OLD, this::toOld);
      on("jdk.G1GarbageCollection", this::type);
      on(PARALLEL, this::parallel);
      on("jdk.YoungGarbageCollection", event -> young.add(gcId(event)));
    }

    private void set(Event event) {
      Copied one = of(gcId(event));
      one.at = event.start();
      one.from = event.numberOr("cSetUsedBefore", -1);
    }

    private void toYoung(Event event) {
      event.inside("statistics").ifPresent(figures -> of(gcId(figures)).toYoung = moved(figures));
    }

    private void toOld(Event event) {
      event.inside("statistics").ifPresent(figures -> of(gcId(figures)).toOld = moved(figures));
    }

    private Copied of(long gcId) {
      return copied.computeIfAbsent(gcId, any -> new Copied());
    }

    /**
     * Copied through buffers and beside them; what could not be copied stays and is old from now.
     */
    private static long moved(Fields figures) {
      return figures.numberOr("used", 0)
          + figures.numberOr("directAllocated", 0)
          + figures.numberOr("failureUsed", 0);
    }

    private void type(Event event) {
      if (event.text("type").filter(MIXED::equals).isPresent()) {
        mixed.add(gcId(event));
      }
    }

    private void parallel(Event event) {
      long eden = used(event, "edenSpace");
      long from = used(event, "fromSpace");
      long old = used(event, "oldObjectSpace");
      if (eden >= 0 && from >= 0 && old >= 0) {
        boolean first = event.text("when").filter("Before GC"::equals).isPresent();
        (first ? before : after).put(gcId(event), new Generations(event.start(), eden + from, old));
      }
    }

    private static long used(Event event, String space) {
      return event.inside(space).map(fields -> fields.numberOr("used", -1)).orElse(-1L);
    }

    private static long gcId(Fields event) {
      return event.numberOr("gcId", -1);
    }

    @Override
    public void finish(TimelineBuilder timeline, RecordedSettings settings) {
      // One per second, because recordings of hours have many thousand collections.
      TreeMap<Long, YoungCollections> bySecond = new TreeMap<>();
      new TreeMap<>(copied)
          .forEach(
              (id, one) -> {
                if (one.from >= 0 && one.toOld >= 0 && !mixed.contains(id)) {
                  add(bySecond, one.at, one.from, one.toYoung + one.toOld, one.toOld, TO_OLD);
                }
              });
      new TreeMap<>(after)
          .forEach(
              (id, end) -> {
                Generations begin = before.get(id);
                if (begin != null && young.contains(id)) {
                  long promoted = Math.max(0, end.old() - begin.old());
                  add(
                      bySecond,
                      end.at(),
                      begin.young(),
                      end.young() + promoted,
                      promoted,
                      PARALLEL);
                }
              });
      bySecond.values().forEach(timeline::sample);
    }

    private void add(
        Map<Long, YoungCollections> bySecond,
        Instant at,
        long from,
        long survived,
        long promoted,
        String event) {
      bySecond.merge(
          at.getEpochSecond(),
          new YoungCollections(
              at,
              1,
              Bytes.of(from),
              Bytes.of(survived),
              Bytes.of(promoted),
              Bytes.of(1),
              source(event)),
          YoungCollections::and);
    }
  }

  /**
   * Safepoints. {@code jdk.SafepointBegin} lasts until the last thread has stopped, {@code
   * jdk.ExecuteVMOperation} as long as the operation. Each has its own threshold, and both have the
   * safepoint's number.
   */
  static final class SafepointEvents extends EventGroup {

    private static final String BEGIN = "jdk.SafepointBegin";
    private static final String OPERATION = "jdk.ExecuteVMOperation";

    private final Source begun;
    private final Source done;
    private final List<Stop> stops = new ArrayList<>();
    private final Map<Long, Stop> byNumber = new HashMap<>();

    /** A safepoint being assembled; parts that are not recorded are zero or empty. */
    private static final class Stop {
      private Instant start;
      private Duration reaching = Duration.ZERO;
      private Duration at = Duration.ZERO;
      private String operation = "";
      private Source source;

      Stop(Instant start, Source source) {
        this.start = start;
        this.source = source;
      }

      SafepointStop finished() {
        return new SafepointStop(
            start, reaching, at, operation, VmOperations.isCollection(operation), source);
      }
    }

    SafepointEvents(LaneContext lane) {
      super(lane);
      this.begun = source(BEGIN);
      this.done = source(OPERATION);
      on(BEGIN, this::begin);
      on(OPERATION, this::operation);
    }

    private void begin(Event event) {
      Stop stop = stop(event, begun);
      stop.start = event.start();
      stop.reaching = event.duration();
      stop.source = begun;
    }

    private void operation(Event event) {
      if (!event.isTrue("safepoint")) {
        return;
      }
      Stop stop = stop(event, done);
      // Several operations may run at one safepoint; the longest gives its name.
      if (stop.operation.isEmpty() || event.duration().compareTo(stop.at) > 0) {
        stop.operation = event.text("operation").orElse("");
      }
      stop.at = stop.at.plus(event.duration());
    }

    /** The safepoint with the event's number; a new one if the event has none. */
    private Stop stop(Event event, Source source) {
      OptionalLong number = event.number("safepointId");
      Stop known = number.isPresent() ? byNumber.get(number.getAsLong()) : null;
      if (known != null) {
        return known;
      }
      Stop stop = new Stop(event.start(), source);
      stops.add(stop);
      if (number.isPresent()) {
        byNumber.put(number.getAsLong(), stop);
      }
      return stop;
    }

    @Override
    public void finish(TimelineBuilder timeline, RecordedSettings settings) {
      for (Stop stop : stops) {
        timeline.safepoint(stop.finished());
      }
      timeline.signal(Signal.SAFEPOINTS, settings.state(BEGIN, !stops.isEmpty()));
    }
  }
}
