package io.gcdiag.read.frames;

import static io.gcdiag.read.frames.FrameScene.APP;
import static io.gcdiag.read.frames.FrameScene.EPOLL;
import static io.gcdiag.read.frames.FrameScene.PARK;
import static io.gcdiag.read.frames.FrameScene.SOCKET_17;
import static io.gcdiag.read.frames.FrameScene.SOCKET_8;
import static io.gcdiag.read.frames.FrameScene.WORKER;
import static io.gcdiag.read.frames.FrameScene.classify;
import static io.gcdiag.read.frames.FrameScene.expect;
import static io.gcdiag.read.frames.FrameScene.frames;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.CallPart;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.sketches.Threads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameBookClientsTest {

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
    "Elasticsearch, org.apache.http.impl.io.ChunkedInputStream.read org.elasticsearch.client.RestClient.performRequest",
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

  @Test
  void aLockOfAClusterIsALockAlthoughItsAnswerComesFromAnotherMember() {
    expect(
        WaitKind.LOCK,
        "Hazelcast lock",
        ThreadActivity.WAITING_FOR_LOCK,
        "WAITING",
        "java.util.concurrent.locks.LockSupport.park"
            + " com.hazelcast.spi.impl.AbstractInvocationFuture.manageParking"
            + " com.hazelcast.spi.impl.AbstractInvocationFuture.joinInternal"
            + " com.hazelcast.internal.locksupport.LockProxySupport.lock"
            + " com.hazelcast.map.impl.proxy.MapProxyImpl.lock"
            + APP
            + WORKER);
  }

  @Test
  void anEmbeddedGraphLooksForItsLockAgainAndAgain() {
    // As Neo4j 5 does, which nobody wakes.
    expect(
        WaitKind.LOCK,
        "Neo4j lock",
        ThreadActivity.WAITING_FOR_LOCK,
        "TIMED_WAITING",
        "java.lang.Thread.sleep"
            + " org.neo4j.kernel.impl.locking.forseti.ForsetiClient.incrementalBackoffWait"
            + " org.neo4j.kernel.impl.locking.forseti.ForsetiClient.waitFor"
            + " org.neo4j.internal.recordstorage.RecordStorageLocks.acquireExclusiveNodeLock"
            + APP
            + WORKER);
  }

  @ParameterizedTest
  @CsvSource({
    // As H2 2.3 and 2.1 wait for a row, 2.3 for a table, and 1.4 with MV_STORE=FALSE for one.
    "H2 (lock of a row or table), org.h2.mvstore.tx.Transaction.waitForThisToEnd"
        + " org.h2.mvstore.tx.Transaction.waitFor org.h2.mvstore.tx.TransactionMap.set",
    "H2 (lock of a row or table), org.h2.mvstore.db.MVTable.doLock1"
        + " org.h2.mvstore.db.MVTable.lock org.h2.command.dml.Update.update",
    "H2 (lock of a row or table), org.h2.pagestore.db.PageStoreTable.doLock1"
        + " org.h2.pagestore.db.PageStoreTable.lock org.h2.command.dml.Update.update",
    // As HSQLDB 2.7 and Derby 10.16 do by their bytecode.
    "HSQLDB (lock of a row or table), org.hsqldb.lib.CountUpDownLatch.await"
        + " org.hsqldb.Session.executeCompiledStatement",
    "Derby (lock of a row or table),"
        + " org.apache.derby.impl.services.locks.ActiveLock.waitForGrant"
        + " org.apache.derby.impl.services.locks.ConcurrentLockSet.lockObject"
  })
  void anEmbeddedDatabaseWaitsForAnotherSessionsLock(String name, String database) {
    expect(
        WaitKind.LOCK,
        name,
        ThreadActivity.WAITING_FOR_LOCK,
        "TIMED_WAITING",
        "java.lang.Object.wait " + database + APP + WORKER);
    assertTrue(
        Threads.thread("worker-1", "TIMED_WAITING", ThreadActivity.WAITING_FOR_LOCK, name, true)
            .isInCall());
  }

  @ParameterizedTest
  @CsvSource({
    "Kafka (buffer memory), org.apache.kafka.clients.producer.internals.BufferPool.allocate"
        + " org.apache.kafka.clients.producer.internals.RecordAccumulator.append"
        + " org.apache.kafka.clients.producer.KafkaProducer.doSend",
    "Jetty client (connection or answer), java.util.concurrent.CompletableFuture.get"
        + " org.eclipse.jetty.client.transport.HttpRequest.send",
    "ActiveMQ, java.util.concurrent.ArrayBlockingQueue.poll"
        + " org.apache.activemq.transport.FutureResponse.getResult"
        + " org.apache.activemq.transport.ResponseCorrelator.request"
        + " org.apache.activemq.ActiveMQConnection.syncSendPacket",
    "Kafka, java.util.concurrent.CompletableFuture.get"
        + " org.apache.kafka.common.internals.KafkaFutureImpl.get",
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

  @ParameterizedTest
  @CsvSource({
    // What a message that is sent waits for is the journal's writer.
    "OTHER, java.util.concurrent.FutureTask.get"
        + " org.apache.activemq.broker.region.Queue.doMessageSend"
        + " org.apache.activemq.broker.TransportConnection.processMessage"
        + " org.apache.activemq.transport.tcp.TcpTransport.doRun",
    "IDLE, java.net.SocketInputStream.socketRead0"
        + " org.apache.activemq.transport.tcp.TcpBufferedInputStream.fill"
        + " org.apache.activemq.transport.tcp.TcpTransport.readCommand"
        + " org.apache.activemq.transport.tcp.TcpTransport.doRun",
    "IDLE, java.net.Socket$SocketInputStream.read org.apache.derby.impl.drda.DDMReader.fill"
        + " org.apache.derby.impl.drda.DDMReader.readDssHeader"
        + " org.apache.derby.impl.drda.DRDAConnThread.processCommands",
    "OTHER, java.util.concurrent.locks.LockSupport.park"
        + " org.apache.zookeeper.server.quorum.CommitProcessor.waitForEmptyPool",
    "IDLE, sun.nio.ch.EPoll.wait sun.nio.ch.SelectorImpl.select"
        + " org.apache.kafka.common.network.Selector.select"
        + " org.apache.kafka.common.network.Selector.poll kafka.network.Processor.poll"
        + " kafka.network.Processor.run"
  })
  void aBrokerOrDatabaseInThisJvmIsNoCallOfItsOwn(WaitKind wait, String broker) {
    assertEquals(wait, classify(broker, "WAITING").waitsFor());
  }

  @ParameterizedTest
  @CsvSource({
    "connecting, sun.nio.ch.Net.poll sun.nio.ch.NioSocketImpl.timedFinishConnect"
        + " sun.nio.ch.NioSocketImpl.connect java.net.SocksSocketImpl.connect"
        + " java.net.Socket.connect",
    "connecting, sun.nio.ch.Net.pollConnect sun.nio.ch.SocketChannelImpl.blockingConnect",
    "DNS lookup, java.net.Inet6AddressImpl.lookupAllHostAddr"
        + " java.net.InetAddress.getAllByName java.net.InetSocketAddress.<init>"
  })
  void partsOfACallThatNoEventTellsOfAreNamed(String part, String socket) {
    expect(
        WaitKind.DOWNSTREAM,
        "Apache HttpClient 5 (" + part + ")",
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "RUNNABLE",
        socket
            + " org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator.connect"
            + APP
            + WORKER);
    assertTrue(CallPart.isUnrecorded("Apache HttpClient 5 (" + part + ")"));
    assertFalse(CallPart.isUnrecorded("Our client (old)"));
  }

  @Test
  void theAnswerToALogInIsNoneToACall() {
    expect(
        WaitKind.DOWNSTREAM,
        "SSH (opening)",
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "TIMED_WAITING",
        "java.lang.Object.wait org.apache.sshd.common.future.DefaultSshFuture.await0"
            + " org.apache.sshd.common.future.AbstractSshFuture.verifyResult"
            + " org.apache.sshd.client.future.DefaultAuthFuture.verify"
            + APP
            + WORKER);
    assertTrue(CallPart.isOpening("SSH (opening)"));
    assertEquals("SSH", CallPart.client("SSH (opening)"));
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

  @Test
  void aServerThatWritesToItsCallerIsNotDownstream() {
    expect(
        WaitKind.CLIENT,
        "Tomcat",
        ThreadActivity.WAITING_FOR_CLIENT,
        "RUNNABLE",
        "java.net.SocketOutputStream.socketWrite0 java.net.SocketOutputStream.write"
            + " org.apache.coyote.http11.InternalOutputBuffer.commit"
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
}
