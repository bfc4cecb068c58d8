package io.gcdiag.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Attribution;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.Causes;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.CrossCheck;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.Threads;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class RankingTest {

  static FindingBuilder finding(String rule) {
    return Finding.of(rule, "what " + rule + " saw").from(new Source("recording.jfr", "an event"));
  }

  static Finding explains(Hypothesis cause, double share) {
    return finding("rule-of-" + cause.id()).explains(cause, Effect.POOL_WAIT, share).build();
  }

  static Scene twoWait() {
    return Scene.of(60).waiting(WaitKind.POOL, "HikariCP", 0, 60, 2);
  }

  static List<Judgement> judge(
      MeasuredIncident incident, boolean impact, List<CrossCheck> checks, Finding... findings) {
    List<Finding> all = List.of(findings);
    Attribution attribution = new Attribution(incident.effects(), all);
    return Ranking.rank(
        incident,
        Causes.sensors(),
        all,
        attribution,
        new UserImpact(impact, false, true, ""),
        checks);
  }

  static List<Judgement> judge(Finding... findings) {
    return judge(twoWait().everythingRecorded().incident(), true, List.of(), findings);
  }

  static Judgement of(Hypothesis cause, List<Judgement> judgements) {
    return judgements.stream().filter(j -> j.hypothesis() == cause).findFirst().orElseThrow();
  }

  private static Verdict verdict(Hypothesis cause, List<Judgement> judgements) {
    return of(cause, judgements).verdict();
  }

  /** Three dumps, ten seconds apart: 4, 0 and 3 threads wait for clients, ten run. */
  static Verdict slowClients(double collectorSeconds) {
    IncidentBuilder builder = IncidentBuilder.incident().withoutBaseline();
    int[] waiting = {4, 0, 3};
    for (int i = 0; i < waiting.length; i++) {
      builder.dump(
          70 + 10 * i,
          Threads.all(
              Threads.serving(waiting[i], ThreadActivity.WAITING_FOR_CLIENT, "http", "a.B.send"),
              Threads.serving(9, ThreadActivity.RUNNING, "", "a.B.make"),
              List.of(
                  Threads.thread(
                      "qtp-1",
                      "RUNNABLE",
                      ThreadActivity.RUNNING,
                      "",
                      true,
                      Made.position(1, "a.B.make", 1_000_000)))),
          1 + i * collectorSeconds);
    }
    Finding finding =
        finding("client-wait").explains(Hypothesis.SLOW_CLIENTS, Effect.CLIENT_WAIT, 1).build();
    return verdict(Hypothesis.SLOW_CLIENTS, judge(builder.build(), true, List.of(), finding));
  }

  @Test
  void dumpsBetweenWhichTheCollectorWorkedNameNoSuspectByAHandfulOfThreads() {
    // 0.1 s in 10 s, and 6 s: of three dumps, one of which has none, the share may be 16 %.
    assertEquals(Verdict.PRIMARY_SUSPECT, slowClients(0.1));
    assertEquals(Verdict.CONTRIBUTING, slowClients(6));
  }

  @Test
  void theCauseOfMostOfTheTimeIsThePrimarySuspectAndOthersContribute() {
    List<Judgement> judgements =
        judge(
            explains(Hypothesis.SLOW_DOWNSTREAM, 0.2),
            explains(Hypothesis.MEMORY_PRESSURE, 0.6),
            explains(Hypothesis.LOCK_CONTENTION, 0.05));
    assertEquals(Hypothesis.MEMORY_PRESSURE, judgements.get(0).hypothesis());
    assertEquals(Verdict.PRIMARY_SUSPECT, judgements.get(0).verdict());
    assertEquals(OptionalDouble.of(0.6), judgements.get(0).share().explained());
    assertEquals(Hypothesis.SLOW_DOWNSTREAM, judgements.get(1).hypothesis());
    assertEquals(Verdict.CONTRIBUTING, judgements.get(1).verdict());
    // A twentieth is less than the tenth that is worth mentioning.
    assertEquals(Verdict.NOT_INDICATED, verdict(Hypothesis.LOCK_CONTENTION, judgements));
  }

  @Test
  void ofAPairThatIsNotSeparatedBothAreSuspectsIfBothExplainSomething() {
    Finding either =
        finding("queue")
            .explains(Hypothesis.THREAD_POOL_EXHAUSTED, Effect.POOL_WAIT, 0.5)
            .inseparable(
                Hypothesis.THREAD_POOL_EXHAUSTED, Hypothesis.SLOW_DOWNSTREAM, "compare the calls")
            .build();
    List<Judgement> judgements = judge(either, explains(Hypothesis.SLOW_DOWNSTREAM, 0.2));
    assertEquals(Hypothesis.THREAD_POOL_EXHAUSTED, judgements.get(0).hypothesis());
    assertEquals(Verdict.PRIMARY_SUSPECT, verdict(Hypothesis.SLOW_DOWNSTREAM, judgements));
    List<Judgement> alone = judge(either);
    assertEquals(Verdict.NOT_INDICATED, verdict(Hypothesis.SLOW_DOWNSTREAM, alone));
  }

  /**
   * Two threads wait for files for a minute, 120 s, and there is no baseline. Beside them five are
   * in calls, 300 s, and half of 0.1 + 300 / 120 is more than the 0.9 of the disk; beside one, 60
   * s, half of 0.1 + 60 / 120 is less.
   */
  @Test
  void withoutABaselineTimeInCallsWeighsAsMuchAsTimeInFiles() {
    Finding calls = finding("calls").supports(Hypothesis.SLOW_DOWNSTREAM).build();
    List<Judgement> many =
        judge(besideCalls(5), true, List.of(), files(Hypothesis.SLOW_DISK), calls);
    assertEquals(Verdict.CONTRIBUTING, verdict(Hypothesis.SLOW_DISK, many));
    assertEquals(Verdict.NOT_ENOUGH_DATA, verdict(Hypothesis.SLOW_DOWNSTREAM, many));
    List<Judgement> few =
        judge(besideCalls(1), true, List.of(), files(Hypothesis.SLOW_DISK), calls);
    assertEquals(Verdict.PRIMARY_SUSPECT, verdict(Hypothesis.SLOW_DISK, few));
    // A pause is no part of any request's work.
    assertEquals(
        Verdict.PRIMARY_SUSPECT,
        verdict(
            Hypothesis.MEMORY_PRESSURE,
            judge(besideCalls(5), true, List.of(), files(Hypothesis.MEMORY_PRESSURE), calls)));
  }

  private static MeasuredIncident besideCalls(int threads) {
    return Scene.of(60)
        .everythingRecorded()
        .waiting(WaitKind.FILE, "journal", 0, 60, 2)
        .waiting(WaitKind.DOWNSTREAM, "db:5432", 0, 60, threads)
        .incident();
  }

  private static Finding files(Hypothesis cause) {
    return finding("files").explains(cause, Effect.FILE_WAIT, 0.9).build();
  }

  @Test
  void theWholeCatalogueIsJudgedEachCauseOnce() {
    List<Judgement> judgements = judge();
    assertEquals(Hypothesis.catalogue().size(), judgements.size());
    assertEquals(
        Hypothesis.catalogue().size(),
        judgements.stream().map(Judgement::hypothesis).distinct().count());
  }

  @Test
  void causesThatCannotBeToldApartAreBothSuspects() {
    List<Judgement> judgements =
        judge(
            explains(Hypothesis.SLOW_DOWNSTREAM, 0.42), explains(Hypothesis.MEMORY_PRESSURE, 0.45));
    assertEquals(Verdict.PRIMARY_SUSPECT, verdict(Hypothesis.MEMORY_PRESSURE, judgements));
    assertEquals(Verdict.PRIMARY_SUSPECT, verdict(Hypothesis.SLOW_DOWNSTREAM, judgements));
    assertEquals(Hypothesis.MEMORY_PRESSURE, judgements.get(0).hypothesis());
  }

  @Test
  void aPlaceComesAfterACauseThatItIsNotToldApartFrom() {
    List<Judgement> judgements =
        judge(
            explains(Hypothesis.NATIVE_OR_UNKNOWN, 0.45),
            explains(Hypothesis.THREAD_POOL_EXHAUSTED, 0.42));
    assertEquals(Hypothesis.THREAD_POOL_EXHAUSTED, judgements.get(0).hypothesis());
    assertEquals(Hypothesis.NATIVE_OR_UNKNOWN, judgements.get(1).hypothesis());
    assertEquals(Verdict.PRIMARY_SUSPECT, judgements.get(1).verdict());
  }

  /** A share of 55 % by 20 samples may as well be a third: 0.55 less 1.28 x 0.11 is 0.41. */
  @Test
  void aCauseWhoseShareTheSamplesDoNotSeparateFromTheLargestIsASuspectAsWell() {
    List<Judgement> judgements =
        judge(
            finding("sampled")
                .explains(Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT, 0.55)
                .samples(20)
                .build(),
            explains(Hypothesis.MEMORY_PRESSURE, 0.43));
    assertEquals(Hypothesis.SLOW_DOWNSTREAM, judgements.get(0).hypothesis());
    assertEquals(Verdict.PRIMARY_SUSPECT, verdict(Hypothesis.MEMORY_PRESSURE, judgements));
    List<Judgement> measured =
        judge(
            explains(Hypothesis.SLOW_DOWNSTREAM, 0.55), explains(Hypothesis.MEMORY_PRESSURE, 0.43));
    assertEquals(Verdict.CONTRIBUTING, verdict(Hypothesis.MEMORY_PRESSURE, measured));
  }

  @Test
  void lessThanAQuarterMakesNoPrimarySuspect() {
    List<Judgement> judgements = judge(explains(Hypothesis.MEMORY_PRESSURE, 0.24));
    assertEquals(Verdict.NOT_ENOUGH_DATA, judgements.get(0).verdict());
  }

  /** Pauses at most account for so much of the waiting, and at least for that. */
  private static Finding passes(double most, double least) {
    return finding("between")
        .passes(Effect.POOL_WAIT, Effect.STOPPED, most, least, "requests queue during a pause")
        .explains(Hypothesis.MEMORY_PRESSURE, Effect.STOPPED, 1)
        .build();
  }

  @Test
  void whatMayExplainNothingIsNoPrimarySuspect() {
    assertEquals(
        Verdict.PRIMARY_SUSPECT, verdict(Hypothesis.MEMORY_PRESSURE, judge(passes(0.6, 0.1))));
    assertEquals(Verdict.CONTRIBUTING, verdict(Hypothesis.MEMORY_PRESSURE, judge(passes(0.6, 0))));
  }

  @Test
  void evidenceAgainstRulesOutWhatExplainsLittle() {
    List<Judgement> judgements =
        judge(
            explains(Hypothesis.MEMORY_PRESSURE, 0.6),
            finding("against").refutes(Hypothesis.HEAP_RESIZING).build(),
            finding("against-the-suspect").refutes(Hypothesis.MEMORY_PRESSURE).build());
    assertEquals(Verdict.RULED_OUT, verdict(Hypothesis.HEAP_RESIZING, judgements));
    assertEquals("what against saw", of(Hypothesis.HEAP_RESIZING, judgements).reason());
    assertEquals(Verdict.PRIMARY_SUSPECT, verdict(Hypothesis.MEMORY_PRESSURE, judgements));
  }

  @Test
  void whatCouldNotBeLookedForIsNotEnoughDataAndSaysWhatToRecord() {
    // Only parks and pauses were recorded.
    List<Judgement> judgements = judge(twoWait().incident(), true, List.of());
    Judgement lock = of(Hypothesis.LOCK_CONTENTION, judgements);
    assertEquals(Verdict.NOT_ENOUGH_DATA, lock.verdict());
    assertTrue(lock.missing().contains(Signal.MONITOR_WAITS), () -> "" + lock.missing());
    assertTrue(lock.reason().startsWith("needs "), lock::reason);
    assertEquals(Optional.empty(), lock.rating().confidence());
    assertEquals(OptionalDouble.empty(), lock.share().explained());
  }

  @Test
  void whatWasLookedForAndNotFoundIsNotIndicated() {
    Judgement lock = of(Hypothesis.LOCK_CONTENTION, judge());
    assertEquals(Verdict.NOT_INDICATED, lock.verdict());
    assertEquals("checked, not indicated", lock.reason());
    assertEquals(List.of(), lock.missing());
  }

  @Test
  void withoutIncidentNobodyIsASuspect() {
    List<Judgement> judgements =
        judge(
            twoWait().everythingRecorded().incident(),
            false,
            List.of(),
            explains(Hypothesis.MEMORY_PRESSURE, 0.9));
    assertFalse(
        judgements.stream()
            .anyMatch(
                j ->
                    j.verdict() == Verdict.PRIMARY_SUSPECT || j.verdict() == Verdict.CONTRIBUTING));
    assertTrue(judgements.stream().allMatch(j -> j.actions().isEmpty()));
  }

  @Test
  void onlySuspectsComeWithAnAction() {
    List<Judgement> judgements = judge(explains(Hypothesis.MEMORY_PRESSURE, 0.9));
    assertEquals(
        List.of(Causes.of(Hypothesis.MEMORY_PRESSURE).firstAction()), judgements.get(0).actions());
    assertTrue(judgements.stream().skip(1).allMatch(j -> j.actions().isEmpty()));
  }

  @Test
  void aFindingMayKnowBetterWhatToChange() {
    Finding kept =
        finding("kept")
            .explains(Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT, 1)
            .advises(Hypothesis.CONNECTION_LEAK, "give it back before the call")
            .build();
    assertEquals(List.of("give it back before the call"), judge(kept).get(0).actions());
  }

  @Test
  void theShareOfACauseThatIsSuspectedOnOtherGroundsIsShownAsWell() {
    List<Judgement> judgements =
        judge(
            explains(Hypothesis.SLOW_DOWNSTREAM, 0.6),
            finding("will-hurt").warns(Hypothesis.MEMORY_LEAK).build(),
            explains(Hypothesis.MEMORY_LEAK, 0.05),
            explains(Hypothesis.LOCK_CONTENTION, 0.03));
    assertEquals(Verdict.CONTRIBUTING, verdict(Hypothesis.MEMORY_LEAK, judgements));
    assertEquals(0.05, of(Hypothesis.MEMORY_LEAK, judgements).share().explained().orElse(0), 1e-9);
    // 60 + 5 + 3 % are shown, so that with the unexplained 32 % there are 100.
    double shown = judgements.stream().mapToDouble(j -> j.share().explained().orElse(0)).sum();
    assertEquals(0.68, shown, 1e-9);
  }

  @Test
  void whatSpeaksAgainstASuspectIsNoReasonForIt() {
    List<Judgement> judgements =
        judge(
            explains(Hypothesis.MEMORY_PRESSURE, 0.9),
            finding("doubt").weakens(Hypothesis.MEMORY_PRESSURE).build());
    assertEquals(2, judgements.get(0).findings().size());
    assertEquals(judgements.get(0).findings().get(0).statement(), judgements.get(0).reason());
  }

  @Test
  void aShareThatIsMoreThanChanceIsNotRuledOut() {
    // Shares are separated from 5 % on: so is one from none.
    List<Judgement> judgements =
        judge(
            explains(Hypothesis.MEMORY_PRESSURE, 0.6),
            explains(Hypothesis.HEAP_RESIZING, 0.08),
            explains(Hypothesis.LOCK_CONTENTION, 0.02),
            finding("against").refutes(Hypothesis.HEAP_RESIZING).build(),
            finding("against-locks").refutes(Hypothesis.LOCK_CONTENTION).build());
    assertEquals(Verdict.NOT_INDICATED, verdict(Hypothesis.HEAP_RESIZING, judgements));
    assertEquals(Verdict.RULED_OUT, verdict(Hypothesis.LOCK_CONTENTION, judgements));
  }

  private static Hypothesis firstNotIndicated(Finding... findings) {
    return judge(findings).stream()
        .filter(judgement -> judgement.verdict() == Verdict.NOT_INDICATED)
        .findFirst()
        .orElseThrow()
        .hypothesis();
  }

  @Test
  void ofCausesWithoutAShareThoseComeFirstThatMostIsKnownOf() {
    Finding lock = finding("lock").supports(Hypothesis.LOCK_CONTENTION).build();
    Finding disk = finding("disk").weakens(Hypothesis.SLOW_DISK).build();
    Finding again = finding("disk-again").weakens(Hypothesis.SLOW_DISK).build();
    // What something speaks for comes before what more speaks against, and both before the rest.
    assertEquals(Hypothesis.LOCK_CONTENTION, firstNotIndicated(disk, again, lock));
    assertEquals(Hypothesis.SLOW_DISK, firstNotIndicated(disk, again));
    Finding sleep = finding("sleep").weakens(Hypothesis.REQUESTS_SLEEP).build();
    assertEquals(Hypothesis.SLOW_DISK, firstNotIndicated(sleep, disk, again));
    assertEquals(
        Hypothesis.REQUESTS_SLEEP,
        firstNotIndicated(sleep, finding("more").weakens(Hypothesis.REQUESTS_SLEEP).build(), disk));
  }

  @Test
  void theMethodThatMostRequestsAreInIsALeadOnlyWhereNoCauseIsASuspect() {
    Finding method = finding("method").supports(Hypothesis.NATIVE_OR_UNKNOWN).build();
    assertEquals(Verdict.NOT_ENOUGH_DATA, verdict(Hypothesis.NATIVE_OR_UNKNOWN, judge(method)));
    assertEquals(Verdict.NOT_INDICATED, verdict(Hypothesis.NATIVE_OR_UNKNOWN, judge()));
    assertEquals(
        Verdict.NOT_INDICATED,
        verdict(
            Hypothesis.NATIVE_OR_UNKNOWN,
            judge(method, explains(Hypothesis.MEMORY_PRESSURE, 0.9))));
    Finding lock = finding("lock").supports(Hypothesis.LOCK_CONTENTION).build();
    assertEquals(Verdict.NOT_INDICATED, verdict(Hypothesis.LOCK_CONTENTION, judge(lock)));
  }

  @Test
  void whereMostOfTheTimeWasSpentInAQueueForNoReasonItsOwnCauseIsTheFirstLead() {
    // All of the lost time is spent in waits for a connection.
    Finding pool = finding("pool").supports(Hypothesis.CONNECTION_POOL_UNDERSIZED).build();
    Finding cpu = explains(Hypothesis.HOST_CPU_CONTENTION, 0.2);
    List<Judgement> judged = judge(cpu, pool);
    assertEquals(Verdict.NOT_ENOUGH_DATA, verdict(Hypothesis.CONNECTION_POOL_UNDERSIZED, judged));
    assertEquals(Hypothesis.CONNECTION_POOL_UNDERSIZED, judged.get(0).hypothesis());
    // Six tenths of it are explained: less than most stays.
    assertEquals(
        Verdict.NOT_INDICATED,
        verdict(
            Hypothesis.CONNECTION_POOL_UNDERSIZED,
            judge(explains(Hypothesis.HOST_CPU_CONTENTION, 0.6), pool)));
  }

  @Test
  void aProvenCauseIsTheSuspectAndWhatExplainsMostContributes() {
    Finding proof = finding("cycle").proves(Hypothesis.DEADLOCK).build();
    List<Judgement> judgements = judge(proof, explains(Hypothesis.MEMORY_PRESSURE, 0.9));
    assertEquals(Verdict.PRIMARY_SUSPECT, verdict(Hypothesis.DEADLOCK, judgements));
    assertEquals(Verdict.CONTRIBUTING, verdict(Hypothesis.MEMORY_PRESSURE, judgements));
    // It has no share, which is not the same as a share of nothing.
    assertEquals(OptionalDouble.empty(), of(Hypothesis.DEADLOCK, judgements).share().explained());
  }

  @Test
  void aProvenCauseIsNoSuspectWhereRequestsAreKnownToBeAsQuickAsEver() {
    Finding proof = finding("cycle").proves(Hypothesis.DEADLOCK).build();
    MeasuredIncident unknown = twoWait().everythingRecorded().incident();
    assertEquals(
        Verdict.PRIMARY_SUSPECT,
        verdict(Hypothesis.DEADLOCK, judge(unknown, false, List.of(), proof)));
    MeasuredIncident quick = twoWait().everythingRecorded().load(20, 10, 10, 11).incident();
    assertEquals(
        Verdict.NOT_INDICATED, verdict(Hypothesis.DEADLOCK, judge(quick, false, List.of(), proof)));
    assertEquals(
        Verdict.PRIMARY_SUSPECT,
        verdict(Hypothesis.DEADLOCK, judge(quick, true, List.of(), proof)));
  }

  @Test
  void sharesAtTheirBoundsCount() {
    // Two quarters leave a half unexplained, of which each is half.
    List<Judgement> quarters =
        judge(
            explains(Hypothesis.MEMORY_PRESSURE, 0.25), explains(Hypothesis.SLOW_DOWNSTREAM, 0.25));
    assertEquals(Verdict.PRIMARY_SUSPECT, verdict(Hypothesis.MEMORY_PRESSURE, quarters));
    assertEquals(Verdict.PRIMARY_SUSPECT, verdict(Hypothesis.SLOW_DOWNSTREAM, quarters));
    List<Judgement> small =
        judge(
            explains(Hypothesis.MEMORY_PRESSURE, 0.6),
            explains(Hypothesis.SLOW_DOWNSTREAM, 0.1),
            explains(Hypothesis.HEAP_RESIZING, 0.05),
            finding("against").refutes(Hypothesis.HEAP_RESIZING).build());
    assertEquals(Verdict.CONTRIBUTING, verdict(Hypothesis.SLOW_DOWNSTREAM, small));
    assertEquals(Verdict.NOT_INDICATED, verdict(Hypothesis.HEAP_RESIZING, small));
  }

  /** What no sensor would show stays open while measured latency is left for it. */
  @Test
  void whatNoSensorShowsStaysOpenUnlessOthersExplainTheMeasuredLatency() {
    Finding open = finding("blind-spot").leavesOpen(Hypothesis.LOCK_CONTENTION).build();
    Finding most = explains(Hypothesis.MEMORY_PRESSURE, 0.95);
    MeasuredIncident measured = twoWait().everythingRecorded().load(20, 100, 50, 500).incident();
    assertEquals(Verdict.NOT_ENOUGH_DATA, verdict(Hypothesis.LOCK_CONTENTION, judge(open)));
    assertEquals(Verdict.NOT_INDICATED, verdict(Hypothesis.LOCK_CONTENTION, judge(most)));
    assertEquals(Verdict.NOT_ENOUGH_DATA, verdict(Hypothesis.LOCK_CONTENTION, judge(open, most)));
    assertEquals(
        Verdict.NOT_INDICATED,
        verdict(Hypothesis.LOCK_CONTENTION, judge(measured, true, List.of(), open, most)));
    assertEquals(
        Verdict.NOT_ENOUGH_DATA,
        verdict(
            Hypothesis.LOCK_CONTENTION,
            judge(measured, true, List.of(), open, explains(Hypothesis.MEMORY_PRESSURE, 0.6))));
  }

  /** Whoever hands time on to what a cause explains is named after that cause's first finding. */
  @Test
  void theFindingThatHandsTimeToACauseIsShownWithIt() {
    Finding queue =
        finding("queue").passes(Effect.POOL_WAIT, Effect.STOPPED, 0.6, "they queue").build();
    Finding pauses =
        finding("pauses").explains(Hypothesis.MEMORY_PRESSURE, Effect.STOPPED, 1).build();
    Finding full = finding("full").supports(Hypothesis.MEMORY_PRESSURE).build();
    Judgement first = judge(queue, pauses, full).get(0);
    assertEquals(Hypothesis.MEMORY_PRESSURE, first.hypothesis());
    assertEquals(List.of(pauses, queue, full), first.findings());
    // A cause that is no suspect is not told whose time it would have.
    assertEquals(List.of(full), of(Hypothesis.MEMORY_PRESSURE, judge(queue, full)).findings());
  }

  @Test
  void aCauseThatWasLookedForAndNotFoundHasAShareOfNothing() {
    assertEquals(OptionalDouble.of(0), of(Hypothesis.LOCK_CONTENTION, judge()).share().explained());
    Finding busy = finding("busy").supports(Hypothesis.THREAD_POOL_EXHAUSTED, true).build();
    assertEquals(
        OptionalDouble.empty(),
        of(Hypothesis.THREAD_POOL_EXHAUSTED, judge(busy)).share().explained());
  }

  private static String surer(Scene scene) {
    Judgement first =
        judge(scene.incident(), true, List.of(), explains(Hypothesis.MEMORY_PRESSURE, 0.6)).get(0);
    assertEquals(Hypothesis.MEMORY_PRESSURE, first.hypothesis());
    return first.rating().surer();
  }

  private static Latencies tenRequests() {
    Latencies.Counter counter = new Latencies.Counter();
    for (int i = 0; i < 10; i++) {
      counter.add(Duration.ofMillis(20));
    }
    return counter.latencies();
  }

  @Test
  void whatWouldMakeItSurerIsTheEvidenceThatIsNotThereYet() {
    Scene noLatencies = twoWait().everythingRecorded();
    assertTrue(surer(noLatencies).startsWith("request latencies over time ("));
    Latencies[] minute = new Latencies[60];
    Arrays.fill(minute, tenRequests());
    assertEquals(
        "a run with only this changed", surer(twoWait().everythingRecorded().latencies(minute)));
  }
}
