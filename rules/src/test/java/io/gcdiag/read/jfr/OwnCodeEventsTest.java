package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.IncidentDiagnoses;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.OwnCode;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.fixtures.Incidents;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lines are those of the sources of the services, under {@code fixtures/lab/services}. */
@Tag("slow")
@Tag("incidents")
class OwnCodeEventsTest {

  private static Map<Spot, Long> seen(String incident, Activity activity) {
    Timeline timeline = IncidentDiagnoses.timeline(Incidents.folder(incident));
    List<OwnCode> code =
        timeline.samples(OwnCode.class).stream().filter(one -> one.activity() == activity).toList();
    assertEquals(1, code.size());
    return code.get(0).within(timeline.span());
  }

  private static Set<String> places(Map<Spot, Long> spots) {
    return spots.keySet().stream()
        .filter(Spot::own)
        .map(spot -> spot.place().toString())
        .collect(Collectors.toSet());
  }

  /** System.gc() stands in line 34 of Housekeeping. */
  @Test
  void aCallOfTheServiceHasItsLine() {
    assertEquals(
        Set.of("depot.Housekeeping.replaceBuffers:34"),
        places(seen("depot-scheduled-collect", Activity.COLLECTING)));
  }

  /** The monitor is that of the method append, which Journal.book calls; 26 is its first line. */
  @Test
  void aMonitorOfAMethodIsWantedWhereTheMethodBegins() {
    assertEquals(
        Set.of("desk.Journal.append:26"), places(seen("desk-one-journal", Activity.LOCKING)));
  }

  /** {@code jfr print --json} has the modifiers 33 for MonitorCard.pay: public and synchronized. */
  @Test
  void aVirtualThreadIsPinnedByTheSynchronizedMethodThatItBlocksIn() {
    Map<Spot, Long> pinned = seen("counter-pinned", Activity.PINNED);
    assertEquals(Set.of("counter.MonitorCard.pay:19"), places(pinned));
    assertEquals(
        Set.of("counter.Bank.confirm"),
        pinned.keySet().stream().map(Spot::subject).collect(Collectors.toSet()));
  }

  /** Letters.sent calls Partner.get, and the controller Letters. */
  @Test
  void theClassThatUsesAClientIsToldBesideTheOutermostOne() {
    Set<String> users =
        seen("claims-letters", Activity.CALLING).keySet().stream()
            .filter(spot -> spot.place().method().equals("claims.Partner.get"))
            .map(spot -> spot.user().method() + " < " + spot.caller().method())
            .collect(Collectors.toSet());
    assertEquals(Set.of("claims.Letters.sent < claims.ClaimController.letter"), users);
  }

  /** Timers start a thread each: new Timer(...) in Holds.hold stands in line 35. */
  @Test
  void aThreadIsStartedByTheCodeThatMadeItsTimer() {
    Map<Spot, Long> starts = seen("desk-threads-kept", Activity.STARTING_THREADS);
    Spot most =
        starts.entrySet().stream()
            .filter(entry -> entry.getKey().own())
            .max(Map.Entry.comparingByValue())
            .orElseThrow()
            .getKey();
    assertEquals("desk.Holds.hold:35", most.place().toString());
  }
}
