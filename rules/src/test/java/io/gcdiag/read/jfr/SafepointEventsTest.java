package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.jvm.SafepointStop;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SafepointEventsTest {

  @TempDir Path folder;

  @Test
  void aStopTellsWhatItWasForAndBothOfItsTimes() {
    Path file =
        Recordings.record(
            folder.resolve("stops.jfr"),
            recording -> {
              recording.enable("jdk.SafepointBegin").withoutThreshold();
              recording.enable("jdk.ExecuteVMOperation").withoutThreshold();
            },
            () -> ManagementFactory.getThreadMXBean().dumpAllThreads(true, true));
    RecordedEvent operation =
        Recordings.events(file, "jdk.ExecuteVMOperation").stream()
            .filter(event -> event.getString("operation").equals("ThreadDump"))
            .findFirst()
            .orElseThrow();
    RecordedEvent begin =
        Recordings.events(file, "jdk.SafepointBegin").stream()
            .filter(event -> event.getLong("safepointId") == operation.getLong("safepointId"))
            .findFirst()
            .orElseThrow();
    List<SafepointStop> stops =
        Recordings.read(file).safepoints().stream()
            .filter(stop -> stop.operation().equals("ThreadDump"))
            .toList();
    assertEquals(1, stops.size());
    assertEquals(begin.getStartTime(), stops.get(0).start());
    assertEquals(begin.getDuration(), stops.get(0).reaching());
    assertTrue(stops.get(0).at().compareTo(Duration.ZERO) > 0);
    assertFalse(stops.get(0).collection());
  }
}
