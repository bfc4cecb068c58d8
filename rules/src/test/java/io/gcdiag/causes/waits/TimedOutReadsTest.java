package io.gcdiag.causes.waits;

import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.refutes;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.jvm.JvmSample.ThrownExceptions;
import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.CallSamples;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A read that ends by its timeout throws, and has no event from JDK 22 on: measured with a socket
 * that waits 120 ms, JDK 17 writes {@code jdk.SocketRead} with {@code bytesRead = 0}, JDK 25
 * nothing. Samples meet the threads all the same.
 */
class TimedOutReadsTest {

  private static final String TIMEOUT = "java.net.SocketTimeoutException";

  /**
   * A minute of 20 requests a second that take 30 ms, a call of 20 ms each, then one of 20 requests
   * a second that wait 500 ms for an answer and fail. Events show the calls that were answered:
   * those before, and 100 ones after.
   */
  private static IncidentBuilder hung(String jdk) {
    IncidentBuilder incident =
        incident()
            .jdk(jdk)
            .recorded(Signal.SOCKET_READS, 10)
            .waits(1_200, 0, 60, WaitKind.DOWNSTREAM, "stock:80", 20)
            .waits(100, 60, 120, WaitKind.DOWNSTREAM, "stock:80", 20)
            .requests(20, 30, 530);
    for (int second = 0; second < 120; second++) {
      incident.sample(CallSamples.at(second, 10, second < 60 ? 0.4 : 10));
    }
    return incident;
  }

  private static List<Finding> examine(IncidentBuilder incident) {
    return new DownstreamTimeRule().examine(incident.build());
  }

  private static boolean clears(List<Finding> findings) {
    return findings.stream().anyMatch(finding -> refutes(finding, Hypothesis.SLOW_DOWNSTREAM));
  }

  @Test
  void readsThatTimeOutAreTheRemoteSides() {
    List<Finding> findings =
        examine(hung("25.0.3").sample(new ThrownExceptions(at(70), TIMEOUT, "Shop.ask", 90)));
    assertEquals(1, findings.size());
    // 100 x 20 ms / 60 s = 0.03 threads by events.
    assertEquals(
        "request threads in calls by samples: 0.4 -> 10 on average, of which events show 0.03:"
            + " reads end by their timeout, and such reads have no event on JDK 22 and later",
        findings.get(0).statement());
    // 500 ms longer at 20/s: 10 threads, of which samples show 9.6 more in calls.
    assertEquals(
        0.96, explains(findings.get(0), Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED), 0.02);
  }

  @Test
  void dumpsMeetCallsThatTimeOutAndTheseAreTheRemoteSidesAsWell() {
    IncidentBuilder dumped =
        hung("25.0.3")
            .sample(new ThrownExceptions(at(70), TIMEOUT, "Shop.ask", 90))
            .dump(80, 0, 10, 0, 5)
            .dump(100, 0, 10, 0, 5);
    // Of 10 threads in calls by samples events show 0.033; the dumps meet all of them.
    assertEquals(
        1 - 0.1 / 3 / 10,
        explains(examine(dumped).get(0), Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT),
        1e-3);
  }

  @Test
  void anApplicationLogShowsItAsWell() {
    LoggedError timeout =
        new LoggedError(
            at(70), LoggedError.Kind.CALL_TIMEOUT, "", "Shop.ask", new Source("app.log", "line 1"));
    assertTrue(
        examine(hung("22").sample(timeout))
            .get(0)
            .statement()
            .contains("reads end by their timeout"));
  }

  @Test
  void withoutExceptionsTheCallsThatAreRecordedClearNothing() {
    assertFalse(clears(examine(hung("25.0.3"))));
  }

  @Test
  void aJdkThatRecordsSuchReadsIsBelieved() {
    List<Finding> findings =
        examine(hung("17.0.15").sample(new ThrownExceptions(at(70), TIMEOUT, "Shop.ask", 90)));
    assertTrue(
        findings.stream().noneMatch(finding -> finding.statement().contains("timeout")),
        findings::toString);
  }

  @Test
  void aServiceThatIsAsBusyInCallsAsBeforeIsCleared() {
    IncidentBuilder same =
        incident()
            .jdk("25.0.3")
            .recorded(Signal.SOCKET_READS, 10)
            .waits(1_200, 0, 120, WaitKind.DOWNSTREAM, "stock:80", 20)
            .sample(new ThrownExceptions(at(70), TIMEOUT, "Shop.ask", 90));
    for (int second = 0; second < 120; second++) {
      same.sample(CallSamples.at(second, 10, 10));
    }
    assertTrue(clears(examine(same)));
  }

  @Test
  void callsThatAreGoneWhileReadsTimeOutAreALead() {
    // 20 calls a second before, none that returns after; virtual threads are in no sample.
    IncidentBuilder gone =
        incident()
            .jdk("25.0.3")
            .recorded(Signal.SOCKET_READS, 10)
            .waits(1_200, 0, 60, WaitKind.DOWNSTREAM, "stock:80", 20)
            .sample(new ThrownExceptions(at(70), "java.net.SocketException", "Shop.ask", 30))
            .sample(new ThrownExceptions(at(70), TIMEOUT, "Shop.ask", 90));
    Finding finding = examine(gone).get(0);
    assertTrue(supports(finding, Hypothesis.SLOW_DOWNSTREAM));
    assertTrue(
        finding
            .statement()
            .endsWith(
                "those that time out (90 of 120 recorded exceptions are "
                    + TIMEOUT
                    + ") are not recorded"),
        finding::statement);
  }
}
