package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.units.Bytes;
import java.time.Instant;
import java.util.Optional;

/** Events that the JVM could not write, for lack of room in its buffers ({@code jdk.DataLoss}). */
final class DataLossEvents extends EventGroup {

  private static final String LOSS = "jdk.DataLoss";

  private long bytes;
  private Optional<Instant> first = Optional.empty();
  private Optional<Instant> last = Optional.empty();

  DataLossEvents(LaneContext lane) {
    super(lane);
    on(LOSS, this::lost);
  }

  private void lost(Event event) {
    bytes += Math.max(0, event.numberOr("amount", 0));
    first = first.or(() -> Optional.of(event.start()));
    last = Optional.of(event.start());
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    if (first.isPresent() && bytes > 0) {
      Instant to = last.orElseThrow();
      String span = to.isAfter(first.get()) ? text(new Window(first.get(), to)) : "at " + to;
      timeline.note(
          ("%s: the JVM lost %s of events %s (jdk.DataLoss): counts and sums of that"
                  + " time are too small; record with fewer events, or with more memory"
                  + " (-XX:FlightRecorderOptions=memorysize=64m)")
              .formatted(file, Bytes.of(bytes), span));
    }
  }

  private static String text(Window window) {
    return "from " + window.from() + " to " + window.to();
  }
}
