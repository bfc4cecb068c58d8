package io.gcdiag.read.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who waits for a time to pass: in limiters, between two tries, in {@code Thread.sleep}. */
class FrameBookLimitersTest {

  private static final FrameBook BOOK = FrameBook.standard();
  private static final String PARK =
      "jdk.internal.misc.Unsafe.park java.util.concurrent.locks.LockSupport.parkNanos ";
  private static final String SLEEP = "java.lang.Thread.sleep java.util.concurrent.TimeUnit.sleep ";
  private static final String APP =
      " com.acme.Orders.list org.apache.catalina.core.StandardWrapperValve.invoke"
          + " java.lang.Thread.run";

  private static StackKind classify(String frames, String state, Optional<String> parkedClass) {
    return BOOK.classify(List.of(frames.trim().split("\\s+")), state, parkedClass);
  }

  private static void expect(WaitKind wait, String name, ThreadActivity activity, String frames) {
    StackKind kind = classify(frames, "TIMED_WAITING", Optional.empty());
    assertEquals(wait, kind.waitsFor());
    assertEquals(name, kind.name());
    assertEquals("com.acme.Orders.list", kind.top());
    assertEquals(
        activity, BOOK.activity(kind, List.of(frames.split("\\s+")), "TIMED_WAITING"), frames);
  }

  @ParameterizedTest
  @CsvSource({
    "Resilience4j RateLimiter,"
        + " io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter.waitForPermission"
        + " io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter.acquirePermission"
        + " io.github.resilience4j.ratelimiter.RateLimiter.waitForPermission",
    "Bucket4j, io.github.bucket4j.BlockingStrategy$1.park"
        + " io.github.bucket4j.AbstractBucket$1.consume",
    "Bucket4j, io.github.bucket4j.UninterruptibleBlockingStrategy$1.parkUninterruptibly"
        + " io.github.bucket4j.AbstractBucket$1.consumeUninterruptibly"
  })
  void aLimiterThatParksKeepsItsCallersAsleep(String name, String limiter) {
    expect(WaitKind.SLEEP, name, ThreadActivity.SLEEPING, PARK + limiter + APP);
  }

  @ParameterizedTest
  @CsvSource({
    "Guava RateLimiter, com.google.common.util.concurrent.Uninterruptibles.sleepUninterruptibly"
        + " com.google.common.util.concurrent.RateLimiter$SleepingStopwatch$1"
        + ".sleepMicrosUninterruptibly com.google.common.util.concurrent.RateLimiter.acquire",
    "Spring Retry, org.springframework.retry.backoff.ThreadWaitSleeper.sleep"
        + " org.springframework.retry.backoff.FixedBackOffPolicy.doBackOff"
        + " org.springframework.retry.support.RetryTemplate.doExecute",
    "Sentinel,"
        + " com.alibaba.csp.sentinel.slots.block.flow.controller.ThrottlingController.canPass"
  })
  void aLimiterOrRetryThatSleepsHasItsName(String name, String limiter) {
    expect(WaitKind.SLEEP, name, ThreadActivity.SLEEPING, SLEEP + limiter + APP);
  }

  @ParameterizedTest
  @CsvSource({
    "Apache HttpClient 5 retry, org.apache.hc.core5.util.TimeValue.sleep"
        + " org.apache.hc.client5.http.impl.classic.HttpRequestRetryExec.pause"
        + " org.apache.hc.client5.http.impl.classic.HttpRequestRetryExec.execute"
        + " org.apache.hc.client5.http.impl.classic.ExecChainElement.execute"
        + " org.apache.hc.client5.http.impl.classic.ExecChainElement$$Lambda.proceed"
        + " org.apache.hc.client5.http.impl.classic.CloseableHttpClient.execute",
    "Apache HttpClient 4 retry, org.apache.http.impl.execchain.ServiceUnavailableRetryExec.execute"
        + " org.apache.http.impl.client.CloseableHttpClient.execute",
    "Failsafe retry, dev.failsafe.internal.RetryPolicyExecutor.lambda$apply$0"
        + " dev.failsafe.SyncExecutionImpl.executeSync dev.failsafe.FailsafeExecutor.call"
        + " dev.failsafe.FailsafeExecutor.get"
  })
  void aClientThatSleepsBetweenTwoTriesWaitsForNobody(String name, String client) {
    expect(WaitKind.SLEEP, name, ThreadActivity.SLEEPING, SLEEP + client + APP);
  }

