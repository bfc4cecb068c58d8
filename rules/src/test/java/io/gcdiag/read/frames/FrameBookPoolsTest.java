package io.gcdiag.read.frames;

import static io.gcdiag.read.frames.FrameScene.APP;
import static io.gcdiag.read.frames.FrameScene.BOOK;
import static io.gcdiag.read.frames.FrameScene.OBJECT_WAIT;
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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameBookPoolsTest {

  private static final String BORROWS = "com.zaxxer.hikari.pool.HikariPool.getConnection";
  private static final String TEMPLATE =
      "org.springframework.transaction.support.TransactionTemplate.execute";
  private static final String INTERCEPTOR =
      "org.springframework.transaction.interceptor.TransactionAspectSupport.invokeWithinTransaction";
  private static final String QUERY = "org.springframework.jdbc.core.JdbcTemplate.execute";

  @Test
  void aTransactionInsideAnotherBorrowsASecondConnection() {
    assertTrue(
        BOOK.holdsAnother(
            List.of(BORROWS, TEMPLATE, "com.acme.Audit.log", TEMPLATE, "com.acme.Orders.buy")));
    assertTrue(
        BOOK.holdsAnother(
            List.of(BORROWS, INTERCEPTOR, "com.acme.Orders.buy", TEMPLATE, "com.acme.Shop.sell")));
  }

  @Test
  void aTransactionAloneBorrowsItsFirst() {
    assertFalse(BOOK.holdsAnother(List.of(BORROWS, TEMPLATE, "com.acme.Orders.buy")));
    // One that calls itself before the service's code runs is still the first.
    assertFalse(BOOK.holdsAnother(List.of(BORROWS, TEMPLATE, TEMPLATE, "com.acme.Orders.buy")));
    // A transaction may take its connection with its first statement only.
    assertFalse(
        BOOK.holdsAnother(
            List.of(BORROWS, QUERY, "com.acme.Orders.find", TEMPLATE, "com.acme.Orders.buy")));
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
        "PostgreSQL (opening)",
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
        "Jedis (connecting)",
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
    "ObjectPool, org.example.ObjectPool.tryTake",
    "ShopDataSource, org.example.Connections.await org.example.ShopDataSource.getConnection",
  })
  void anUnknownPoolIsKnownByItsNameOrAsADataSource(String name, String frames) {
    StackKind kind =
        BOOK.classify(
            frames(
                PARK
                    + "java.util.concurrent.Semaphore.tryAcquire "
                    + frames
                    + APP
                    + " javax.servlet.http.HttpServlet.service"),
            "TIMED_WAITING",
            Optional.of("java.util.concurrent.Semaphore$FairSync"));
    assertEquals(WaitKind.POOL, kind.waitsFor());
    assertEquals(name, kind.name());
  }

  @Test
  void aMethodThatIsKnownToWaitForItsOwnPoolDoesSoOnlyItself() {
    FrameBook book =
        BOOK.and(Set.of("clerk-*"), Map.of("com.acme.Shop.sell", "own"), Set.of(), Set.of());
    String wait = QUEUE_PARK + "java.util.concurrent.ArrayBlockingQueue.poll ";
    List<String> borrows = frames(wait + "com.acme.Shop.sell com.acme.Shop.run" + WORKER);
    StackKind borrower = book.classify(borrows, "WAITING", Optional.empty());
    assertEquals(WaitKind.POOL, borrower.waitsFor());
    assertEquals("own", borrower.name());
    // The method itself uses what it takes, and lies outside the pool with its callers.
    assertEquals(5, book.framesOutsidePool(borrows));
    String deeper = wait + "com.acme.Box.open com.acme.Shop.sell com.acme.Shop.run" + WORKER;
    assertEquals(
        WaitKind.IDLE, book.classify(frames(deeper), "WAITING", Optional.empty()).waitsFor());
    assertEquals(WaitKind.IDLE, classify(String.join(" ", borrows), "WAITING").waitsFor());
    assertTrue(book.isRequestThread("clerk-7"));
    assertFalse(BOOK.isRequestThread("clerk-7"));
  }
}
