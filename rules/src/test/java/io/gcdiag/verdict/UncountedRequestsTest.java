package io.gcdiag.verdict;

import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.ThreadGroupSample.GroupTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu.Kind;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.LateWakes;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.WindowRequest;
import io.gcdiag.sketches.CallSamples;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.verdict.Summary.UncountedRequests;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UncountedRequestsTest {

  private static final double TINY = 1e-9;
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** The JVM's share of two cores for a minute, and for the next. */
  private static IncidentBuilder computing(double baseline, double incident) {
    IncidentBuilder builder = incident().cpus(2);
    for (int second = 0; second < 60; second++) {
      builder.cpu(second, baseline, baseline + 0.05).cpu(60 + second, incident, incident + 0.05);
    }
    return builder;
  }

  private static Optional<UncountedRequests> of(IncidentBuilder builder) {
    return UncountedRequests.computing(builder.build());
  }

  @Test
  void computingThatGrewToMostOfTheMachineMayBeThatOfMoreRequestsOrOfLongerOnes() {
    UncountedRequests work = of(computing(0.1, 0.7)).orElseThrow();
    assertEquals(0.7, work.during(), TINY);
    assertEquals(0.1, work.before(), TINY);
  }

  private static Diagnosis diagnosis(IncidentBuilder builder) {
    builder.sample(CallSamples.at(1, 20, 0.1));
    builder.everythingRecorded();
    return Diagnoser.diagnose(
        builder.build().timeline(),
        Optional.of(WindowRequest.parse("60s..120s")),
        Optional.of(WindowRequest.parse("0s..60s")));
  }

  @Test
  void noServiceIsHealthyByIt() {
    Diagnosis diagnosis = diagnosis(computing(0.1, 0.7));
    assertEquals(Conclusion.UNDECIDED, diagnosis.conclusion());
    assertTrue(
        diagnosis
            .summary()
            .startsWith(
                "Work for requests takes 70.0 % of the CPU (before: 10.0 %), and no file counts"
                    + " requests: more of them, or more CPU time for each;"),
        diagnosis.summary());
    assertEquals(Conclusion.HEALTHY, diagnosis(computing(0.1, 0.15).resting()).conclusion());
  }

  /**
   * Threads in calls that no event shows, for a minute and for the next, of twenty of which events
   * show so many to wait for work.
   */
  private static IncidentBuilder calling(double baseline, double incident, double idle) {
    Duration all = Duration.ofSeconds(120);
    IncidentBuilder builder =
        incident()
            .cpus(2)
            .sample(new GroupTime(at(0), all, "http-N", "http-*", true, 2400, 120 * idle, 0))
            .sample(new ThreadGroupCpu(at(120), all, "http-*", Kind.REQUEST, 20, 0.001));
    for (int second = 2; second < 60; second++) {
      builder
          .sample(CallSamples.at(second, 50, baseline))
          .sample(CallSamples.at(60 + second, 50, incident));
    }
    return builder;
  }

  @Test
  void callsTooShortForEventsMayBeThoseOfMoreRequestsOrMoreForEach() {
    Diagnosis diagnosis = diagnosis(calling(0.05, 0.5, 19));
    assertEquals(Conclusion.UNDECIDED, diagnosis.conclusion());
    assertTrue(
        diagnosis.summary().contains("and no file counts requests: more of them, or more calls"),
        diagnosis.summary());
    assertEquals(Conclusion.HEALTHY, diagnosis(calling(0.4, 0.5, 19)).conclusion());
    // No thread is in a call while it waits for work: samples that say so are those of another
    // scale.
    assertEquals(Conclusion.HEALTHY, diagnosis(calling(0.05, 0.5, 19.9)).conclusion());
  }

  /** Others fill the machine from second 90 on, and timed waits end later by so much then. */
  private static IncidentBuilder filledByOthers(double millisLater) {
    IncidentBuilder builder = incident().cpus(2).resting();
    for (int second = 0; second < 120; second++) {
      builder.cpu(second, 0.05, second <= 90 ? 0.2 : 0.95);
    }
    for (double at : new double[] {70.5, 75.5, 80.5}) {
      builder.sample(wakes(at, 0.1)).sample(wakes(at + 25, 0.1 + millisLater));
    }
    return builder;
  }

  private static LateWakes wakes(double second, double lateMillis) {
    return new LateWakes(
        at(second),
        millis(100),
        10,
        millis(10 * lateMillis),
        millis(lateMillis),
        new Source(IncidentBuilder.RECORDING, "jdk.ThreadPark"));
  }

  @Test
  void norIsOneWhoseThreadsAreLaterWhileOthersFillTheMachine() {
    assertEquals(Conclusion.UNDECIDED, diagnosis(filledByOthers(0.4)).conclusion());
    assertEquals(Conclusion.HEALTHY, diagnosis(filledByOthers(0)).conclusion());
  }

  @Test
  void countedRequestsShowWhichItIs() {
    assertTrue(of(computing(0.1, 0.7).rate(100)).isEmpty());
    assertTrue(of(computing(0.1, 0.7).loadTest(100, 1, 2, 5)).isEmpty());
  }

  /** Threads that serve requests take up so many pieces of work a second in the incident. */
  private static IncidentBuilder taking(IncidentBuilder builder, int rounds) {
    Latencies.Counter some = new Latencies.Counter();
    IntStream.range(0, rounds).forEach(i -> some.add(millis(20)));
    for (int second = 60; second < 120; second++) {
      builder
          .sample(new WorkerTime(at(second), SECOND, "http-N", true, 8, 0, Map.of()))
          .sample(new WorkRounds(at(second), SECOND, "http-N", some.latencies(), some.latencies()));
    }
    return builder;
  }

  @Test
  void theRoundsOfTheThreadsThatServeThemBoundWhatEachComputes() {
    // 0.15 of two cores for 120 requests a second are 2.5 ms each, too little to be felt.
    assertTrue(of(taking(computing(0.02, 0.15), 120)).isEmpty());
    // For 90 it is 3.3 ms each.
    assertTrue(of(taking(computing(0.02, 0.15), 90)).isPresent());
  }

  @Test
  void whatRequestsWaitedForAsLongBeforeTheyNeed() {
    IncidentBuilder partner =
        incident().cpus(2).resting().waits(60, 0, 119, WaitKind.DOWNSTREAM, "partner", 300);
    assertEquals(Conclusion.HEALTHY, diagnosis(partner).conclusion());
    Diagnosis alone =
        Diagnoser.diagnose(partner.build().timeline(), Optional.empty(), Optional.empty());
    assertEquals(Conclusion.UNDECIDED, alone.conclusion());
  }

  @Test
  void whatIsNotNewForTheMostPartOrTakesNextToNoCoreIsNotInDoubt() {
    assertTrue(of(computing(0.5, 0.7)).isEmpty());
    // Of two cores 0.08 threads more compute, then 0.12.
    assertTrue(of(computing(0.02, 0.06)).isEmpty());
    assertTrue(of(computing(0.02, 0.08)).isPresent());
  }

  @Test
  void workOfOtherThreadsDelaysNoRequest() {
    // Of 70 % of the machine, threads of a job take 60 %, and those that serve requests 10 %.
    assertTrue(
        of(computing(0.1, 0.7)
                .sample(group("job-*", Kind.OTHER, 0.6))
                .sample(group("http-*", Kind.REQUEST, 0.1)))
            .isEmpty());
  }

  private static ThreadGroupCpu group(String name, Kind kind, double share) {
    return new ThreadGroupCpu(IncidentBuilder.at(80), Duration.ofSeconds(10), name, kind, 4, share);
  }
}