  @Test
  void aClientThatClosesIdleConnectionsFromTimeToTimeIsIdle() {
    String evictor =
        SLEEP
            + "org.apache.hc.core5.util.TimeValue.sleep"
            + " org.apache.hc.client5.http.impl.IdleConnectionEvictor.lambda$new$0"
            + " org.apache.hc.client5.http.impl.IdleConnectionEvictor$$Lambda.run"
            + " java.lang.Thread.run";
    assertEquals(WaitKind.IDLE, classify(evictor, "TIMED_WAITING", Optional.empty()).waitsFor());
  }

  @Test
  void whatIsDoneAgainDoesNotPauseBetweenTwoTries() {
    String guarded =
        SLEEP
            + "com.acme.Stock.poll dev.failsafe.internal.RetryPolicyExecutor.lambda$apply$0"
            + " dev.failsafe.FailsafeExecutor.get"
            + APP;
    StackKind kind = classify(guarded, "TIMED_WAITING", Optional.empty());
    assertEquals(WaitKind.SLEEP, kind.waitsFor());
    assertEquals("com.acme.Stock.poll", kind.top());
    assertEquals(Optional.empty(), kind.limiter());
  }

  @Test
  void aLimiterThatParksOnASemaphoreIsNoLock() {
    StackKind kind =
        classify(
            PARK
                + "java.util.concurrent.Semaphore.tryAcquire"
                + " io.github.resilience4j.ratelimiter.internal.SemaphoreBasedRateLimiter"
                + ".acquirePermission"
                + APP,
            "TIMED_WAITING",
            Optional.of("java.util.concurrent.Semaphore$NonfairSync"));
    assertEquals(WaitKind.SLEEP, kind.waitsFor());
    assertEquals(Optional.of("Resilience4j RateLimiter"), kind.limiter());
  }

  @Test
  void sleepingOfTheServicesOwnHasNoNameButAPlace() {
    expect(WaitKind.SLEEP, "", ThreadActivity.SLEEPING, SLEEP + APP.trim());
    StackKind kind = classify(SLEEP + APP.trim(), "TIMED_WAITING", Optional.empty());
    assertEquals(Optional.empty(), kind.limiter());
  }

  @Test
  void whoRunsWhatAnExecutorRejectedIsKnown() {
    String call = "java.net.SocketInputStream.socketRead0 com.acme.Prices.ask ";
    String rejected =
        "java.util.concurrent.FutureTask.run"
            + " java.util.concurrent.ThreadPoolExecutor$CallerRunsPolicy.rejectedExecution"
            + " java.util.concurrent.ThreadPoolExecutor.execute";
    assertTrue(classify(call + rejected + APP, "RUNNABLE", Optional.empty()).overflow());
    assertFalse(classify(call + APP, "RUNNABLE", Optional.empty()).overflow());
  }

  @Test
  void aMonitorOfALimiterIsALock() {
    StackKind kind =
        classify(
            "com.google.common.util.concurrent.RateLimiter.reserve" + APP,
            "BLOCKED",
            Optional.empty());
    assertEquals(WaitKind.LOCK, kind.waitsFor());
  }

  @Test
  void whatRunsInALimiterRuns() {
    String frames = "com.google.common.util.concurrent.RateLimiter.reserve" + APP;
    StackKind kind = classify(frames, "RUNNABLE", Optional.empty());
    assertEquals(
        ThreadActivity.RUNNING, BOOK.activity(kind, List.of(frames.split("\\s+")), "RUNNABLE"));
  }

  @Test
  void aCallBelowALimiterIsACall() {
    String frames =
        "java.lang.Object.wait org.postgresql.core.Stream.await"
            + " io.github.resilience4j.ratelimiter.RateLimiter.waitForPermission"
            + APP;
    StackKind kind = classify(frames, "TIMED_WAITING", Optional.empty());
    assertEquals(WaitKind.DOWNSTREAM, kind.waitsFor());
    assertEquals("org.postgresql.core.Stream.await", kind.top());
  }

  @Test
  void aRecordedSleepOfALimiterIsItsOwnThoughTheEventLeavesThreadSleepOut() {
    StackKind kind =
        classify(
            "java.util.concurrent.TimeUnit.sleep"
                + " com.google.common.util.concurrent.Uninterruptibles.sleepUninterruptibly"
                + " com.google.common.util.concurrent.RateLimiter.acquire"
                + APP,
            FrameBook.ASLEEP,
            Optional.empty());
    assertEquals(Optional.of("Guava RateLimiter"), kind.limiter());
    assertEquals("com.acme.Orders.list", kind.top());
  }
}
