package io.gcdiag.causes.waits;

import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.passes;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.Findings.value;
import static io.gcdiag.sketches.Findings.weakens;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.serving;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.Threads;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WaitFindingTest {

  private static Optional<Finding> find(IncidentBuilder builder) {
    return all(builder).stream().findFirst();
  }

  private static List<Finding> all(IncidentBuilder builder) {
    return new WaitFinding("client-wait", Effect.CLIENT_WAIT, Hypothesis.SLOW_CLIENTS)
        .findings(builder.build(), "; more", Optional.empty());
  }

  private static List<ThreadState> threads(int waiting, int running) {
    return Threads.all(
        serving(waiting, ThreadActivity.WAITING_FOR_CLIENT, "Tomcat", "com.acme.Files.send"),
        serving(running, ThreadActivity.RUNNING, "", "com.acme.Files.find"));
  }

  @Test
  void recordedWaitsThatGrewAreExplained() {
    // 30 of 20 ms in the minute before are 0.01 threads, 60 of 1 s in the minute are 1.
    Finding finding =
        find(incident()
                .waits(30, 0, 60, WaitKind.CLIENT, "Tomcat", 20)
                .waits(60, 60, 119, WaitKind.CLIENT, "Tomcat", 1_000))
            .orElseThrow();
    assertEquals(
        "request threads spent 60 s waiting for a slow client (Tomcat), most at Shop.order, 60 times of"
            + " 1 s on average; more",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.SLOW_CLIENTS, Effect.CLIENT_WAIT), 1e-9);
    assertEquals(1, value(finding, "threadsWaiting"), 0.02);
    assertEquals(0.01, value(finding, "threadsWaitingBefore"), 1e-9);
  }

  @Test
  void dumpsThatShowTheSameByThemselvesAreEvidenceOfTheirOwn() {
    // 60 x 17 waits of 1 s in the minute are 17 threads, as many as in each of two dumps.
    List<Finding> findings =
        all(
            incident()
                .waits(60 * 17, 60, 119, WaitKind.CLIENT, "Tomcat", 1_000)
                .dump(70, threads(17, 3))
                .dump(90, threads(17, 3)));
    assertEquals(
        List.of("recording.jfr", "threads.txt"),
        findings.stream().map(finding -> finding.sources().get(0).file()).toList());
    assertTrue(supports(findings.get(1), Hypothesis.SLOW_CLIENTS));
    assertEquals(0, explains(findings.get(1), Hypothesis.SLOW_CLIENTS, Effect.CLIENT_WAIT));
  }

  @Test
  void noMoreInDumpsThanInThoseOfTheBaselineIsEvidenceAgainst() {
    Finding finding =
        find(incident()
                .dump(20, threads(17, 3))
                .dump(40, threads(17, 3))
                .dump(70, threads(17, 3))
                .dump(90, threads(17, 3)))
            .orElseThrow();
    assertTrue(weakens(finding, Hypothesis.SLOW_CLIENTS));
  }

  @Test
  void tooFewThreadsToDelayOthersSayNothing() {
    assertEquals(
        Optional.empty(),
        find(incident().withoutBaseline().dump(70, threads(0, 5)).dump(90, threads(0, 4))));
    // 10 of 500 ms in a minute are 0.08 threads.
    assertEquals(
        Optional.empty(), find(incident().waits(10, 60, 119, WaitKind.CLIENT, "Tomcat", 500)));
  }

  /** Requests that wait 300 s in a library in which another one has 30 s of I/O at that frame. */
  private static Finding committed(String frame) {
    IncidentBuilder builder = incident();
    for (int i = 0; i < 300; i++) {
      builder.waited(
          new WaitSite(WaitKind.OTHER, "Group", true, "org.store.log.Group.await"),
          60 + i / 5.0,
          1_000);
      builder.waited(new WaitSite(WaitKind.FILE, "data.log", true, frame), 60 + i / 5.0, 100);
    }
    return new WaitFinding("unknown-waits", Effect.OTHER_WAIT, Hypothesis.NATIVE_OR_UNKNOWN)
        .findings(builder.build(), "", Optional.empty())
        .get(0);
  }

  @Test
  void whoWaitsForTheForceOfAGroupWaitsForTheDisk() {
    Finding group = committed("org.store.log.Files.force");
    assertEquals(1, passes(group, Effect.OTHER_WAIT, Effect.FILE_WAIT), 1e-9);
    assertEquals(0, explains(group, Hypothesis.NATIVE_OR_UNKNOWN, Effect.OTHER_WAIT), 1e-9);
    // A write is over when the system has it, and another library forces nothing for this one.
    for (String frame : List.of("org.store.log.Files.write", "com.shop.Audit.force")) {
      assertEquals(0, passes(committed(frame), Effect.OTHER_WAIT, Effect.FILE_WAIT), 1e-9);
    }
  }
}
