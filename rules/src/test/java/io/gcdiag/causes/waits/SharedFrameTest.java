package io.gcdiag.causes.waits;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.Findings.value;
import static io.gcdiag.sketches.Findings.weakens;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.all;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.waits.NativeOrUnknownCause.UnknownWaitsRule;
import io.gcdiag.evidence.jvm.CpuSample.HardwareThreads;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.Threads;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SharedFrameTest {

  private static final String LATCH = "java.util.concurrent.CountDownLatch$Sync";

  private final Rule rule = new UnknownWaitsRule();

  private static List<ThreadState> at(
      String frame, int count, ThreadActivity activity, String subject) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                Threads.thread(
                    "http-" + frame + i,
                    "WAITING",
                    activity,
                    subject,
                    true,
                    Made.position(7, frame, ThreadPosition.UNKNOWN_CPU)))
        .toList();
  }

  private static List<ThreadState> atALatch(int count) {
    return at("com.shop.Orders.await", count, ThreadActivity.OTHER, LATCH);
  }

  /** Each is a task of its own, and none is known to serve requests. */
  @Test
  void mostVirtualThreadsOfAnUnknownServerAtOnePlaceAreALead() {
    List<ThreadState> dump =
        IntStream.range(0, 10)
            .mapToObj(
                i ->
                    new ThreadState(
                        "",
                        "WAITING",
                        i < 9 ? ThreadActivity.OTHER : ThreadActivity.IN_DOWNSTREAM_CALL,
                        i < 9 ? "java.util.concurrent.Semaphore$NonfairSync" : "",
                        false,
                        true,
                        Made.position(7, "com.shop.Vane.answer", ThreadPosition.UNKNOWN_CPU),
                        true,
                        false))
            .toList();
    Finding finding = only(rule, incident().dump(70, dump).dump(80, dump));
    assertEquals(
        "9 of 10 virtual threads at work are in one method, waiting "
            + "(java.util.concurrent.Semaphore$NonfairSync) at com.shop.Vane.answer; most of them are"
            + " there in 2 of 2 dumps",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.NATIVE_OR_UNKNOWN));
  }

  private static final List<ThreadState> ELSEWHERE =
      at("com.shop.Cart.add", 1, ThreadActivity.RUNNING, "");

  @Test
  void mostRequestThreadsAtALatchAreALead() {
    List<ThreadState> dump =
        all(atALatch(9), ELSEWHERE, at("com.shop.Idle", 20, ThreadActivity.IDLE, ""));
    Finding finding = only(rule, incident().dump(70, dump).dump(80, dump).dump(90, dump));
    assertEquals(
        "9 of 10 request threads at work are in one method, waiting "
            + "(java.util.concurrent.CountDownLatch$Sync) at com.shop.Orders.await; most of them are there in "
            + "3 of 3 dumps",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.NATIVE_OR_UNKNOWN));
    assertEquals(9, value(finding, "threads"));
  }

  @Test
  void aLoopThatDoesNotEndIsSaidFromOneDump() {
    Finding finding =
        only(rule, incident().dump(70, at("com.shop.Cache.get", 4, ThreadActivity.RUNNING, "")));
    assertEquals(
        "4 of 4 request threads at work are in one method, running at com.shop.Cache.get;"
            + " most of them are there in 1 of 1 dump",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.NATIVE_OR_UNKNOWN));
  }

  @Test
  void aWaitWithACauseOfItsOwnIsStatedAndNoLead() {
    Finding finding =
        only(
            rule,
            incident()
                .dump(70, at("com.shop.Db.q", 5, ThreadActivity.IN_DOWNSTREAM_CALL, "PostgreSQL")));
    assertTrue(
        finding.statement().contains("in a downstream call (PostgreSQL) at com.shop.Db.q"),
        finding::statement);
    assertTrue(weakens(finding, Hypothesis.NATIVE_OR_UNKNOWN));
  }

  @Test
  void halfOfTheThreadsAreNotMost() {
    assertSilent(
        rule,
        incident()
            .dump(70, all(atALatch(4), at("com.shop.Cart.add", 4, ThreadActivity.RUNNING, ""))));
  }

  @Test
  void aPlaceOfOneDumpInTwoIsLeftAgain() {
    assertSilent(
        rule,
        incident()
            .dump(70, atALatch(4))
            .dump(90, at("com.shop.Cart.add", 4, ThreadActivity.RUNNING, "")));
  }

  @Test
  void oneThreadAtWorkSharesItsPlaceWithNobody() {
    assertSilent(rule, incident().dump(70, atALatch(1)));
  }

  @Test
  void oneDumpWithNothingElseIsALeadForWhatMostOfThemWaitFor() {
    List<ThreadState> locked = at("com.shop.Log.write", 6, ThreadActivity.WAITING_FOR_LOCK, "Log");
    Finding alone = only(rule, incident().withoutBaseline().dump(70, all(locked, ELSEWHERE)));
    assertTrue(supports(alone, Hypothesis.LOCK_CONTENTION));
    Finding two =
        only(
            rule,
            incident()
                .withoutBaseline()
                .dump(70, all(locked, ELSEWHERE))
                .dump(90, all(locked, ELSEWHERE)));
    assertFalse(supports(two, Hypothesis.LOCK_CONTENTION));
    List<ThreadState> few = at("com.shop.Log.write", 4, ThreadActivity.WAITING_FOR_LOCK, "Log");
    Finding chance = only(rule, incident().withoutBaseline().dump(70, few));
    assertFalse(supports(chance, Hypothesis.LOCK_CONTENTION));
  }

  private static List<ThreadState> ofTheApplication(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                Threads.thread(
                    "job-" + i,
                    "BLOCKED",
                    ThreadActivity.WAITING_FOR_LOCK,
                    "Log",
                    false,
                    Made.position(7, "com.shop.Log.write", ThreadPosition.UNKNOWN_CPU)))
        .toList();
  }

  @Test
  void whereNoThreadIsKnownToServeRequestsOneDumpIsALead() {
    Finding alone = only(rule, incident().withoutBaseline().dump(70, ofTheApplication(6)));
    assertTrue(supports(alone, Hypothesis.LOCK_CONTENTION));
    assertEquals(6, value(alone, "threadsAtWork"));
  }

  /** Two dumps in which no request thread has work are none of the three that are asked. */
  @Test
  void dumpsWithoutRequestThreadsDoNotCount() {
    Finding finding =
        only(
            rule,
            incident()
                .dump(70, atALatch(4))
                .dump(80, ofTheApplication(6))
                .dump(90, ofTheApplication(6)));
    assertEquals(
        "4 of 4 request threads at work are in one method, waiting "
            + "(java.util.concurrent.CountDownLatch$Sync) at com.shop.Orders.await; most of them are there in "
            + "1 of 1 dump",
        finding.statement());
  }

  /** What is run inside a method does not tell its callers apart, and is named if all are in it. */
  @Test
  void threadsThatRunInDifferentMapsOfOneMethodAreAtOnePlace() {
    List<ThreadState> get =
        at("com.shop.Rates.of", 3, ThreadActivity.RUNNING, "java.util.HashMap.get");
    List<ThreadState> put =
        at("com.shop.Rates.of", 3, ThreadActivity.RUNNING, "java.util.HashMap.put");
    Finding both = only(rule, incident().dump(70, all(get, put)).dump(80, all(get, put)));
    assertEquals(
        "6 of 6 request threads at work are in one method, running at com.shop.Rates.of; most of"
            + " them are there in 2 of 2 dumps",
        both.statement());
    Finding one = only(rule, incident().dump(70, get).dump(80, get));
    assertEquals(
        "3 of 3 request threads at work are in one method, running (java.util.HashMap.get) at"
            + " com.shop.Rates.of; most of them are there in 2 of 2 dumps",
        one.statement());
  }

  @Test
  void moreThanTheLoadTestHadInProgressBeforeAreWhatChanged() {
    // Before 20/s x 10 ms = 0.2 requests in progress; now 9 of 10 wait at the latch.
    List<ThreadState> dump = all(atALatch(9), ELSEWHERE);
    Finding finding = only(rule, incident().dump(70, dump).dump(80, dump).requests(20, 10, 500));
    assertEquals(0.9, explains(finding, Hypothesis.NATIVE_OR_UNKNOWN, Effect.UNACCOUNTED), 1e-9);
    // 20/s x 450 ms = 9: as many as there were.
    Finding usual = only(rule, incident().dump(70, dump).dump(80, dump).requests(20, 450, 500));
    assertEquals(0, explains(usual, Hypothesis.NATIVE_OR_UNKNOWN, Effect.UNACCOUNTED));
    assertTrue(supports(usual, Hypothesis.NATIVE_OR_UNKNOWN));
  }

  @Test
  void whoWaitsForAFutureWaitsForTheWorkOfOthers() {
    List<ThreadState> dump =
        at(
            "com.shop.Orders.join",
            9,
            ThreadActivity.OTHER,
            "java.util.concurrent.CompletableFuture$Signaller");
    Finding finding = only(rule, incident().dump(70, dump).dump(80, dump).requests(20, 10, 500));
    assertEquals(0, explains(finding, Hypothesis.NATIVE_OR_UNKNOWN, Effect.UNACCOUNTED));
  }

  /**
   * Nine threads of 20 requests a second stand in a library's native method. On four cores they
   * would use all of them if they computed; the JVM uses 10 % of the machine.
   */
  @Test
  void threadsThatRunWithoutUsingCoresWaitInANativeCall() {
    List<ThreadState> dump =
        all(at("org.db.Native.step", 9, ThreadActivity.RUNNING, ""), ELSEWHERE);
    Finding waiting =
        only(
            rule,
            incident()
                .sample(new HardwareThreads(IncidentBuilder.at(0), 4))
                .cpu(90, 0.1, 0.2)
                .dump(70, dump)
                .dump(80, dump)
                .requests(20, 10, 500));
    assertEquals(0.9, explains(waiting, Hypothesis.NATIVE_OR_UNKNOWN, Effect.UNACCOUNTED), 1e-9);
    Finding computing =
        only(
            rule,
            incident()
                .sample(new HardwareThreads(IncidentBuilder.at(0), 4))
                .cpu(90, 0.6, 0.7)
                .dump(70, dump)
                .dump(80, dump)
                .requests(20, 10, 500));
    assertEquals(0, explains(computing, Hypothesis.NATIVE_OR_UNKNOWN, Effect.UNACCOUNTED));
    Finding crowded =
        only(
            rule,
            incident()
                .sample(new HardwareThreads(IncidentBuilder.at(0), 4))
                .cpu(90, 0.1, 1)
                .dump(70, dump)
                .dump(80, dump)
                .requests(20, 10, 500));
    assertEquals(0, explains(crowded, Hypothesis.NATIVE_OR_UNKNOWN, Effect.UNACCOUNTED));
  }
}
