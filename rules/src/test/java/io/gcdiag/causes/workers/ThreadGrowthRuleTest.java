package io.gcdiag.causes.workers;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.RECORDING;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.Causes;
import io.gcdiag.causes.cores.CpuLoadRule;
import io.gcdiag.causes.workers.ThreadLeakCause.ThreadGrowthRule;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadCount;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadTurnover;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.OwnCodeSketch;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ThreadGrowthRuleTest {

  private static final Source COUNTS = new Source(RECORDING, "jdk.JavaThreadStatistics");
  private static final Source STARTS = new Source(RECORDING, "jdk.ThreadStart");

  private final Rule rule = new ThreadGrowthRule();

  /** So many threads more each second of the incident. */
  private static IncidentBuilder growing(int perSecond) {
    IncidentBuilder incident = incident();
    for (int second = 0; second < 120; second++) {
      long active = 20 + Math.max(0, second - 60) * (long) perSecond;
      incident.sample(new ThreadCount(at(second), active, COUNTS));
    }
    return incident;
  }

  private static IncidentBuilder turnover(
      IncidentBuilder to, int from, int until, boolean pooled, int started, int ended) {
    for (int second = from; second < until; second++) {
      to.sample(
          new ThreadTurnover(
              at(second), "reminder-*", "Holds.hold", pooled, started, ended, STARTS));
    }
    return to;
  }

  @Test
  void threadsOfTheSameCodeThatDoNotEndAreALeak() {
    Finding finding = only(rule, turnover(growing(10), 60, 120, false, 10, 0));
    assertEquals(
        "20 -> 610 threads in the incident; Holds.hold started 600 threads "
            + "'reminder-*', of which none ended",
        finding.statement());
    assertEquals(600, value(finding, "slopePerMinute"), 1e-6);
    assertTrue(warns(finding, Hypothesis.THREAD_LEAK));
  }

  private static IncidentBuilder executors(int count, ThreadActivity activity) {
    return incident()
        .dump(
            70,
            IntStream.range(0, count)
                .mapToObj(i -> thread("pool-" + i + "-thread-1", "WAITING", activity, "", false))
                .toList());
  }

  /** No service has fifty executors with default names on purpose. */
  @Test
  void manyExecutorsWithoutANameAreALeadInASingleDump() {
    Finding finding = only(rule, executors(50, ThreadActivity.IDLE));
    assertEquals(
        "50 executors or timers without a name of their own in one dump (pool-0-thread-1 to"
            + " pool-49-thread-1), with 50 idle threads",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.THREAD_LEAK));
    assertSilent(rule, executors(49, ThreadActivity.IDLE));
    assertSilent(rule, executors(50, ThreadActivity.RUNNING));
  }

  /** Requests reach it from {@code shop.Page.show:12}. */
  private static String placeOf(String startedBy) {
    IncidentBuilder builder =
        turnover(growing(10), 60, 120, false, 10, 0)
            .sample(OwnCodeSketch.steady(Activity.STARTING_THREADS, 0, 10, startedBy));
    List<Finding> found = List.of(only(new ThreadGrowthRule(), builder));
    return Causes.advice(builder.build(), Causes.of(Hypothesis.THREAD_LEAK), found, "600 threads")
        .place()
        .orElseThrow()
        .toString();
  }

  @Test
  void whereALibraryStartsThemThePlaceIsWhereTheServiceCallsIt() {
    assertEquals("shop.Page.show:12", placeOf("com.timers.Ticker.start"));
    assertEquals(
        "shop.mail.Outbox.open:8, called by shop.Page.show:12", placeOf("shop.mail.Outbox.open"));
  }

  @Test
  void threadsThatEndAreNone() {
    Finding finding = only(rule, turnover(growing(0), 60, 120, false, 10, 10));
    assertTrue(refutes(finding, Hypothesis.THREAD_LEAK));
  }

  @Test
  void aStepIsNoSlopeAndItsIntervalSaysSo() {
    // 33 threads, and 113 in the last of four looks: +80 over 60 s, and any slope fits as well.
    IncidentBuilder incident =
        incident()
            .sample(new ThreadCount(at(60), 33, COUNTS))
            .sample(new ThreadCount(at(80), 33, COUNTS))
            .sample(new ThreadCount(at(100), 33, COUNTS))
            .sample(new ThreadCount(at(119), 113, COUNTS));
    Finding finding = only(rule, incident);
    assertTrue(
        finding
            .statement()
            .startsWith("33 -> 113 threads in the incident, no significant slope: -"),
        finding.statement());
    assertTrue(refutes(finding, Hypothesis.THREAD_LEAK));
  }

  @Test
  void aPoolGrowsToItsBound() {
    Finding finding = only(rule, turnover(growing(10), 60, 120, true, 10, 0));
    assertTrue(weakens(finding, Hypothesis.THREAD_LEAK));
    // 20 a second for a minute: 1,200, more than any pool has.
    assertTrue(
        warns(only(rule, turnover(growing(20), 60, 120, true, 20, 0)), Hypothesis.THREAD_LEAK));
  }

  @Test
  void threadsStartedWithinMomentsAreAServersOwn() {
    // 100 in the first 10 s of the incident, none in the next 50: one quarter of four.
    Finding finding = only(rule, turnover(growing(2), 60, 70, false, 10, 0));
    assertTrue(weakens(finding, Hypothesis.THREAD_LEAK));
  }

  @Test
  void whatTheyTakeOfTheCpuIsTheirs() {
    // The service grew by 80 % of the machine; its threads used 90 % of all threads' CPU time,
    // three quarters of which are kept ones: 0.75 x 0.9 / 0.8 = 0.84375 of the growth.
    IncidentBuilder incident = turnover(growing(10), 60, 120, false, 10, 0).cpus(2);
    for (int second = 0; second < 120; second++) {
      double jvm = second < 60 ? 0.1 : 0.9;
      incident.cpu(second, jvm, jvm + 0.05);
    }
    for (int second = 70; second < 120; second += 10) {
      cpu(incident, second, "reminder-*", 0.675);
      cpu(incident, second, "http-*", 0.225);
    }
    Finding finding = only(new CpuLoadRule(), incident);
    assertEquals(0.84375, explains(finding, Hypothesis.THREAD_LEAK, Effect.CPU_QUEUE), 1e-9);
    assertEquals(1 - 0.84375, explains(finding, Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE), 1e-9);
  }

  private static void cpu(IncidentBuilder to, int second, String group, double share) {
    to.sample(
        new ThreadGroupCpu(
            at(second), Duration.ofSeconds(10), group, ThreadGroupCpu.Kind.OTHER, 5, share));
  }

  @Test
  void withoutCountsThereIsNothingToSay() {
    assertSilent(rule, incident());
  }
}
