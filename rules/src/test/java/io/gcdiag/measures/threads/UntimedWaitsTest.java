package io.gcdiag.measures.threads;

import static io.gcdiag.sketches.IncidentBuilder.CALM;
import static io.gcdiag.sketches.IncidentBuilder.TROUBLE;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.evidence.jvm.CpuSample.ContextSwitches;
import io.gcdiag.evidence.threads.ThreadGroupSample.GroupTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu.Kind;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.HiddenTime;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.sketches.IncidentBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UntimedWaitsTest {

  private static final double TINY = 1e-9;

  private static final Duration TEN = Duration.ofSeconds(10);

  /** Twenty threads on two cores; in the incident, of ten seconds so many in events. */
  private static IncidentBuilder twenty(double waited, double inNative, double cpuShare) {
    IncidentBuilder builder = incident().cpus(2).recorded(Signal.THREAD_PARKS, 20);
    for (int second = 0; second < 120; second += 10) {
      boolean baseline = second < 60;
      builder
          .sample(workers(second, baseline ? 198 : waited, baseline ? 0 : inNative))
          .sample(cpu(second + 10, "exec-*", Kind.REQUEST, baseline ? 0.1 : cpuShare));
    }
    return builder;
  }

  private static GroupTime workers(int second, double waited, double inNative) {
    return new GroupTime(at(second), TEN, "exec-N", "exec-*", true, 200, waited, inNative);
  }

  private static ThreadGroupCpu cpu(int second, String group, Kind kind, double share) {
    return new ThreadGroupCpu(at(second), TEN, group, kind, 20, share);
  }

  private static IncidentBuilder inCalls(IncidentBuilder to, int from, double threads) {
    for (int second = from; second < from + 60; second += 10) {
      to.sample(
          Made.sampled(
              at(second),
              TEN,
              Optional.of(WaitKind.DOWNSTREAM),
              "PostgreSQL",
              "Shop.load",
              "exec-N",
              true,
              100,
              threads));
    }
    return to;
  }

  private static UntimedWaits during(IncidentBuilder builder) {
    return UntimedWaits.of(builder.build().timeline(), TROUBLE).orElseThrow();
  }

  @Test
  void whatNoEventAndNoCpuTimeAccountsForIsABound() {
    // 20 threads: 15 in parks, 1 in socket reads, 0.3 x 2 cores computing. 3.4 are left.
    UntimedWaits untimed = during(twenty(150, 10, 0.3));
    assertEquals(20, untimed.present(), TINY);
    assertEquals(20 - 15 - 1 - 0.6, untimed.threads(), TINY);
    assertEquals(0, untimed.shortCalls(), TINY);
    // In the baseline: 19.8 in parks, 0.2 computing.
    UntimedWaits baseline =
        UntimedWaits.of(twenty(150, 10, 0.3).build().timeline(), CALM).orElseThrow();
    assertEquals(0, baseline.threads(), TINY);
  }

  @Test
  void samplesTellHowMuchOfItAreShortCalls() {
    // Samples find 3 threads in calls, events show 1 of them.
    UntimedWaits untimed = during(inCalls(twenty(150, 10, 0.3), 60, 3));
    assertEquals(2, untimed.shortCalls(), TINY);
    // Good to a quarter: 1.5 of the 3.4 for sure. None of these was there before.
    UntimedWaits baseline = UntimedWaits.of(twenty(150, 10, 0.3).build().timeline(), CALM).get();
    assertEquals(3.4, untimed.moreAtMost(Optional.of(baseline)), TINY);
    // As many before: they are usual, and the rest is the bound.
    assertEquals(1.9, untimed.moreAtMost(Optional.of(untimed)), TINY);
    assertEquals(1.9, untimed.moreAtMost(Optional.empty()), TINY);
  }

  @Test
  void contextSwitchesBoundShortWaits() {
    // 100 switches a second, each wait shorter than 20 ms: 2 threads at most.
    IncidentBuilder builder = twenty(50, 0, 0.5);
    builder.sample(new ContextSwitches(at(70), Duration.ofSeconds(10), 100));
    UntimedWaits untimed = during(builder);
    assertEquals(14, untimed.threads(), TINY);
    assertEquals(2, untimed.shortWaits().orElseThrow(), TINY);
    assertEquals(12, untimed.queuedAtLeast(), TINY);
  }

  @Test
  void onFullCoresTheyWaitForOne() {
    IncidentBuilder builder =
        twenty(50, 0, 0.5).sample(new ContextSwitches(at(70), Duration.ofSeconds(10), 100));
    for (int i = 60; i < 120; i++) {
      builder.cpu(i, 0.5, 1);
    }
    MeasuredIncident incident = builder.build();
    assertEquals(12, incident.effects().during(Effect.CPU_QUEUE), TINY);
    // 14 in the incident and none before; 12 of them are booked.
    HiddenTime hidden = incident.hidden().orElseThrow();
    assertEquals(2, hidden.more(), TINY);
  }

  @Test
  void noMoreThreadsWaitForACoreThanAreInNoRecordedWait() {
    // By the load alone 7.67 would; but of 20 threads all but 0.4 are in recorded waits.
    IncidentBuilder builder = twenty(178, 0, 0.9);
    for (int i = 60; i < 120; i++) {
      builder.cpu(i, 0.9, 1);
    }
    assertEquals(0.4, builder.build().effects().during(Effect.CPU_QUEUE), TINY);
  }

  @Test
  void coresFullOfOthersWorkAreNoWaitOfRequests() {
    // The service has a tenth of the cores: 14 threads are in no recorded state, and idle perhaps.
    IncidentBuilder builder = twenty(50, 0, 0.5);
    for (int i = 60; i < 120; i++) {
      builder.cpu(i, 0.1, 1);
    }
    assertEquals(0, builder.build().effects().during(Effect.CPU_QUEUE), TINY);
  }

  @Test
  void moreThanATenthOfTheTimeMayBeHidden() {
    assertTrue(twenty(40, 0, 0.3).build().hidden().orElseThrow().isNotable());
    // Of 20 threads all but 0.4 are in recorded waits.
    assertFalse(twenty(178, 0, 0.9).build().hidden().orElseThrow().isNotable());
  }

  @Test
  void aLoadTestsLatencyOverTimeSaysMore() {
    IncidentBuilder builder = twenty(40, 0, 0.3).requests(100, 10, 200);
    assertTrue(builder.build().hidden().isEmpty());
  }

  @Test
  void nothingIsSaidOfEventLoops() {
    // Nine tenths of the CPU for requests is that of loops.
    IncidentBuilder builder = twenty(150, 10, 0.03);
    for (int second = 70; second <= 120; second += 10) {
      builder.sample(cpu(second, "loop-*", Kind.REQUEST, 0.3));
    }
    assertTrue(UntimedWaits.of(builder.build().timeline(), TROUBLE).isEmpty());
    assertTrue(UntimedWaits.of(incident().build().timeline(), TROUBLE).isEmpty());
  }

  /** Loops use 0.6 of two cores, the workers 0.06 for so many rounds a second. */
  private static Optional<UntimedWaits> handedOver(int rounds) {
    IncidentBuilder builder = twenty(190, 0, 0.03);
    Latencies.Counter lengths = new Latencies.Counter();
    for (int i = 0; i < rounds; i++) {
      lengths.add(IncidentBuilder.millis(1));
    }
    Latencies all = lengths.latencies();
    for (int second = 60; second < 120; second++) {
      Duration one = Duration.ofSeconds(1);
      builder
          .sample(new WorkerTime(at(second), one, "exec-N", true, 20, 0, Map.of()))
          .sample(new WorkRounds(at(second), one, "exec-N", all, all));
    }
    for (int second = 70; second <= 120; second += 10) {
      builder.sample(cpu(second, "loop-*", Kind.REQUEST, 0.3));
    }
    return UntimedWaits.of(builder.build().timeline(), TROUBLE);
  }

  @Test
  void eventLoopsThatOnlyHandRequestsOverDoNoWorkOfTheirOwn() {
    // 0.6 s a second for 700 rounds are 0.86 ms each, for 500 rounds 1.2 ms.
    assertTrue(handedOver(500).isEmpty());
    UntimedWaits untimed = handedOver(700).orElseThrow();
    assertEquals(20 - 19 - 0.06, untimed.threads(), TINY);
    assertFalse(untimed.ofAll());
  }

  @Test
  void noMoreThreadsAreInShortCallsThanInNoRecordedState() {
    // Samples find 3 threads in calls; 15 park, 1 reads by events, 0.6 compute: 3.4 are left.
    assertEquals(
        3, SampledCalls.hidden(inCalls(twenty(150, 10, 0.3), 60, 3).build().timeline(), TROUBLE));
    // 18.6 park: 0.1 of 20 is left.
    assertEquals(
        20 - 18.6 - 1 - 0.3,
        SampledCalls.hidden(inCalls(twenty(186, 10, 0.15), 60, 3).build().timeline(), TROUBLE),
        TINY);
  }
}
