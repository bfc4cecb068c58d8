package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.GcSample.YoungCollections;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.Fields;
import io.gcdiag.units.Bytes;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What young collections found alive and what they moved to the old generation, to the byte.
 *
 * <p>G1 states what it copied, by where it copied it to. Parallel states what each generation holds
 * before and after. Recordings of Serial and CMS hold neither.
 */
final class YoungEvents extends EventGroup {

  private static final String SET = "jdk.EvacuationInformation";
  private static final String TO_YOUNG = "jdk.G1EvacuationYoungStatistics";
  private static final String TO_OLD = "jdk.G1EvacuationOldStatistics";
  private static final String G1 = "jdk.G1GarbageCollection";
  private static final String PARALLEL = "jdk.PSHeapSummary";
  private static final String YOUNG = "jdk.YoungGarbageCollection";

  /** G1's type of collections that move old objects as well. */
  private static final String MIXED = "Mixed";

  private final Map<Long, Copied> copied = new HashMap<>();
  private final Set<Long> mixed = new HashSet<>();
  private final Set<Long> young = new HashSet<>();
  private final Map<Long, Generations> before = new HashMap<>();
  private final Map<Long, Generations> after = new HashMap<>();

  /** What G1 says of one collection. */
  private static final class Copied {
    private Instant at = Instant.EPOCH;
    private long from = -1;
    private long toYoung;
    private long toOld = -1;
  }

  private record Generations(Instant at, long young, long old) {}

  YoungEvents(LaneContext lane) {
    super(lane);
    on(SET, this::set);
    on(TO_YOUNG, this::toYoung);
    on(TO_OLD, this::toOld);
    on(G1, this::type);
    on(PARALLEL, this::parallel);
    on(YOUNG, event -> young.add(gcId(event)));
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

  /** Copied through buffers and beside them; what could not be copied stays and is old from now. */
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
    // Of each second one: recordings of hours have many thousand collections.
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
                add(bySecond, end.at(), begin.young(), end.young() + promoted, promoted, PARALLEL);
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
