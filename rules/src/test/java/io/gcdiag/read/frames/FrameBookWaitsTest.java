package io.gcdiag.read.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.threads.WaitKind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What request threads of many libraries wait for, by stacks as their sources make them. */
class FrameBookWaitsTest {

  private static final FrameBook BOOK = FrameBook.standard();
  private static final String PARK =
      "jdk.internal.misc.Unsafe.park java.util.concurrent.locks.LockSupport.parkNanos ";
  private static final String WAIT = "java.lang.Object.wait0 java.lang.Object.wait ";
  private static final String REQUEST =
      " com.acme.Orders.find jakarta.servlet.http.HttpServlet.service"
          + " org.apache.catalina.core.StandardWrapperValve.invoke"
          + " org.apache.tomcat.util.net.SocketProcessorBase.run java.lang.Thread.run";
  private static final String WORKER =
      " com.acme.Batch.run java.util.concurrent.ThreadPoolExecutor.runWorker java.lang.Thread.run";

  private static StackKind classify(String frames, String state, Optional<String> subject) {
    return BOOK.classify(List.of(frames.trim().split("\\s+")), state, subject);
  }

  private static void expect(WaitKind kind, String name, String frames) {
    StackKind found = classify(frames + REQUEST, "TIMED_WAITING", Optional.empty());
    assertEquals(kind, found.waitsFor(), frames);
    assertEquals(name, found.name(), frames);
  }

  private static WaitKind parked(String frames, String parkedClass) {
    return classify(PARK + frames, "TIMED_WAITING", Optional.of(parkedClass)).waitsFor();
  }

  /** The second thread that looks up a host waits for the first, on a lock of the JDK's. */
  @Test
  void waitingForAnothersLookupOfAHostIsNoContentionForALock() {
    String jdk25 =
        PARK
            + "java.util.concurrent.locks.ReentrantLock.lock"
            + " java.net.InetAddress$NameServiceAddresses.get java.net.InetAddress.getAllByName";
    StackKind parked =
        classify(
            jdk25 + REQUEST,
            "WAITING",
            Optional.of("java.util.concurrent.locks.ReentrantLock$NonfairSync"));
    assertEquals(WaitKind.DOWNSTREAM, parked.waitsFor());
    assertEquals("DNS", parked.name());
    StackKind blocked =
        classify(
            "java.net.InetAddress$NameServiceAddresses.get java.net.InetAddress.getByName"
                + REQUEST,
            "BLOCKED",
            Optional.of("java.net.InetAddress$NameServiceAddresses"));
    assertEquals(WaitKind.DOWNSTREAM, blocked.waitsFor());
  }

  @Test
  void waitingForAnothersLookupIsAPartOfTheClientsCall() {
    StackKind parked =
        classify(
            PARK
                + "java.util.concurrent.locks.ReentrantLock.lock"
                + " java.net.InetAddress$NameServiceAddresses.get java.net.InetAddress.getByName"
                + " java.net.InetSocketAddress.<init> sun.net.www.http.HttpClient.openServer"
                + REQUEST,
            "WAITING",
            Optional.of("java.util.concurrent.locks.ReentrantLock$NonfairSync"));
    assertEquals(WaitKind.DOWNSTREAM, parked.waitsFor());
    assertEquals("HttpURLConnection (DNS lookup)", parked.name());
  }

  @Test
  void randomNumbersThatAreReadAreNoSlowFile() {
    expect(
        WaitKind.DOWNSTREAM,
        "entropy (/dev/random)",
        "java.io.FileInputStream.readBytes java.io.FileInputStream.read"
            + " sun.security.provider.NativePRNG$RandomIO.readFully"
            + " sun.security.provider.NativePRNG$RandomIO.implGenerateSeed"
            + " sun.security.provider.NativePRNG.engineGenerateSeed"
            + " java.security.SecureRandom.generateSeed");
  }

  @Test
  void theLockOfAGeneratorOfRandomNumbersIsALock() {
    StackKind blocked =
        classify(
            "sun.security.provider.NativePRNG$RandomIO.implNextBytes"
                + " sun.security.provider.NativePRNG.engineNextBytes"
                + " java.security.SecureRandom.nextBytes"
                + REQUEST,
            "BLOCKED",
            Optional.of("java.lang.Object"));
    assertEquals(WaitKind.LOCK, blocked.waitsFor());
  }

