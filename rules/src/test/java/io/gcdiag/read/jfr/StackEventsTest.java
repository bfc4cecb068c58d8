package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.IncidentDiagnoses;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.StackProfile;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.fixtures.Incidents;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
@Tag("incidents")
class StackEventsTest {

  /**
   * {@code jfr print --json --events jdk.JavaMonitorEnter}: 2,722 events, all of request threads.
   */
  private static final double SECONDS_BLOCKED = 2_330.133;

  private static final Window ALWAYS =
      new Window(Instant.EPOCH, Instant.parse("2100-01-01T00:00:00Z"));

  @Test
  void waitsOfRequestThreadsAddUpBelowTheCodeThatWaits() {
    Timeline timeline = IncidentDiagnoses.timeline(Incidents.folder("desk-one-journal"));
    StackProfile waiting =
        timeline.samples(StackProfile.class).stream()
            .filter(one -> one.kind() == StackProfile.Kind.WAITING)
            .findFirst()
            .orElseThrow();
    Map<Integer, Long> forTheLock =
        waiting.within(ALWAYS).entrySet().stream()
            .filter(
                seen ->
                    waiting
                        .nodes()
                        .get(seen.getKey())
                        .frame()
                        .equals("waiting for a lock: desk.Journal"))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    assertEquals(
        SECONDS_BLOCKED,
        forTheLock.values().stream().mapToLong(Long::longValue).sum() / 1e9,
        0.001);
    Set<String> callers =
        forTheLock.keySet().stream()
            .map(node -> waiting.nodes().get(waiting.nodes().get(node).parent()))
            .map(StackProfile.Node::frame)
            .collect(Collectors.toSet());
    assertEquals(Set.of("desk.Journal.append"), callers);
  }
}
