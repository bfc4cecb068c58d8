package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.GcCpu;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.GcSample.ConcurrentCycle;
import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.evidence.jvm.HeapSample;
import io.gcdiag.evidence.jvm.HeapSample.Moment;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.PauseStore;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.read.bytes.ClockAlignment;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.Fields;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

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
      // Some settings disable the phases; the sum of a collection's pauses is the next best.
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
}