  @Test
  void aRequestWaitsForAPermitAsForALock() {
    String bulkhead =
        "java.util.concurrent.locks.AbstractQueuedSynchronizer.tryAcquireSharedNanos"
            + " java.util.concurrent.Semaphore.tryAcquire"
            + " io.github.resilience4j.bulkhead.internal.SemaphoreBulkhead.tryEnterBulkhead"
            + " io.github.resilience4j.bulkhead.internal.SemaphoreBulkhead.acquirePermission";
    String permit = "java.util.concurrent.Semaphore$NonfairSync";
    assertEquals(WaitKind.LOCK, parked(bulkhead + REQUEST, permit));
    assertEquals(
        WaitKind.LOCK,
        parked(
            "java.util.concurrent.Semaphore.acquire" + REQUEST, permit.replace("Nonfair", "Fair")));
  }

  @Test
  void aWorkerWaitsForWorkWithOne() {
    assertEquals(
        WaitKind.OTHER,
        parked(
            "java.util.concurrent.Semaphore.acquire" + WORKER,
            "java.util.concurrent.Semaphore$NonfairSync"));
  }

  @Test
  void answersThatAClientWaitsForOnAMonitorAreCalls() {
    expect(
        WaitKind.DOWNSTREAM,
        "ZooKeeper",
        WAIT
            + "org.apache.zookeeper.ClientCnxn.submitRequest org.apache.zookeeper.ZooKeeper.getData");
    expect(
        WaitKind.DOWNSTREAM,
        "RabbitMQ",
        WAIT
            + "com.rabbitmq.utility.BlockingCell.get com.rabbitmq.utility.BlockingCell.uninterruptibleGet"
            + " com.rabbitmq.client.impl.AMQChannel.privateRpc");
    expect(
        WaitKind.DOWNSTREAM,
        "Kafka",
        WAIT
            + "org.apache.kafka.common.utils.SystemTime.waitObject"
            + " org.apache.kafka.clients.producer.internals.ProducerMetadata.awaitUpdate"
            + " org.apache.kafka.clients.producer.KafkaProducer.waitOnMetadata");
  }

  @Test
  void aProducerWhoseBufferIsFullWaitsForItsBroker() {
    expect(
        WaitKind.DOWNSTREAM,
        "Kafka (buffer memory)",
        PARK
            + "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await"
            + " org.apache.kafka.clients.producer.internals.BufferPool.allocate"
            + " org.apache.kafka.clients.producer.internals.RecordAccumulator.append"
            + " org.apache.kafka.clients.producer.KafkaProducer.doSend");
  }

  @Test
  void twoConnectionsForARouteAreAPool() {
    expect(
        WaitKind.POOL,
        "Apache HttpClient 4",
        PARK
            + "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.awaitUntil"
            + " org.apache.http.pool.AbstractConnPool.getPoolEntryBlocking"
            + " org.apache.http.pool.AbstractConnPool.access$300"
            + " org.apache.http.impl.execchain.MainClientExec.execute");
  }

  @Test
  void testingAConnectionOnEachBorrowIsACall() {
    expect(
        WaitKind.DOWNSTREAM,
        "PostgreSQL",
        "sun.nio.ch.Net.poll sun.nio.ch.NioSocketImpl.park sun.nio.ch.NioSocketImpl.read"
            + " java.net.Socket$SocketInputStream.read org.postgresql.core.VisibleBufferedInputStream.readMore"
            + " org.postgresql.jdbc.PgConnection.isValid com.zaxxer.hikari.pool.PoolBase.isConnectionDead"
            + " com.zaxxer.hikari.pool.HikariPool.getConnection");
  }

  @Test
  void lookingUpAHostIsACall() {
    StackKind kind =
        classify(
            "java.net.Inet4AddressImpl.lookupAllHostAddr java.net.InetAddress$PlatformNameService.lookupAllHostAddr"
                + " java.net.InetAddress.getAllByName"
                + " org.apache.hc.client5.http.SystemDefaultDnsResolver.resolve"
                + REQUEST,
            "RUNNABLE",
            Optional.empty());
    assertEquals(WaitKind.DOWNSTREAM, kind.waitsFor());
  }

  @Test
  void binsOfAMapThatIsBeingFilledAndClassesBeingLoadedAreLocks() {
    for (String frames :
        List.of(
            "java.util.concurrent.ConcurrentHashMap.computeIfAbsent",
            "java.lang.ClassLoader.loadClass jdk.internal.loader.ClassLoaders$AppClassLoader.loadClass",
            "sun.security.provider.NativePRNG$RandomIO.implNextBytes java.security.SecureRandom.nextBytes",
            "org.apache.logging.log4j.core.appender.OutputStreamManager.writeBytes")) {
      assertEquals(
          WaitKind.LOCK,
          classify(frames + REQUEST, "BLOCKED", Optional.of("java.lang.Object")).waitsFor(),
          frames);
    }
    assertEquals(
        WaitKind.LOCK,
        parked(
            "java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock.lock" + REQUEST,
            "java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync"));
  }

