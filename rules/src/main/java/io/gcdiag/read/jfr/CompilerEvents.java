package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.JvmSample.CodeCacheFull;
import io.gcdiag.evidence.jvm.JvmSample.Deoptimized;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.units.Bytes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the JIT compilers do, and whether there is room for what they make. */
final class CompilerEvents extends EventGroup {

  private static final String FULL = "jdk.CodeCacheFull";
  private static final String STATISTICS = "jdk.CodeCacheStatistics";
  private static final String CONFIGURATION = "jdk.CodeCacheConfiguration";
  private static final String LEFT = "jdk.Deoptimization";

  /** The JVM reports it once for each part of the cache, and again after it was cleared. */
  private static final int MOST_FULL = 1_000;

  private final List<CodeCacheFull> full = new ArrayList<>();
  private Optional<Instant> fullBefore = Optional.empty();
  private Bytes reserved = Bytes.ZERO;
  private final SecondCounts<Kind> left = new SecondCounts<>(new Kind(Deoptimized.OTHERS, "any"));

  private record Kind(String method, String reason) {}

  CompilerEvents(LaneContext lane) {
    super(lane);
    on(FULL, this::full);
    on(STATISTICS, this::statistics);
    on(CONFIGURATION, event -> reserved = event.bytes("reservedSize"));
    on(LEFT, this::left);
  }

  private void full(Event event) {
    if (full.size() < MOST_FULL) {
      Bytes capacity = event.bytes("codeCacheMaxCapacity");
      full.add(new CodeCacheFull(event.start(), false, capacity, source(FULL)));
    }
  }

  /**
   * The JVM counts how often a part was full, and writes it at the beginning and end of a chunk.
   */
  private void statistics(Event event) {
    boolean wasFull = event.number("fullCount").orElse(0) > 0;
    if (wasFull && fullBefore.filter(at -> !event.start().isBefore(at)).isEmpty()) {
      fullBefore = Optional.of(event.start());
    }
  }

  private void left(Event event) {
    String name = event.method("method").orElse("unknown method");
    left.add(new Kind(name, event.text("reason").orElse("")), event.start());
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    // The event has the time; a count alone is from before the recording.
    fullBefore
        .filter(at -> full.stream().noneMatch(event -> !event.at().isAfter(at)))
        .map(at -> new CodeCacheFull(at, true, reserved, source(STATISTICS)))
        .ifPresent(full::add);
    full.forEach(timeline::sample);
    left.forEach(
        (kind, second, n) ->
            timeline.sample(new Deoptimized(second, kind.method(), kind.reason(), n)));
    timeline.signal(Signal.CODE_CACHE, settings.state(FULL, !full.isEmpty()));
  }
}
