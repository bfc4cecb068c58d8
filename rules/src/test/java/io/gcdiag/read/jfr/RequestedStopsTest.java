package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.OutsideRequest;
import io.gcdiag.evidence.jvm.OwnCode;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.fixtures.SampleFiles;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Counts are those of {@code jfr print --events jdk.ExecuteVMOperation}, by operation and caller.
 */
class RequestedStopsTest {

  private final Timeline timeline =
      Recordings.read(SampleFiles.file("recordings/jdk17-requests.jfr.gz"));

  /** Of the Attach Listener two histograms and three GCs, of RMI's thread one and four. */
  @Test
  void whatJcmdAndJmxAskForComesFromOutside() {
    Map<String, Long> byOperation =
        timeline.samples(OutsideRequest.class).stream()
            .collect(
                Collectors.groupingBy(
                    OutsideRequest::operation, TreeMap::new, Collectors.counting()));
    assertEquals(Map.of("GC_HeapInspection", 3L, "GenCollectFull", 7L), byOperation);
  }

  /** Four ordinary collections ran on the thread main, which allocated, and are no request. */
  @Test
  void theServiceAskedWhereItCallsSystemGcAndNowhereElse() {
    List<String> places =
        timeline.samples(OwnCode.class).stream()
            .filter(code -> code.activity() == Activity.REQUESTING_STOPS)
            .flatMap(code -> code.spots().stream())
            .map(spot -> spot.place() + " " + spot.subject())
            .toList();
    assertEquals(List.of("kiosk.Kiosk$Janitor.tidyUp:33 GenCollectFull"), places);
  }
}