  @Test
  void dumpsOfVirtualThreadsNameNoClassParkedOnAndTheFramesDo() {
    String virtual =
        "java.lang.VirtualThread.park jdk.internal.misc.VirtualThreads.park"
            + " java.util.concurrent.locks.LockSupport.park ";
    expect(
        WaitKind.OTHER,
        "java.util.concurrent.CompletableFuture$Signaller",
        virtual
            + "java.util.concurrent.CompletableFuture$Signaller.block"
            + " java.util.concurrent.ForkJoinPool.unmanagedBlock"
            + " java.util.concurrent.ForkJoinPool.managedBlock"
            + " java.util.concurrent.CompletableFuture.waitingGet"
            + " java.util.concurrent.CompletableFuture.join");
    expect(
        WaitKind.OTHER,
        "java.util.concurrent.FutureTask",
        virtual + "java.util.concurrent.FutureTask.awaitDone java.util.concurrent.FutureTask.get");
  }

  @Test
  void whatAnotherProcessWritesOrAUserTypesIsNoSlowFile() {
    for (String reader :
        List.of(
            "org.apache.commons.exec.StreamPumper.run",
            "java.lang.ProcessImpl$ProcessPipeInputStream.drainInputStream",
            "java.io.Console.readLine",
            "org.jline.reader.impl.LineReaderImpl.readLine")) {
      StackKind kind =
          FrameBook.standard()
              .classify(
                  List.of(
                      "java.io.FileInputStream.readBytes",
                      "java.io.FileInputStream.read",
                      reader,
                      "com.acme.Orders.find"),
                  "RUNNABLE",
                  Optional.empty());
      assertEquals(WaitKind.OTHER, kind.waitsFor(), reader);
      assertEquals("pipe or standard input", kind.name(), reader);
    }
    StackKind written =
        FrameBook.standard()
            .classify(
                List.of(
                    "java.io.FileOutputStream.writeBytes",
                    "java.io.FileOutputStream.write",
                    "org.apache.commons.exec.StreamPumper.run"),
                "RUNNABLE",
                Optional.empty());
    assertEquals(WaitKind.FILE, written.waitsFor());
  }

  @Test
  void locksAndFuturesOfLibrariesAreKnownByTheirNames() {
    expect(
        WaitKind.LOCK,
        "NonfairLockQueue",
        WAIT
            + "org.basex.core.locks.NonfairLockQueue.acquire org.basex.core.locks.Locking.acquire");
    expect(
        WaitKind.OTHER,
        "org.apache.ignite.internal.util.future.GridFutureAdapter",
        PARK
            + "org.apache.ignite.internal.util.future.GridFutureAdapter.get0"
            + " org.apache.ignite.internal.util.future.GridFutureAdapter.get");
  }

  @Test
  void aStatementThatWaitsInAProtocolIsACallOfADriverOfAnyName() {
    expect(
        WaitKind.DOWNSTREAM,
        "com.impossibl.postgres",
        PARK
            + "java.util.concurrent.CountDownLatch.await"
            + " com.impossibl.postgres.utils.Await.awaitUninterruptibly"
            + " com.impossibl.postgres.protocol.RequestExecutorHandlers$Result.await"
            + " com.impossibl.postgres.jdbc.PGPreparedStatement.executeQuery"
            + " com.zaxxer.hikari.pool.HikariProxyPreparedStatement.executeQuery");
    // An embedded database has statements as well, and no network.
    expect(
        WaitKind.OTHER,
        "",
        PARK
            + "java.util.concurrent.CountDownLatch.await"
            + " org.apache.derby.impl.store.Compactor.await"
            + " org.apache.derby.impl.jdbc.EmbedPreparedStatement.executeQuery");
  }

  @Test
  void whoListensForTheNextNotificationIsIdle() {
    String listens =
        "sun.nio.ch.Net.poll sun.nio.ch.NioSocketImpl.park sun.nio.ch.NioSocketImpl.timedRead"
            + " java.net.Socket$SocketInputStream.read org.postgresql.core.PGStream.receiveChar"
            + " org.postgresql.core.v3.QueryExecutorImpl.processNotifies"
            + " org.postgresql.jdbc.PgConnection.getNotifications";
    assertEquals(
        WaitKind.IDLE, classify(listens + WORKER, "RUNNABLE", Optional.empty()).waitsFor());
  }
}
