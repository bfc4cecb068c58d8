package io.gcdiag.ingest.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.ThreadActivity;
import io.gcdiag.evidence.WaitKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameBookTest {

  private static final FrameBook BOOK = FrameBook.standard();
  private static final String PARK =
      "jdk.internal.misc.Unsafe.park java.util.concurrent.locks.LockSupport.park ";
  private static final String QUEUE_PARK =
      PARK + "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await ";
  private static final String OBJECT_WAIT = "java.lang.Object.wait ";
  private static final String SOCKET_17 =
      "sun.nio.ch.Net.poll sun.nio.ch.NioSocketImpl.park sun.nio.ch.NioSocketImpl.read"
          + " java.net.Socket$SocketInputStream.read ";
  private static final String SOCKET_8 =
      "java.net.SocketInputStream.socketRead0 java.net.SocketInputStream.read ";
  private static final String EPOLL =
      "sun.nio.ch.EPoll.wait sun.nio.ch.EPollSelectorImpl.doSelect"
          + " sun.nio.ch.SelectorImpl.lockAndDoSelect sun.nio.ch.SelectorImpl.select ";
  private static final String WORKER =
      " java.util.concurrent.ThreadPoolExecutor.runWorker"
          + " java.util.concurrent.ThreadPoolExecutor$Worker.run java.lang.Thread.run";
  private static final String APP = " com.acme.Orders.find";

  private static List<String> frames(String text) {
    return List.of(text.trim().split("\\s+"));
  }

  private static StackKind classify(String text, String state) {
    return BOOK.classify(frames(text), state, Optional.empty());
  }

  private static void expect(
      WaitKind wait, String name, ThreadActivity activity, String state, String text) {
    StackKind kind = classify(text, state);
    assertEquals(wait, kind.waitsFor(), text);
    assertEquals(name, kind.name(), text);
    assertEquals(activity, BOOK.activity(kind, frames(text), state), text);
  }

  @ParameterizedTest
  @CsvSource({
    "HikariCP, com.zaxxer.hikari.util.ConcurrentBag.borrow"
        + " com.zaxxer.hikari.pool.HikariPool.getConnection"
        + " com.zaxxer.hikari.pool.HikariPool.getConnection"
        + " com.zaxxer.hikari.HikariDataSource.getConnection",
    "Tomcat JDBC, org.apache.tomcat.jdbc.pool.FairBlockingQueue.poll"
        + " org.apache.tomcat.jdbc.pool.ConnectionPool.borrowConnection",
    "DBCP, org.apache.commons.pool2.impl.LinkedBlockingDeque.takeFirst"
        + " org.apache.commons.pool2.impl.GenericObjectPool.borrowObject"
        + " org.apache.commons.dbcp2.PoolingDataSource.getConnection",
    "Commons Pool, org.apache.commons.pool2.impl.LinkedBlockingDeque.takeFirst"
        + " org.apache.commons.pool2.impl.GenericObjectPool.borrowObject com.acme.Ftp.open",
    "Druid, com.alibaba.druid.pool.DruidDataSource.takeLast"
        + " com.alibaba.druid.pool.DruidDataSource.getConnectionInternal",
    "Agroal, io.agroal.pool.ConnectionPool.handlerFromSharedCache"
        + " io.agroal.pool.ConnectionPool.getConnection",
    "Apache HttpClient 4, org.apache.http.pool.AbstractConnPool.getPoolEntryBlocking"
        + " org.apache.http.pool.AbstractConnPool.access$300"
        + " org.apache.http.impl.conn.PoolingHttpClientConnectionManager.leaseConnection",
    "Apache HttpClient 5, org.apache.hc.core5.concurrent.BasicFuture.get"
        + " org.apache.hc.core5.pool.StrictConnPool$1.get"
        + " org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager$1.get"
        + " org.apache.hc.client5.http.impl.classic.InternalExecRuntime.acquireEndpoint",
    "Jedis, org.apache.commons.pool2.impl.GenericObjectPool.borrowObject"
        + " redis.clients.jedis.util.Pool.getResource redis.clients.jedis.JedisPool.getResource",
    "Lettuce, org.apache.commons.pool2.impl.GenericObjectPool.borrowObject"
        + " io.lettuce.core.support.ConnectionPoolSupport$1.borrowObject",
    "MongoDB, com.mongodb.internal.connection.ConcurrentPool$StateAndPermits.acquirePermit"
        + " com.mongodb.internal.connection.ConcurrentPool.get"
        + " com.mongodb.internal.connection.DefaultConnectionPool.getPooledConnection",
    "UCP, oracle.ucp.common.UniversalConnectionPoolImpl.borrowConnection",
    "Vibur, org.vibur.dbcp.pool.PoolOperations.getProxyConnection"
  })
  void aThreadParkedInABorrowWaitsForThePoolAndNotForALock(String name, String pool) {
    String stack = QUEUE_PARK + pool + APP + WORKER;
    expect(WaitKind.POOL, name, ThreadActivity.WAITING_FOR_POOL, "TIMED_WAITING", stack);
    Optional<String> lock = Optional.of("java.util.concurrent.locks.ReentrantLock$FairSync");
    assertEquals(WaitKind.POOL, BOOK.classify(frames(stack), "", lock).waitsFor());
  }

  @Test
  void aThreadInObjectWaitBelowC3p0WaitsForThePool() {
    expect(
        WaitKind.POOL,
        "c3p0",
        ThreadActivity.WAITING_FOR_POOL,
        "WAITING",
        OBJECT_WAIT
            + "com.mchange.v2.resourcepool.BasicResourcePool.awaitAvailable"
            + " com.mchange.v2.resourcepool.BasicResourcePool.prelimCheckoutResource"
            + " com.mchange.v2.resourcepool.BasicResourcePool.checkoutResource"
            + APP);
  }

  @Test
  void aThreadBlockedOnAPoolsMonitorWaitsForThePool() {
    expect(
        WaitKind.POOL,
        "c3p0",
        ThreadActivity.WAITING_FOR_POOL,
        "BLOCKED",
        "com.mchange.v2.resourcepool.BasicResourcePool.prelimCheckoutResource" + APP);
  }

  @Test
  void aPoolThatOpensOrTestsAConnectionIsInItsDriver() {
    expect(
        WaitKind.DOWNSTREAM,
        "PostgreSQL",
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "RUNNABLE",
        SOCKET_17
            + "org.postgresql.core.PGStream.receiveChar org.postgresql.Driver.connect"
            + " com.zaxxer.hikari.pool.HikariPool.createPoolEntry"
            + " com.zaxxer.hikari.pool.HikariPool$PoolEntryCreator.call"
            + WORKER);
    expect(
        WaitKind.DOWNSTREAM,
        "MySQL",
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "RUNNABLE",
        SOCKET_8
            + "com.mysql.cj.jdbc.ConnectionImpl.isValid"
            + " com.zaxxer.hikari.pool.PoolBase.isConnectionAlive"
            + " com.zaxxer.hikari.pool.HikariPool.getConnection"
            + APP);
    expect(
        WaitKind.DOWNSTREAM,
        "Jedis",
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "RUNNABLE",
        "java.net.PlainSocketImpl.socketConnect java.net.Socket.connect"
            + " redis.clients.jedis.Connection.connect"
            + " org.apache.commons.pool2.impl.GenericObjectPool.create"
            + " org.apache.commons.pool2.impl.GenericObjectPool.borrowObject"
            + " redis.clients.jedis.util.Pool.getResource");
  }

  @Test
  void aThreadThatComputesInsideABorrowIsRunning() {
    String stack = "com.zaxxer.hikari.util.ConcurrentBag.borrow" + APP;
    StackKind kind = classify(stack, "RUNNABLE");
    assertEquals(ThreadActivity.RUNNING, BOOK.activity(kind, frames(stack), "RUNNABLE"));
  }

  @ParameterizedTest
  @CsvSource({
    "PostgreSQL, org.postgresql.core.v3.QueryExecutorImpl.execute",
    "MySQL, com.mysql.cj.protocol.a.NativeProtocol.readMessage",
    "MariaDB, org.mariadb.jdbc.client.impl.StandardClient.readPacket",
    "Oracle, oracle.jdbc.driver.T4CPreparedStatement.executeQuery",
    "SQL Server, com.microsoft.sqlserver.jdbc.TDSChannel.read",
    "H2, org.h2.value.Transfer.readInt",
    "Jedis, redis.clients.jedis.Protocol.read",
    "MongoDB, com.mongodb.internal.connection.SocketStream.read",
    "Apache HttpClient 4, org.apache.http.impl.io.SessionInputBufferImpl.fillBuffer",
    "Apache HttpClient 5, org.apache.hc.core5.http.impl.io.SessionInputBufferImpl.fillBuffer",
    "OkHttp, okio.InputStreamSource.read okhttp3.internal.http1.Http1ExchangeCodec.readResponse",
    "HttpURLConnection, sun.net.www.http.HttpClient.parseHTTP",
    "socket, com.acme.Wire.read"
  })
  void aSocketReadIsACallOfTheLibraryAboveIt(String name, String library) {
    expect(
        WaitKind.DOWNSTREAM,
        name,
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "RUNNABLE",
        SOCKET_17 + library + APP + WORKER);
    expect(
        WaitKind.DOWNSTREAM,
        name,
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "RUNNABLE",
        SOCKET_8 + library + APP + WORKER);
    // A virtual thread parks inside the socket.
    expect(
        WaitKind.DOWNSTREAM,
        name,
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "WAITING",
        "java.lang.VirtualThread.park java.lang.System$1.parkVirtualThread"
            + " jdk.internal.misc.VirtualThreads.park java.util.concurrent.locks.LockSupport.park"
            + " sun.nio.ch.Poller.poll sun.nio.ch.NioSocketImpl.park "
            + library
            + APP);
  }

  @ParameterizedTest
  @CsvSource({
    "Lettuce, java.util.concurrent.CountDownLatch.await"
        + " io.lettuce.core.protocol.AsyncCommand.await",
    "JDK HttpClient, java.util.concurrent.CompletableFuture.get"
        + " jdk.internal.net.http.HttpClientImpl.send",
    "gRPC, io.grpc.stub.ClientCalls$ThreadlessExecutor.waitAndDrain"
  })
  void aWaitDirectlyInsideAClientIsACall(String name, String client) {
    expect(
        WaitKind.DOWNSTREAM,
        name,
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "WAITING",
        PARK + client + APP + WORKER);
  }

  @Test
  void aSelectorBelowADriverIsACall() {
    expect(
        WaitKind.DOWNSTREAM,
        "Oracle",
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "RUNNABLE",
        EPOLL + "oracle.net.nt.TimeoutSocketChannel.read" + APP);
  }

  @ParameterizedTest
  @CsvSource({
    "TIMED_WAITING, jdk.internal.misc.Unsafe.park java.util.concurrent.LinkedBlockingQueue.poll"
        + " org.apache.tomcat.util.threads.TaskQueue.poll"
        + " org.apache.tomcat.util.threads.ThreadPoolExecutor.getTask",
    "WAITING, jdk.internal.misc.Unsafe.park java.util.concurrent.ThreadPoolExecutor.getTask",
    "WAITING, jdk.internal.misc.Unsafe.park"
        + " java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue.take",
    "WAITING, jdk.internal.misc.Unsafe.park java.util.concurrent.ForkJoinPool.awaitWork",
    "WAITING, jdk.internal.misc.Unsafe.park java.util.concurrent.locks.LockSupport.park"
        + " java.util.concurrent.ForkJoinPool.runWorker",
    "WAITING, jdk.internal.misc.Unsafe.park java.util.concurrent.LinkedBlockingQueue.take"
        + " com.acme.Consumer.run",
    "TIMED_WAITING, java.lang.Object.wait java.util.TimerThread.mainLoop java.util.TimerThread.run",
    "WAITING, java.lang.Object.wait java.lang.ref.ReferenceQueue.remove"
        + " com.mysql.cj.jdbc.AbandonedConnectionCleanupThread.run",
    "RUNNABLE, java.lang.ref.Reference.waitForReferencePendingList",
    "TIMED_WAITING, jdk.internal.misc.Unsafe.park java.util.concurrent.LinkedBlockingQueue.poll"
        + " org.eclipse.jetty.util.thread.QueuedThreadPool.idleJobPoll",
    "WAITING, jdk.internal.misc.Unsafe.park org.jboss.threads.EnhancedQueueExecutor$PoolThreadNode"
        + ".park org.jboss.threads.EnhancedQueueExecutor$ThreadBody.run",
    "RUNNABLE, io.netty.channel.epoll.Native.epollWait0 io.netty.channel.epoll.Native.epollWait"
        + " io.netty.channel.epoll.EpollEventLoop.run",
    "RUNNABLE, sun.nio.ch.Net.accept sun.nio.ch.ServerSocketChannelImpl.accept"
        + " org.apache.tomcat.util.net.NioEndpoint.serverSocketAccept",
    "TIMED_WAITING, java.lang.Thread.sleep org.apache.catalina.core.StandardServer.await",
    "WAITING, java.lang.Object.wait"
        + " com.mchange.v2.async.ThreadPoolAsynchronousRunner$PoolThread.run"
  })
  void aWorkerWithoutWorkIsIdle(String state, String stack) {
    expect(WaitKind.IDLE, "", ThreadActivity.IDLE, state, stack);
  }

  @Test
  void aServersPollerAndItsWaitForTheNextRequestAreIdle() {
    for (String stack :
        List.of(
            EPOLL + "org.apache.tomcat.util.net.NioEndpoint$Poller.run",
            EPOLL + "io.netty.channel.nio.NioEventLoop.run",
            EPOLL + "jdk.internal.net.http.HttpClientImpl$SelectorManager.run",
            SOCKET_8 + "org.apache.coyote.http11.InternalInputBuffer.parseRequestLine")) {
      expect(WaitKind.IDLE, "", ThreadActivity.IDLE, "RUNNABLE", stack);
    }
  }

  @Test
  void aServerThatWritesToItsCallerIsNotDownstream() {
    expect(
        WaitKind.OTHER,
        "Tomcat",
        ThreadActivity.OTHER,
        "RUNNABLE",
        "java.net.SocketOutputStream.socketWrite0 java.net.SocketOutputStream.write"
            + " org.apache.coyote.http11.InternalOutputBuffer.commit"
            + APP);
  }

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
  void aRequestThreadThatTakesFromAQueueIsNotIdle() {
    String stack =
        QUEUE_PARK
            + "java.util.concurrent.ArrayBlockingQueue.take com.acme.HandMadePool.borrow"
            + " jakarta.servlet.http.HttpServlet.service"
            + " org.apache.catalina.core.StandardWrapperValve.invoke";
    StackKind kind = classify(stack, "WAITING");
    assertEquals(WaitKind.OTHER, kind.waitsFor());
    assertTrue(kind.requestThread());
    assertEquals("com.acme.HandMadePool.borrow", kind.root());
    assertEquals("com.acme.HandMadePool.borrow", kind.top());
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

  @Test
  void aSocketReadOfJdk8ThroughTheFileDispatcherIsASocket() {
    expect(
        WaitKind.DOWNSTREAM,
        "socket",
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "RUNNABLE",
        "sun.nio.ch.FileDispatcherImpl.read0 sun.nio.ch.SocketDispatcher.read"
            + " sun.nio.ch.IOUtil.read sun.nio.ch.SocketChannelImpl.read"
            + APP);
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

  @Test
  void requestThreadsOfTheUsualServersAreKnownByName() {
    for (String name :
        List.of(
            "http-nio-8080-exec-1",
            "https-jsse-nio-8443-exec-12",
            "qtp1234-56",
            "XNIO-1 task-3",
            "grpc-default-executor-0",
            "reactor-http-epoll-2",
            "dw-27 - GET /parcels/7",
            "JettyServerThreadPool-12",
            "armeria-blocking-tasks-6-1",
            "armeria-common-worker-epoll-2-3",
            "default-nioEventLoopGroup-1-2",
            "[ACTIVE] ExecuteThread: '7' for queue: 'weblogic.kernel.Default (self-tuning)'",
            "tomcat-handler-7")) {
      assertTrue(BOOK.isRequestThread(name), name);
    }
    for (String name :
        List.of("http-nio-8080-Poller", "http-nio-8080-Acceptor", "main", "pool-1-thread-1")) {
      assertFalse(BOOK.isRequestThread(name), name);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "org.jboss.resteasy.reactive.server.handlers.InvocationHandler.handle",
    "org.glassfish.jersey.server.ServerRuntime.process",
    "com.linecorp.armeria.internal.server.annotation.DefaultAnnotatedService.invoke",
    "io.micronaut.web.router.AbstractRouteMatch.execute"
  })
  void requestsOfFrameworksAreKnownOnThreadsOfAnyName(String frame) {
    assertTrue(classify("com.acme.Orders.find " + frame + WORKER, "RUNNABLE").requestThread());
  }

  @ParameterizedTest
  @CsvSource({
    "Reactor, reactor.core.publisher.BlockingSingleSubscriber.blockingGet"
        + " reactor.core.publisher.Mono.block",
    "Mutiny, io.smallrye.mutiny.operators.uni.UniBlockingAwait.await"
  })
  void aThreadThatBlocksOnAnAsynchronousCallWaitsForAnAnswer(String name, String frames) {
    expect(
        WaitKind.DOWNSTREAM,
        name,
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "WAITING",
        PARK + "java.util.concurrent.CountDownLatch.await " + frames + APP);
  }

  @Test
  void aThreadInTheServersOwnLoopTakesNoRequest() {
    assertTrue(
        BOOK.isServerLoop(
            frames(EPOLL + "org.eclipse.jetty.io.ManagedSelector$SelectorProducer.select")));
    assertFalse(
        BOOK.isServerLoop(frames("org.eclipse.jetty.util.thread.QueuedThreadPool.idleJobPoll")));
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
}
