package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.OwnCode;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.jfr.OwnCodeEvents.StopDelays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A recording of JDK 25: one thread copies 300 MB at a time, which nothing interrupts, while
 * another asks for collections. The times were counted from {@code jfr print --json --events
 * SafepointLatency}, as the union of the events' intervals of each thread: the sum of all would be
 * 34.2 s, in a recording of 14 s.
 */
class StopDelaysTest {

  private static final double TICK = 1e-3;

  @Test
  void timeThatManySamplesWaitedForIsCountedOnce() {
    Timeline timeline =
        Ingest.read(
            List.of(
                new Ingest.Request(
                    SampleFiles.file("recordings/jdk25-delays.jfr.gz"),
                    Optional.empty(),
                    Optional.empty())),
            OperatorFacts.none(),
            Redactor.off(),
            ReadOptions.STANDARD);
    OwnCode delays =
        timeline.samples(OwnCode.class).stream()
            .filter(code -> code.activity() == Activity.DELAYING_STOPS)
            .findFirst()
            .orElseThrow();
    Window all =
        new Window(timeline.span().from().minusSeconds(5), timeline.span().to().plusSeconds(5));
    Map<Spot, Long> spots = delays.within(all);
    Map<String, Double> seconds =
        spots.entrySet().stream()
            .filter(entry -> entry.getKey().own())
            .collect(
                Collectors.toMap(
                    entry -> entry.getKey().place().toString(), entry -> entry.getValue() / 1e9));
    assertEquals(7.631, seconds.get("late.Late.copyPages:33"), TICK);
    assertEquals(1.357, seconds.get("late.Late.hash"), TICK);
  }

  /** 100 to 200, then 0 to 50, then 110 to 200, which lies in the first. */
  @Test
  void eventsOutOfOrderAreCountedOnce() {
    StopDelays delays = new StopDelays();
    assertEquals(100, delays.more(1, 100, 200));
    assertEquals(50, delays.more(1, 0, 50));
    assertEquals(0, delays.more(1, 110, 200));
    // 50 to 100 and 200 to 210 are new.
    assertEquals(60, delays.more(1, 20, 210));
    assertEquals(210, delays.more(2, 0, 210));
  }
}
