package io.gcdiag.ingest.jfr;

import io.gcdiag.evidence.SafepointStop;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.Source;
import io.gcdiag.ingest.Intake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;

/**
 * How long threads took to stop. {@code jdk.SafepointBegin} lasts until the last thread has
 * stopped; what was done then is not part of it.
 */
final class SafepointEvents implements EventGroup {

  private static final String BEGIN = "jdk.SafepointBegin";

  private final Source source;
  private final List<SafepointStop> stops = new ArrayList<>();

  SafepointEvents(String file) {
    this.source = new Source(file, BEGIN);
  }

  @Override
  public Map<String, Consumer<RecordedEvent>> readers() {
    return Map.of(BEGIN, this::begin);
  }

  private void begin(RecordedEvent event) {
    stops.add(
        new SafepointStop(
            event.getStartTime(), event.getDuration(), Duration.ZERO, "", false, source));
  }

  @Override
  public void finish(Intake intake, RecordedSettings settings) {
    stops.forEach(intake.timeline()::safepoint);
    intake.timeline().signal(Signal.SAFEPOINTS, settings.state(BEGIN, !stops.isEmpty()));
  }
}
