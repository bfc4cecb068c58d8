package io.gcdiag.read.frames;

import static io.gcdiag.read.frames.FrameScene.APP;
import static io.gcdiag.read.frames.FrameScene.BOOK;
import static io.gcdiag.read.frames.FrameScene.EPOLL;
import static io.gcdiag.read.frames.FrameScene.PARK;
import static io.gcdiag.read.frames.FrameScene.QUEUE_PARK;
import static io.gcdiag.read.frames.FrameScene.WORKER;
import static io.gcdiag.read.frames.FrameScene.classify;
import static io.gcdiag.read.frames.FrameScene.expect;
import static io.gcdiag.read.frames.FrameScene.frames;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameBookTest {

  @Test
  void anExplicitLockIsALockByFrameOrByParkedClass() {
    String stack =
        PARK
            + "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire"
            + " java.util.concurrent.locks.ReentrantLock.lock"
            + APP;
    expect(
        WaitKind.LOCK,
        "java.util.concurrent.locks",
        ThreadActivity.WAITING_FOR_LOCK,
        "WAITING",
        stack);
    String sync = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
    StackKind kind = BOOK.classify(frames(stack), "", Optional.of(sync));
    assertEquals(WaitKind.LOCK, kind.waitsFor());
    assertEquals(sync, kind.name());
    assertEquals(
        WaitKind.LOCK,
        BOOK.classify(frames(PARK + APP), "", Optional.of("java.util.concurrent.locks.StampedLock"))
            .waitsFor());
  }

  @Test
  void aMonitorIsALockEvenInsideADriver() {
    List<String> stack = frames("com.mysql.cj.jdbc.ConnectionImpl.prepareStatement" + APP);
    StackKind kind = BOOK.classify(stack, "BLOCKED", Optional.of("com.mysql.cj.ConnectionImpl"));
    assertEquals(WaitKind.LOCK, kind.waitsFor());
    assertEquals("com.mysql.cj.ConnectionImpl", kind.name());
    assertEquals(ThreadActivity.WAITING_FOR_LOCK, BOOK.activity(kind, stack, "BLOCKED"));
  }

  @ParameterizedTest
  @CsvSource({
    "java.util.concurrent.Semaphore$NonfairSync, java.util.concurrent.Semaphore.acquire",
    "java.util.concurrent.CountDownLatch$Sync, java.util.concurrent.CountDownLatch.await",
    "java.util.concurrent.CompletableFuture$Signaller, java.util.concurrent.CompletableFuture.get",
    "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject,"
        + " java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await"
  })
  void waitingForAnotherThreadsWorkIsNoLock(String parked, String frame) {
    StackKind kind = BOOK.classify(frames(PARK + frame + APP), "WAITING", Optional.of(parked));
    assertEquals(WaitKind.OTHER, kind.waitsFor());
    assertEquals(parked, kind.name());
  }

  @Test
  void aFileIsAFile() {
    expect(
        WaitKind.FILE,
        "file",
        ThreadActivity.IN_FILE,
        "RUNNABLE",
        "java.io.FileOutputStream.writeBytes java.io.FileOutputStream.write"
            + " ch.qos.logback.core.OutputStreamAppender.append"
            + APP);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.nio.MappedMemoryUtils.force0 java.nio.MappedMemoryUtils.force java.nio.Buffer$1.force",
        "java.nio.MappedByteBuffer.force0 java.nio.MappedByteBuffer.force",
        "java.io.UnixFileSystem.list0 java.io.UnixFileSystem.list java.io.File.list",
        "sun.nio.fs.UnixNativeDispatcher.stat0 sun.nio.fs.UnixNativeDispatcher.stat"
      })
  void aMappedFileIsForcedAndNamesAreLookedUpOnADisk(String call) {
    expect(WaitKind.FILE, "file", ThreadActivity.IN_FILE, "RUNNABLE", call + " " + APP.strip());
  }

  @Test
  void aStackIsNamedByTheFirstFrameThatIsNotPlumbing() {
    StackKind kind =
        classify(
            QUEUE_PARK
                + "com.zaxxer.hikari.pool.HikariPool.getConnection"
                + " jdk.proxy2.$Proxy51.findAll com.acme.Orders.list"
                + " com.acme.Orders$$SpringCGLIB$$0.list"
                + " org.springframework.web.servlet.DispatcherServlet.doDispatch"
                + " org.apache.catalina.core.StandardWrapperValve.invoke"
                + WORKER,
            "TIMED_WAITING");
    assertEquals("com.acme.Orders.list", kind.root());
    assertEquals("com.zaxxer.hikari.pool.HikariPool.getConnection", kind.top());
    assertTrue(kind.requestThread());
  }

  @Test
  void theGeneratedClassOfALambdaNamesNoStack() {
    StackKind kind =
        classify("com.acme.Jobs.lambda$start$0 com.acme.Jobs$$Lambda.run" + WORKER, "RUNNABLE");
    assertEquals("com.acme.Jobs.lambda$start$0", kind.root());
  }

  @Test
  void aStackOfPlumbingOnlyIsNamedByItsOutermostFrameOutsideTheJdk() {
    StackKind kind = classify(EPOLL + "io.netty.channel.nio.NioEventLoop.run" + WORKER, "RUNNABLE");
    assertEquals("io.netty.channel.nio.NioEventLoop.run", kind.root());
    assertFalse(kind.requestThread());
    assertEquals("java.lang.Thread.run", classify(PARK + WORKER, "WAITING").root());
  }

  @Test
  void aThreadWithoutFramesIsUnknown() {
    StackKind kind = BOOK.classify(List.of(), "RUNNABLE", Optional.empty());
    assertEquals(new StackKind(WaitKind.OTHER, "", false, "", "", false, List.of()), kind);
    assertEquals(ThreadActivity.OTHER, BOOK.activity(kind, List.of(), "RUNNABLE"));
  }

  @Test
  void aThreadWithoutAStateRunsUnlessItsInnermostFrameWaits() {
    expect(WaitKind.OTHER, "", ThreadActivity.RUNNING, "", "com.acme.Hash.round" + APP);
    expect(WaitKind.SLEEP, "", ThreadActivity.SLEEPING, "", "java.lang.Thread.sleep0" + APP);
  }

  /** It wants its carrier back at once: such threads together keep all carriers busy. */
  @Test
  void aVirtualThreadThatYieldsRuns() {
    List<String> stack =
        frames(
            "java.lang.VirtualThread.yieldContinuation java.lang.VirtualThread.tryYield"
                + " java.lang.Thread.yield com.acme.Bag.give"
                + APP);
    assertEquals(
        ThreadActivity.RUNNING,
        BOOK.activity(BOOK.classify(stack, "", Optional.empty()), stack, ""));
  }

  @Test
  void aThreadThatHandsARequestItsAnswerNamesTheServer() {
    List<String> stack =
        List.of(
            "java.util.concurrent.ConcurrentHashMap.get",
            "org.apache.catalina.core.AsyncContextImpl.dispatch",
            "org.springframework.web.context.request.async.DeferredResult.setResult",
            "java.util.concurrent.CompletableFuture$AsyncSupply.run",
            "java.util.concurrent.ThreadPoolExecutor$Worker.run");
    assertEquals(Optional.of("Tomcat"), BOOK.answers(stack));
    assertEquals(Optional.empty(), BOOK.answers(stack.subList(3, 5)));
  }

  /** It makes the exchange before any handler is asked; the response is handed over by others. */
  @Test
  void threadThatReadsRequestsForUndertowAnswersNone() {
    String loop = "org.xnio.nio.WorkerThread.run";
    String exchange = "io.undertow.server.HttpServerExchange.";
    assertEquals(
        Optional.empty(), BOOK.answers(List.of(exchange + "addExchangeCompleteListener", loop)));
    assertEquals(Optional.empty(), BOOK.answers(List.of(exchange + "<init>", loop)));
    assertEquals(
        Optional.of("Undertow"), BOOK.answers(List.of(exchange + "endExchange", "shop.Push.run")));
  }

  @Test
  void moreFramesThanAreRememberedAreStillUnderstood() {
    List<String> deep = new ArrayList<>();
    for (int i = 0; i < 70_000; i++) {
      deep.add("com.acme.Generated" + i + ".run");
    }
    deep.add("com.zaxxer.hikari.pool.HikariPool.getConnection");
    assertEquals(WaitKind.POOL, BOOK.classify(deep, "WAITING", Optional.empty()).waitsFor());
  }

  @ParameterizedTest
  @CsvSource({
    // Where Tomcat, HikariCP and a registry of meters allocate for themselves.
    "false, org.apache.tomcat.util.net.SocketBufferHandler.<init> org.apache.tomcat.util.net.NioEndpoint.setSocketOptions",
    "false, java.io.BufferedReader.<init> jdk.internal.platform.CgroupUtil.readStringValue java.lang.Thread.run",
    "false, com.zaxxer.hikari.pool.PoolBase.newConnection com.zaxxer.hikari.pool.HikariPool$PoolEntryCreator.call",
    "false, org.postgresql.core.PGStream.<init> org.postgresql.Driver.connect",
    "false, io.prometheus.client.exporter.common.TextFormat.write004 io.micrometer.prometheus.PrometheusMeterRegistry.scrape",
    // A library that the service called.
    "true, org.postgresql.core.PGStream.receive com.acme.Orders.find org.apache.coyote.AbstractProcessorLight.process",
    "true, com.acme.Orders.find"
  })
  void theServicesOwnCodeIsWhatNoServerFrameworkOrLibraryIs(boolean own, String stack) {
    assertEquals(own, BOOK.isOfApplication(frames(stack)));
  }

  @ParameterizedTest
  @CsvSource({
    "shop.Orders.find, true",
    "shop.Orders$$Lambda.run, false",
    "java.lang.Thread.run, false",
    "org.springframework.web.servlet.FrameworkServlet.service, false",
    "com.zaxxer.hikari.pool.HikariPool.getConnection, false",
    "org.postgresql.core.PGStream.receiveChar, false",
    "com.fasterxml.jackson.databind.ObjectMapper.writeValue, false",
    "io.github.resilience4j.ratelimiter.RateLimiter.waitForPermission, false",
    "com.google.auth.oauth2.OAuth2Credentials.getRequestMetadata, false",
    "com.google.shop.Cart.add, true"
  })
  void theServicesOwnCodeIsOfNoFrameworkPoolDriverOrLibrary(String frame, boolean own) {
    assertEquals(own, BOOK.isServices(frame));
  }
}
