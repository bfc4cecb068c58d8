package io.gcdiag.ingest.jfr;

import io.gcdiag.evidence.CodeCacheFull;
import io.gcdiag.evidence.CompilerCount;
import io.gcdiag.evidence.Deoptimized;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.Source;
import io.gcdiag.ingest.Intake;
import io.gcdiag.ingest.text.ClassNames;
import io.gcdiag.units.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;

/** What the JIT compilers do, and whether there is room for what they make. */
final class CompilerEvents implements EventGroup {

  private static final String FULL = "jdk.CodeCacheFull";
  private static final String COUNTS = "jdk.CompilerStatistics";
  private static final String LEFT = "jdk.Deoptimization";

  /** The JVM says so once for each part, and again when it made room. */
  private static final int MOST_FULL = 1_000;

  private final String file;
  private final List<CodeCacheFull> full = new ArrayList<>();
  private final List<CompilerCount> counts = new ArrayList<>();
  private final SecondCounts<Kind> left = new SecondCounts<>(new Kind("other methods", "any"));

  private record Kind(String method, String reason) {}

  CompilerEvents(String file) {
    this.file = file;
  }

  @Override
  public Map<String, Consumer<RecordedEvent>> readers() {
    return Map.of(FULL, this::full, COUNTS, this::count, LEFT, this::left);
  }

  private void full(RecordedEvent event) {
    OptionalLong capacity = Fields.number(event, "codeCacheMaxCapacity");
    if (full.size() < MOST_FULL) {
      full.add(
          new CodeCacheFull(
              event.getStartTime(),
              Fields.text(event, "codeBlobType").orElse(""),
              Bytes.of(Math.max(0, capacity.orElse(0))),
              new Source(file, FULL)));
    }
  }

  private void count(RecordedEvent event) {
    OptionalLong compiled = Fields.number(event, "compileCount");
    if (compiled.isPresent()) {
      Source source = new Source(file, COUNTS);
      counts.add(new CompilerCount(event.getStartTime(), compiled.getAsLong(), source));
    }
  }

  private void left(RecordedEvent event) {
    RecordedMethod method = event.hasField("method") ? event.getValue("method") : null;
    String name =
        method == null || method.getType() == null
            ? "unknown method"
            : ClassNames.source(method.getType().getName()) + "." + method.getName();
    left.add(new Kind(name, Fields.text(event, "reason").orElse("")), event.getStartTime());
  }

  @Override
  public void finish(Intake intake, RecordedSettings settings) {
    full.forEach(intake.timeline()::sample);
    counts.forEach(intake.timeline()::sample);
    Source source = new Source(file, LEFT);
    left.forEach(
        (kind, second, n) ->
            intake
                .timeline()
                .sample(new Deoptimized(second, kind.method(), kind.reason(), n, source)));
    intake.timeline().signal(Signal.CODE_CACHE, settings.state(FULL, !full.isEmpty()));
  }
}
