package io.gcdiag.read.frames;

import static io.gcdiag.read.frames.FrameScene.APP;
import static io.gcdiag.read.frames.FrameScene.BOOK;
import static io.gcdiag.read.frames.FrameScene.EPOLL;
import static io.gcdiag.read.frames.FrameScene.PARK;
import static io.gcdiag.read.frames.FrameScene.QUEUE_PARK;
import static io.gcdiag.read.frames.FrameScene.SOCKET_17;
import static io.gcdiag.read.frames.FrameScene.SOCKET_8;
import static io.gcdiag.read.frames.FrameScene.WORKER;
import static io.gcdiag.read.frames.FrameScene.classify;
import static io.gcdiag.read.frames.FrameScene.expect;
import static io.gcdiag.read.frames.FrameScene.frames;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameBookServersTest {

  @ParameterizedTest
  @CsvSource({
    "TIMED_WAITING, jdk.internal.misc.Unsafe.park java.util.concurrent.LinkedBlockingQueue.poll"
        + " org.apache.tomcat.util.threads.TaskQueue.poll"
        + " org.apache.tomcat.util.threads.ThreadPoolExecutor.getTask",
    "WAITING, jdk.internal.misc.Unsafe.park java.util.concurrent.ThreadPoolExecutor.getTask",
    "TIMED_WAITING, jdk.internal.misc.Unsafe.park java.util.concurrent.Semaphore.tryAcquire"
        + " org.eclipse.jetty.util.thread.ReservedThreadExecutor$ReservedThread.waitForTask"
        + " org.eclipse.jetty.util.thread.ReservedThreadExecutor$ReservedThread.run",
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
    "WAITING, java.lang.Object.wait weblogic.work.ExecuteThread.waitForRequest"
        + " weblogic.work.ExecuteThread.run",
    "WAITING, java.util.concurrent.locks.LockSupport.park com.ibm.ws.util.BoundedBuffer.take"
        + " com.ibm.ws.util.ThreadPool.getTask com.ibm.ws.util.ThreadPool$Worker.run",
    "RUNNABLE, com.ibm.io.async.AsyncLibrary.aio_getioev3"
        + " com.ibm.io.async.ResultHandler.runEventProcessingLoop",
    "WAITING, java.lang.Object.wait org.apache.tomcat.util.net.JIoEndpoint$Worker.await"
        + " org.apache.tomcat.util.net.JIoEndpoint$Worker.run",
    "RUNNABLE, java.net.SocketInputStream.socketRead0 java.io.BufferedInputStream.read"
        + " jeus.servlet.engine.ServletInputStreamImpl.read"
        + " jeus.servlet.engine.WebServletRequest.readRequestLine",
    "WAITING, java.lang.Object.wait"
        + " org.apache.tomcat.util.threads.ThreadPool$ControlRunnable.run java.lang.Thread.run",
    "WAITING, java.lang.Object.wait"
        + " com.mchange.v2.async.ThreadPoolAsynchronousRunner$PoolThread.run"
  })
  void aWorkerWithoutWorkIsIdle(String state, String stack) {
    expect(WaitKind.IDLE, "", ThreadActivity.IDLE, state, stack);
  }

  @Test
  void aServersThreadThatRunsNothingOfTheServicesHasNoTask() {
    String waits = "jdk.internal.misc.Unsafe.park java.util.concurrent.locks.LockSupport.park ";
    String between =
        "java.util.concurrent.CountDownLatch.await io.undertow.server.Later.awaitTask ";
    String start = "io.undertow.server.Later.run java.lang.Thread.run";
    expect(WaitKind.IDLE, "", ThreadActivity.IDLE, "WAITING", waits + between + start);
    for (String task :
        List.of(
            between + "com.acme.Shop.order " + start,
            between + "io.undertow.server.Connectors.executeRootHandler " + start,
            // A stack that a recording cut off.
            between + "io.undertow.server.Later.run")) {
      assertEquals(
          WaitKind.OTHER,
          BOOK.classify(List.of((waits + task).split(" ")), "WAITING", Optional.empty())
              .waitsFor());
    }
  }

  @Test
  void aServerStartsAThreadForAConnectionAndCodeInItsRequestsALeak() {
    String server = "fi.iki.elonen.NanoHTTPD$DefaultAsyncRunner.exec";
    String own = "com.acme.Orders.watch";
    assertTrue(BOOK.startsInPool(List.of("java.lang.Thread.start", server), server));
    assertFalse(BOOK.startsInPool(List.of("java.lang.Thread.start", own, server), own));
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
  void anUnknownServerWaitsForItsClientsWhereItReadsARequest() {
    String connection = " com.acme.Web$Request.<init> com.acme.Web.handleConnection";
    for (String method :
        List.of(
            "readRequestLine",
            "parseRequest",
            "receiveRequestHeader",
            "parseRequestPreamble",
            "read com.acme.Web$Request.parseRequestPreamble")) {
      expect(
          WaitKind.IDLE,
          "",
          ThreadActivity.IDLE,
          "RUNNABLE",
          SOCKET_17 + "com.acme.Web$Request." + method + connection);
    }
    expect(
        WaitKind.DOWNSTREAM,
        "socket",
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "RUNNABLE",
        SOCKET_17 + "com.acme.Partner.readReply com.acme.Web.readRequest" + connection);
  }

  @Test
  void aRequestThreadThatTakesFromAQueueIsNotIdle() {
    String stack =
        QUEUE_PARK
            + "java.util.concurrent.ArrayBlockingQueue.take com.acme.Inbox.next"
            + " jakarta.servlet.http.HttpServlet.service"
            + " org.apache.catalina.core.StandardWrapperValve.invoke";
    StackKind kind = classify(stack, "WAITING");
    assertEquals(WaitKind.OTHER, kind.waitsFor());
    assertTrue(kind.requestThread());
    assertEquals("com.acme.Inbox.next", kind.root());
    assertEquals("com.acme.Inbox.next", kind.top());
  }

  @Test
  void aClassThatCallsItselfAPoolIsOne() {
    String servlet =
        " jakarta.servlet.http.HttpServlet.service"
            + " org.apache.catalina.core.StandardWrapperValve.invoke";
    String taken = QUEUE_PARK + "java.util.concurrent.ArrayBlockingQueue.take ";
    for (String pool :
        List.of(
            "com.acme.ParserPool.borrow",
            "com.acme.ParserPool$Shard.acquireSlot com.acme.Parsers.get",
            "com.acme.Slots.next com.acme.ParserPool.take")) {
      StackKind kind = classify(taken + pool + servlet, "WAITING");
      assertEquals(WaitKind.POOL, kind.waitsFor(), pool);
      assertEquals("ParserPool", kind.name());
    }
    // A worker that waits for its next task borrows nothing, nor does one of no request.
    for (String other :
        List.of(
            "com.acme.WorkerPool$Loop.take" + servlet,
            "com.acme.ThreadPool.acquire" + servlet,
            "com.acme.CarPoolController.getRides" + servlet,
            "com.acme.ParserPool.take com.acme.Cleaner.run")) {
      assertNotEquals(WaitKind.POOL, classify(taken + other, "WAITING").waitsFor(), other);
    }
  }

  @Test
  void aPoolsOwnLockAndAFutureInsideItAreNoResourceOfIt() {
    String acquire = "com.acme.ParserPool.acquire com.acme.Orders.find";
    assertEquals(
        WaitKind.LOCK,
        classify(
                FrameScene.PARK + "java.util.concurrent.locks.ReentrantLock.lock " + acquire,
                "WAITING")
            .waitsFor());
    assertEquals(
        WaitKind.OTHER,
        classify(
                FrameScene.PARK + "java.util.concurrent.FutureTask.awaitDone " + acquire, "WAITING")
            .waitsFor());
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
        List.of(
            "http-nio-8080-Poller",
            "http-nio-8080-Acceptor",
            "dw-17-acceptor-0@240aef10-application@316a598d",
            "dw-awaiter",
            "ExecuteThread: '2' for queue: 'weblogic.socket.Muxer'",
            "main",
            "pool-1-thread-1")) {
      assertFalse(BOOK.isRequestThread(name), name);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "org.jboss.resteasy.reactive.server.handlers.InvocationHandler.handle",
    "org.glassfish.jersey.server.ServerRuntime.process",
    "io.netty.channel.SimpleChannelInboundHandler.channelRead",
    "com.linecorp.armeria.internal.server.annotation.DefaultAnnotatedService.invoke",
    "io.micronaut.web.router.AbstractRouteMatch.execute"
  })
  void requestsOfFrameworksAreKnownOnThreadsOfAnyName(String frame) {
    assertTrue(classify("com.acme.Orders.find " + frame + WORKER, "RUNNABLE").requestThread());
  }

  @Test
  void aThreadInTheServersOwnLoopTakesNoRequest() {
    assertTrue(BOOK.isServerLoop(frames(EPOLL + "sun.net.httpserver.ServerImpl$Dispatcher.run")));
    assertTrue(
        BOOK.isServerLoop(
            frames(EPOLL + "org.eclipse.jetty.io.ManagedSelector$SelectorProducer.select")));
    assertFalse(
        BOOK.isServerLoop(frames("org.eclipse.jetty.util.thread.QueuedThreadPool.idleJobPoll")));
  }

  /**
   * Helidon's client and server read through the same classes, in part on a thread of their own.
   */
  @Test
  void helidonsServerAndItsClientAreToldApart() {
    String read =
        "java.lang.VirtualThread.park sun.nio.ch.NioSocketImpl.park sun.nio.ch.NioSocketImpl.read"
            + " java.net.Socket$SocketInputStream.read";
    String asked =
        " io.helidon.common.socket.PlainSocket.get io.helidon.common.buffers.DataReader.pullData";
    expect(
        WaitKind.IDLE,
        "",
        ThreadActivity.IDLE,
        "WAITING",
        read + asked + " io.helidon.webserver.http1.Http1Prologue.readPrologue");
    expect(
        WaitKind.IDLE,
        "",
        ThreadActivity.IDLE,
        "WAITING",
        read
            + " io.helidon.common.socket.IdleInputStream.handle java.util.concurrent.FutureTask.run");
    expect(
        WaitKind.OTHER,
        "Helidon",
        ThreadActivity.OTHER,
        "WAITING",
        read + asked + " io.helidon.webserver.ConnectionHandler$MapExceptionDataSupplier.get");
    String client = asked + " io.helidon.webclient.http1.Http1StatusParser.readStatus";
    expect(
        WaitKind.DOWNSTREAM,
        "Helidon client",
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "WAITING",
        read + client);
    expect(
        WaitKind.DOWNSTREAM,
        "Helidon client",
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "WAITING",
        "java.lang.VirtualThread.park java.util.concurrent.FutureTask.get"
            + " io.helidon.common.socket.IdleInputStream.endIdle"
            + client);
  }

  private static final String HTTP_CORE_SERVER =
      " org.apache.hc.core5.http.impl.io.HttpService.handleRequest"
          + " org.apache.hc.core5.http.impl.bootstrap.Worker.run"
          + WORKER;

  @Test
  void aServerOfAClientsLibraryIsNoClient() {
    expect(
        WaitKind.DOWNSTREAM,
        "socket",
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "RUNNABLE",
        SOCKET_17 + "java.io.BufferedReader.readLine" + APP + HTTP_CORE_SERVER);
    expect(
        WaitKind.DOWNSTREAM,
        "Apache HttpClient 5",
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "RUNNABLE",
        SOCKET_17
            + "org.apache.hc.core5.http.impl.io.SessionInputBufferImpl.fillBuffer"
            + APP
            + HTTP_CORE_SERVER);
  }

  @Test
  void aServerOfAClientsLibraryThatWaitsForTheNextRequestIsIdle() {
    expect(
        WaitKind.IDLE,
        "",
        ThreadActivity.IDLE,
        "RUNNABLE",
        SOCKET_17
            + "org.apache.hc.core5.http.impl.io.SessionInputBufferImpl.fillBuffer"
            + " org.apache.hc.core5.http.impl.io.AbstractMessageParser.parse"
            + " org.apache.hc.core5.http.impl.io.DefaultBHttpServerConnection.receiveRequestHeader"
            + HTTP_CORE_SERVER);
  }

  @Test
  void whatHandsOutMessagesIsNoClientOfItsListeners() {
    expect(
        WaitKind.DOWNSTREAM,
        "socket",
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "RUNNABLE",
        SOCKET_17
            + "com.acme.Stock.ask com.acme.Orders.handleDelivery"
            + " com.rabbitmq.client.impl.ConsumerDispatcher$5.run"
            + WORKER);
  }

  @Test
  void aLoopThatReadsWaitsForWhatItsConnectionBrings() {
    String reads = SOCKET_17 + "java.io.BufferedReader.readLine com.acme.Gate.serve";
    expect(
        WaitKind.IDLE,
        "",
        ThreadActivity.IDLE,
        "RUNNABLE",
        reads + " com.acme.Gate.lambda$main$0 com.acme.Gate$$Lambda.run" + WORKER);
    expect(WaitKind.IDLE, "", ThreadActivity.IDLE, "RUNNABLE", reads + " java.lang.Thread.run");
  }

  @Test
  void whatTheLoopAsksOthersIsACall() {
    expect(
        WaitKind.DOWNSTREAM,
        "socket",
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "RUNNABLE",
        SOCKET_17 + "com.acme.Office.ask com.acme.Gate.answer com.acme.Gate.serve" + WORKER);
    expect(
        WaitKind.DOWNSTREAM,
        "socket (connecting)",
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "RUNNABLE",
        "sun.nio.ch.Net.poll sun.nio.ch.NioSocketImpl.connect java.net.Socket.connect"
            + " com.acme.Gate.serve"
            + WORKER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.example.web.RequestProcessor.process",
        "org.example.web.HttpConnection$Exchange.handle",
        "org.example.rpc.ServerCall.dispatchCall",
      })
  void anUnknownServerServesByWhatItsClassesAreNamedAfter(String handler) {
    assertTrue(classify(PARK + APP + " " + handler + WORKER, "WAITING").requestThread());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // Only its own code runs: no request has come.
        PARK + "org.example.web.Gate.take org.example.web.RequestProcessor.process" + WORKER,
        // An answer has come.
        PARK + APP + " org.example.web.HttpClient$Loop.run org.example.web.RequestQueue.process",
        PARK + APP + " org.example.web.HttpExchange.handle org.example.web.ClientLoop.turn",
        // Named after requests, and nothing in it handles one.
        PARK + APP + " org.example.web.RequestLog.roll" + WORKER,
      })
  void whatIsNoServersHandlerServesNobody(String stack) {
    assertFalse(classify(stack, "WAITING").requestThread());
  }

  @Test
  void anUnknownExecutorsThreadThatRunsNothingElseIsIdle() {
    String waits = PARK + "org.example.TaskExecutor$Worker.await org.example.TaskExecutor$Worker.";
    expect(WaitKind.IDLE, "", ThreadActivity.IDLE, "WAITING", waits + "run java.lang.Thread.run");
    String queue = PARK + "org.example.BlockingQueue.take org.example.TaskPool$Runner.run ";
    expect(WaitKind.IDLE, "", ThreadActivity.IDLE, "WAITING", queue + "java.lang.Thread.run");
    expect(
        WaitKind.OTHER,
        "",
        ThreadActivity.OTHER,
        "WAITING",
        PARK + "com.acme.Orders.find org.example.TaskExecutor$Worker.run java.lang.Thread.run");
  }

  private static final String THRIFT =
      "org.apache.thrift.transport.TIOStreamTransport.read"
          + " org.apache.thrift.transport.TTransport.readAll"
          + " org.apache.thrift.protocol.TBinaryProtocol.readMessageBegin ";

  @Test
  void aClientThatReadsTheAnswerByTheSameTransportIsInACall() {
    expect(
        WaitKind.DOWNSTREAM,
        "Thrift",
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "RUNNABLE",
        SOCKET_17 + THRIFT + "org.apache.thrift.TServiceClient.receiveBase" + APP);
  }
}
