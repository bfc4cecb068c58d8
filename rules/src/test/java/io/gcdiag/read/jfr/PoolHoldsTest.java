package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.PoolHold;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Doing;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Kind;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Time;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.PoolHolds.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class PoolHoldsTest {

  private static final Instant START = Instant.parse("2024-05-01T10:00:00Z");
  private static final String DATABASE = "db:5432";
  private static final String PARTNER = "partner:8080";

  /** From the outermost to the innermost frame: Shop.order borrows, and uses the connection. */
  private static final StackKind BORROW =
      stack(
          "TIMED_WAITING",
          "java.lang.Thread.run",
          "com.shop.Server.handle",
          "com.shop.Shop.order",
          "com.zaxxer.hikari.HikariDataSource.getConnection",
          "com.zaxxer.hikari.pool.HikariPool.getConnection",
          "com.zaxxer.hikari.util.ConcurrentBag.borrow",
          "java.util.concurrent.SynchronousQueue.poll");

  private static final StackKind QUERY =
      stack(
          "RUNNABLE",
          "java.lang.Thread.run",
          "com.shop.Server.handle",
          "com.shop.Shop.order",
          "org.postgresql.jdbc.PgStatement.executeQuery",
          "java.net.Socket$SocketInputStream.read");

  private static final StackKind CALL =
      stack(
          "RUNNABLE",
          "java.lang.Thread.run",
          "com.shop.Server.handle",
          "com.shop.Shop.order",
          "org.apache.hc.core5.http.impl.io.HttpRequestExecutor.execute",
          "java.net.Socket$SocketInputStream.read");

  private static final StackKind LATER =
      stack(
          "RUNNABLE",
          "java.lang.Thread.run",
          "com.shop.Server.handle",
          "com.shop.Mail.send",
          "org.apache.hc.core5.http.impl.io.HttpRequestExecutor.execute",
          "java.net.Socket$SocketInputStream.read");

  private static final StackKind IDLE =
      stack(
          "WAITING",
          "java.lang.Thread.run",
          "java.util.concurrent.ThreadPoolExecutor.getTask",
          "java.util.concurrent.LinkedBlockingQueue.take");

  private final PoolHolds holds = new PoolHolds("recording.jfr", FrameBook.standard());

  private static StackKind stack(String state, String... outermostFirst) {
    List<String> frames = new ArrayList<>(List.of(outermostFirst));
    Collections.reverse(frames);
    return FrameBook.standard().classify(frames, state, Optional.empty());
  }

  /** Nanoseconds since 1970 of so many milliseconds after the start. */
  private static long at(long millis) {
    return ThreadSpans.nanos(START) + nanos(millis);
  }

  private static long nanos(long millis) {
    return millis * 1_000_000;
  }

  private void borrowed(long thread, long from, long to) {
    holds.borrowed(thread, at(from), nanos(to - from), "HikariCP", BORROW, "jdk.ThreadPark");
    holds.step(
        thread,
        at(from),
        nanos(to - from),
        new Step(Optional.of(WaitKind.POOL), "HikariCP", BORROW));
  }

  private void step(long thread, long from, long to, WaitKind kind, String what, StackKind stack) {
    holds.step(thread, at(from), nanos(to - from), new Step(Optional.of(kind), what, stack));
  }

  private PoolHold hold() {
    List<PoolHold> all = holds.holds(instant -> 0.08, 0.02);
    assertEquals(1, all.size(), all::toString);
    return all.get(0);
  }

  private static double seconds(PoolHold hold, Kind kind, String what) {
    return hold.timed().getOrDefault(new Doing(kind, what), new Time(0, 0)).seconds();
  }

  @Test
  void whatAThreadDoesInsideTheBorrowingMethodItDoesWithTheConnectionInItsHands() {
    borrowed(1, 0, 100);
    step(1, 110, 140, WaitKind.DOWNSTREAM, DATABASE, QUERY);
    step(1, 150, 450, WaitKind.DOWNSTREAM, PARTNER, CALL);
    PoolHold hold = hold();
    assertEquals(1, hold.holds());
    // From 100 to the end of the last call at 450.
    assertEquals(0.350, hold.heldSeconds(), 1e-9);
    assertEquals(0.030, seconds(hold, Kind.OWN_CALL, DATABASE), 1e-9);
    assertEquals(0.300, seconds(hold, Kind.OTHER_CALL, PARTNER), 1e-9);
  }

  @Test
  void aTransactionOfTheContainerKeepsTheConnectionUntilItsEnd() {
    String[] request = {
      "java.lang.Thread.run",
      "com.shop.Server.handle",
      "com.shop.Shop_Subclass.order",
      "io.quarkus.narayana.jta.runtime.interceptor.TransactionalInterceptorBase.invokeInOurTx",
      "com.shop.Shop.order"
    };
    StackKind borrow =
        inside(
            request,
            "TIMED_WAITING",
            "com.shop.Orders.find",
            "io.agroal.pool.ConnectionPool.getConnection",
            "io.agroal.pool.ConnectionPool.handlerFromSharedCache",
            "java.util.concurrent.locks.LockSupport.parkNanos");
    StackKind query =
        inside(
            request,
            "RUNNABLE",
            "com.shop.Orders.find",
            "org.postgresql.jdbc.PgStatement.executeQuery",
            "java.net.Socket$SocketInputStream.read");
    StackKind call =
        inside(
            request,
            "RUNNABLE",
            "org.apache.hc.core5.http.impl.io.HttpRequestExecutor.execute",
            "java.net.Socket$SocketInputStream.read");
    holds.borrowed(1, at(0), nanos(100), "Agroal", borrow, "jdk.ThreadPark");
    step(1, 110, 140, WaitKind.DOWNSTREAM, DATABASE, query);
    // Orders.find has closed the connection; the transaction has it still.
    step(1, 150, 450, WaitKind.DOWNSTREAM, PARTNER, call);
    // After the transaction.
    step(1, 460, 500, WaitKind.DOWNSTREAM, PARTNER, LATER);
    PoolHold hold = hold();
    assertEquals(0.350, hold.heldSeconds(), 1e-9);
    assertEquals(0.030, seconds(hold, Kind.OWN_CALL, DATABASE), 1e-9);
    assertEquals(0.300, seconds(hold, Kind.OTHER_CALL, PARTNER), 1e-9);
  }

  private static StackKind inside(String[] outer, String state, String... inner) {
    List<String> frames = new ArrayList<>(List.of(outer));
    frames.addAll(List.of(inner));
    return stack(state, frames.toArray(String[]::new));
  }

  @Test
  void whatItDoesOutsideThatMethodAfterwardsIsNoHold() {
    borrowed(1, 0, 100);
    step(1, 110, 140, WaitKind.DOWNSTREAM, DATABASE, QUERY);
    step(1, 150, 450, WaitKind.DOWNSTREAM, PARTNER, LATER);
    PoolHold hold = hold();
    assertEquals(0.040, hold.heldSeconds(), 1e-9);
    assertEquals(0, seconds(hold, Kind.OTHER_CALL, PARTNER));
  }

  @Test
  void newWorkEndsAHoldAndSoDoesTheNextWaitForThePool() {
    borrowed(1, 0, 100);
    step(1, 110, 140, WaitKind.DOWNSTREAM, DATABASE, QUERY);
    step(1, 200, 200, WaitKind.IDLE, "", IDLE);
    // A request that found a free connection: nothing tells when it got it.
    step(1, 300, 340, WaitKind.DOWNSTREAM, DATABASE, QUERY);
    borrowed(1, 500, 600);
    step(1, 600, 650, WaitKind.DOWNSTREAM, DATABASE, QUERY);
    PoolHold hold = hold();
    assertEquals(2, hold.holds());
    assertEquals(0.040 + 0.050, hold.heldSeconds(), 1e-9);
  }

  @Test
  void whoIsWokenInVainAndWaitsAgainHasNotBorrowed() {
    borrowed(1, 0, 100);
    borrowed(1, 100, 300);
    step(1, 310, 340, WaitKind.DOWNSTREAM, DATABASE, QUERY);
    assertEquals(1, hold().holds());
  }

  @Test
  void samplesCountWithTheTimeTheyStandFor() {
    borrowed(1, 0, 100);
    step(1, 110, 110, WaitKind.DOWNSTREAM, "PostgreSQL", QUERY);
    holds.step(1, at(130), 0, new Step(Optional.empty(), "com.shop.Shop.order", QUERY));
    PoolHold hold = hold();
    assertEquals(0.08, hold.sampled().get(new Doing(Kind.OWN_CALL, "PostgreSQL")), 1e-9);
    assertEquals(0.02, hold.sampled().get(new Doing(Kind.COMPUTING, "com.shop.Shop.order")), 1e-9);
    assertEquals(0.030, hold.heldSeconds(), 1e-9);
  }

  @Test
  void withoutACallOnTheConnectionNothingTellsWhereItIsUsed() {
    borrowed(1, 0, 100);
    step(1, 150, 450, WaitKind.DOWNSTREAM, PARTNER, CALL);
    assertEquals(List.of(), holds.holds(instant -> 0.08, 0.02));
  }

  @Test
  void aHoldOverSeveralSecondsIsSpreadOverThem() {
    borrowed(1, 0, 500);
    step(1, 500, 2_500, WaitKind.DOWNSTREAM, DATABASE, QUERY);
    List<PoolHold> all = holds.holds(instant -> 0.08, 0.02);
    assertEquals(List.of(0.5, 1.0, 0.5), all.stream().map(PoolHold::heldSeconds).toList());
    assertEquals(List.of(1L, 0L, 0L), all.stream().map(PoolHold::holds).toList());
  }

  @Test
  void ofManyHoldsWholeSecondsAreLeftOutAndTheSharesStay() {
    // 120,000 holds, one every 10 ms: 5 ms, of which 2 ms in a call on the connection.
    for (int i = 0; i < 120_000; i++) {
      long from = 10L * i;
      borrowed(i % 4, from, from + 2);
      step(i % 4, from + 2, from + 4, WaitKind.DOWNSTREAM, DATABASE, QUERY);
      step(i % 4, from + 4, from + 7, WaitKind.DOWNSTREAM, PARTNER, CALL);
    }
    List<PoolHold> all = holds.holds(instant -> 0.08, 0.02);
    double held = all.stream().mapToDouble(PoolHold::heldSeconds).sum();
    double own = all.stream().mapToDouble(hold -> seconds(hold, Kind.OWN_CALL, DATABASE)).sum();
    assertTrue(held > 20 && held < 600, () -> "held " + held);
    assertEquals(0.4, own / held, 0.01);
  }
}
