package io.gcdiag.read.dumps;

import static io.gcdiag.read.dumps.SnapshotScene.blocked;
import static io.gcdiag.read.dumps.SnapshotScene.snapshot;
import static io.gcdiag.read.dumps.SnapshotScene.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.gcdiag.evidence.threads.Deadlocks;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.fixtures.SampleFiles;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WaitCirclesTest {

  private static final String PRINTED =
      "2024-05-01 10:00:00\nFull thread dump OpenJDK 64-Bit Server VM (17):\n\n";

  private static Deadlocks deadlocks(String dump) throws IOException {
    return snapshot(ThreadDumps.parse(new StringReader(dump)).get(0)).deadlocks();
  }

  @Test
  void aCircleOfOwnersIsFoundThoughTheDumpIsCutBeforeTheJvmsReport() throws IOException {
    String threads =
        thread("a", blocked("0x02", "0x01"))
            + thread("waits-for-a", blocked("0x01", "0x09"))
            + thread("b", blocked("0x03", "0x02"))
            + thread("c", blocked("0x01", "0x03"));
    assertEquals(List.of("a", "b", "c"), deadlocks(PRINTED + threads).threads());
  }

  @Test
  void aChainThatEndsIsNone() throws IOException {
    String threads =
        thread("a", blocked("0x02", "0x01"))
            + thread("b", blocked("0x03", "0x02"))
            + thread("c", blocked("0x04", "0x03"));
    assertEquals(
        Deadlocks.NONE, deadlocks(PRINTED + threads + "JNI global refs: 14, weak refs: 0\n"));
    assertEquals(new Deadlocks(List.of(), false), deadlocks(PRINTED + threads));
  }

  /** As {@code jcmd PID Thread.dump_to_file} of JDK 25 writes it. */
  private static String toFile(String name, String owns, String wants) {
    return "#22 \""
        + name
        + "\" BLOCKED 2026-11-22T13:32:11.441281748Z\n"
        + "    at com.acme.Transfer.move(Transfer.java:8)\n"
        + "    - locked <com.acme.Account@"
        + owns
        + ">\n    - waiting to lock <com.acme.Account@"
        + wants
        + ">\n    at java.base/java.lang.Thread.run(Thread.java:1474)\n\n";
  }

  private static final String FILE_HEADING = "4711\n2026-11-22T13:32:10.985386335Z\n25.0.3+9\n\n";

  @Test
  void aDumpToFileInWhichTheJvmLooksForNoneShowsThemToo() throws IOException {
    String circle = toFile("mon-1", "a1", "b2") + toFile("mon-2", "b2", "a1");
    assertEquals(List.of("mon-1", "mon-2"), deadlocks(FILE_HEADING + circle).threads());
  }

  @Test
  void aDumpToFileThatLeavesAnOwnerOutCannotRuleThemOut() throws IOException {
    assertEquals(
        new Deadlocks(List.of(), false), deadlocks(FILE_HEADING + toFile("mon-1", "a1", "b2")));
  }

  /** Recorded: the JVM prints what each waits for, and finds no deadlock. */
  @Test
  void classesThatInitializeEachOtherAreADeadlock() throws IOException {
    String dump =
        Files.readString(
            SampleFiles.file("thread-dumps/jcmd-jdk17-class-initialization.txt"),
            StandardCharsets.UTF_8);
    assertEquals(List.of("source-1", "sink-1"), deadlocks(dump).threads().stream().toList());
  }

  /** JDK 8 does not print the class: all that initialize one wait for one. */
  @Test
  void classesThatInitializeEachOtherAreADeadlockOnJdk8() throws IOException {
    String both = starter("a", "A") + starter("b", "B");
    assertEquals(List.of("a", "b"), deadlocks(HEAD + both).threads());
    // A third one that runs may be the one that both wait for.
    Deadlocks open = deadlocks(HEAD + both + running("c", "C"));
    assertEquals(List.of(), open.threads());
    assertFalse(open.complete());
  }

  private static final String HEAD =
      "Full thread dump OpenJDK 64-Bit Server VM (25.265-b01 mixed mode):\n\n";

  private static String starter(String name, String type) {
    return "\""
        + name
        + "\" #7 prio=5 os_prio=0 tid=0x00007f1 nid=0x7 in Object.wait() [0x00007f2]\n"
        + "   java.lang.Thread.State: RUNNABLE\n\tat com.acme."
        + type
        + ".<clinit>("
        + type
        + ".java:3)\n\tat java.lang.Thread.run(Thread.java:748)\n\n";
  }

  private static String running(String name, String type) {
    return starter(name, type).replace("in Object.wait()", "runnable");
  }

  private static String stack(String state, String... lines) {
    return "   java.lang.Thread.State: " + state + "\n\t" + String.join("\n\t", lines) + "\n\n";
  }

  private static final String JOIN =
      stack(
          "WAITING (parking)",
          "at jdk.internal.misc.Unsafe.park(java.base@17/Native Method)",
          "- parking to wait for  <0x0a> (a java.util.stream.ReduceOps$ReduceTask)",
          "at java.util.concurrent.locks.LockSupport.park(java.base@17/LockSupport.java:341)",
          "at java.util.concurrent.ForkJoinTask.awaitDone(java.base@17/ForkJoinTask.java:468)",
          "at java.util.concurrent.ForkJoinTask.invoke(java.base@17/ForkJoinTask.java:687)",
          "at com.acme.Rates.<clinit>(Rates.java:9)",
          "at com.acme.Quotes.quote(Quotes.java:5)");

  private static String forRates(String outermost) {
    return stack(
        "RUNNABLE",
        "at com.acme.Quotes.quote(Quotes.java:5)",
        "- waiting on the Class initialization monitor for com.acme.Rates",
        "at " + outermost);
  }

  private static final String WORKER =
      "java.util.concurrent.ForkJoinWorkerThread.run(java.base@17/ForkJoinWorkerThread.java:165)";

  private static final String END = "JNI global refs: 14, weak refs: 0\n";

  @Test
  void anInitializerWaitsForTasksThatWaitForItsClass() throws IOException {
    String dump =
        PRINTED
            + thread("first", JOIN)
            + thread("worker-1", forRates(WORKER))
            + thread("worker-2", forRates(WORKER))
            + thread("http-nio-80-exec-7", forRates("java.lang.Thread.run(Thread.java:8)"));
    Deadlocks found = deadlocks(dump + END);
    assertEquals(List.of("first", "worker-1", "worker-2"), found.threads());
    assertEquals(Deadlocks.Kind.CLASSES, found.kind());
    assertEquals(
        List.of(
            "first waits for a task, run by worker-1, worker-2",
            "worker-1, worker-2 wait for the class com.acme.Rates, initialized by first"),
        found.links());
    assertEquals(
        Map.of(ThreadActivity.OTHER, 1, ThreadActivity.WAITING_FOR_LOCK, 3), found.behind());
    // One worker that computes may be the one that runs the task.
    String running = stack("RUNNABLE", "at com.acme.Rates.rate(Rates.java:30)", "at " + WORKER);
    Deadlocks open = deadlocks(dump + thread("worker-3", running) + END);
    assertEquals(List.of(), open.threads());
  }

  private static String loop(boolean waiting) {
    String outside = "at io.netty.channel.epoll.EpollEventLoop.run(EpollEventLoop.java:410)";
    return waiting
        ? stack(
            "TIMED_WAITING (parking)",
            "at jdk.internal.misc.Unsafe.park(java.base@17/Native Method)",
            "- parking to wait for  <0x0b> (a java.util.concurrent.CompletableFuture$Signaller)",
            "at java.util.concurrent.locks.LockSupport.parkNanos(java.base@17/LockSupport.java:2)",
            "at java.util.concurrent.CompletableFuture.get(java.base@17/CompletableFuture.java:2)",
            "at io.lettuce.core.protocol.AsyncCommand.await(AsyncCommand.java:83)",
            "at io.lettuce.core.LettuceFutures.awaitOrCancel(LettuceFutures.java:112)",
            "at com.acme.Prices.message(Prices.java:44)",
            "at io.lettuce.core.pubsub.PubSubEndpoint.notifyListeners(PubSubEndpoint.java:191)",
            outside)
        : stack(
            "RUNNABLE",
            "at io.netty.channel.epoll.Native.epollWait(Native Method)",
            "at io.netty.channel.epoll.EpollEventLoop.epollWait(EpollEventLoop.java:281)",
            outside);
  }

  private static final String ASKS =
      loop(true)
          .replaceAll(
              "at io.lettuce.core.pubsub.*\n\tat io.netty.*", "at com.acme.Web.get(Web.java:1)");

  @Test
  void anEventLoopWaitsForAnAnswerThatItHasToRead() throws IOException {
    String dump =
        PRINTED
            + thread("lettuce-epollEventLoop-5-1", loop(true))
            + thread("http-nio-80-exec-7", ASKS)
            + thread("http-nio-80-exec-8", ASKS);
    Deadlocks found = deadlocks(dump + END);
    assertEquals(List.of("lettuce-epollEventLoop-5-1"), found.threads());
    assertEquals(Deadlocks.Kind.ANSWERS, found.kind());
    assertEquals(3, found.stuck());
    // The other loop may be the one that reads what they wait for.
    Deadlocks open = deadlocks(dump + thread("lettuce-epollEventLoop-5-2", loop(false)) + END);
    assertEquals(List.of(), open.threads());
    assertFalse(open.complete());
  }

  private static final String BORROWS =
      stack(
          "TIMED_WAITING (parking)",
          "at jdk.internal.misc.Unsafe.park(java.base@17/Native Method)",
          "- parking to wait for  <0x0c> (a java.util.concurrent.SynchronousQueue$TransferStack)",
          "at java.util.concurrent.locks.LockSupport.parkNanos(java.base@17/LockSupport.java:252)",
          "at com.zaxxer.hikari.util.ConcurrentBag.borrow(ConcurrentBag.java:151)",
          "at com.zaxxer.hikari.pool.HikariPool.getConnection(HikariPool.java:162)",
          "at com.acme.Stock.load(Stock.java:20)",
          "at com.acme.Stock.get(Stock.java:12)",
          "- locked <0x0d> (a com.acme.Stock)");

  private static String holder(String lastLines) {
    return stack(
        "BLOCKED (on object monitor)",
        "at com.acme.Stock.get(Stock.java:11)",
        "- waiting to lock <0x0d> (a com.acme.Stock)",
        "at com.acme.Orders.book(Orders.java:31)",
        lastLines);
  }

  private static final String IN_TRANSACTION =
      "at org.springframework.transaction.interceptor.TransactionAspectSupport"
          + ".invokeWithinTransaction(TransactionAspectSupport.java:388)";

  @Test
  void thoseWhoHoldConnectionsWaitForTheLockOfOneWhoWaitsForAConnection() throws IOException {
    String dump = PRINTED + thread("http-nio-80-exec-1", BORROWS);
    for (int i = 2; i < 5; i++) {
      dump += thread("http-nio-80-exec-" + i, holder(IN_TRANSACTION));
    }
    Deadlocks found = deadlocks(dump + END);
    assertEquals(4, found.threads().size());
    assertEquals(Deadlocks.Kind.CONNECTIONS, found.kind());
    // One that computes may hold a connection as well, and gives it back.
    String other = stack("RUNNABLE", "at com.acme.Orders.sum(Orders.java:80)", IN_TRANSACTION);
    assertEquals(List.of(), deadlocks(dump + thread("http-nio-80-exec-9", other) + END).threads());
  }

  @Test
  void whereNoHolderOfAConnectionIsSeenACircleIsNeitherFoundNorRuledOut() throws IOException {
    Deadlocks open =
        deadlocks(
            PRINTED
                + thread("http-nio-80-exec-1", BORROWS)
                + thread("http-nio-80-exec-2", holder("at com.acme.Web.get(Web.java:1)"))
                + END);
    assertEquals(List.of(), open.threads());
    assertFalse(open.complete());
  }

  private static String locking(String half, String outside) {
    return stack(
        "WAITING (parking)",
        "at jdk.internal.misc.Unsafe.park(java.base@17/Native Method)",
        "- parking to wait for  <0x0e> (a java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync)",
        "at java.util.concurrent.locks.LockSupport.park(java.base@17/LockSupport.java:211)",
        "at java.util.concurrent.locks.ReentrantReadWriteLock$" + half + ".lock(X.java:1)",
        "at com.acme.Cache.put(Cache.java:50)",
        outside);
  }

  @Test
  void aWriterWaitsThoughNoOtherThreadReads() throws IOException {
    String dump =
        PRINTED
            + thread("http-nio-80-exec-1", locking("WriteLock", "at com.acme.Cache.load(C.java:4)"))
            + thread("http-nio-80-exec-2", locking("ReadLock", "at com.acme.Web.get(W.java:1)"));
    Deadlocks found = deadlocks(dump + END);
    assertEquals(List.of("http-nio-80-exec-1"), found.threads());
    assertEquals(Deadlocks.Kind.READERS, found.kind());
    assertEquals(Map.of(ThreadActivity.WAITING_FOR_LOCK, 2), found.behind());
    String other = stack("RUNNABLE", "at com.acme.Orders.sum(Orders.java:80)");
    assertEquals(List.of(), deadlocks(dump + thread("http-nio-80-exec-9", other) + END).threads());
  }

  @Test
  void ofThreadInfosTheOwnersShowIt() throws IOException {
    String dump =
        """
        "a" Id=22 BLOCKED on com.acme.Account@7ca48474 owned by "b" Id=21
        \tat app//com.acme.Transfer.move(Transfer.java:31)
        \t-  blocked on com.acme.Account@7ca48474
        \t-  locked com.acme.Account@13a57a3b

        "b" Id=21 BLOCKED on com.acme.Account@13a57a3b owned by "a" Id=22
        \tat app//com.acme.Transfer.move(Transfer.java:31)
        \t-  blocked on com.acme.Account@13a57a3b
        \t-  locked com.acme.Account@7ca48474

        """;
    assertEquals(List.of("a", "b"), deadlocks(dump).threads());
    // Waiting to be notified is not waiting for the thread that has the monitor meanwhile.
    String notified = dump.replace("\"a\" Id=22 BLOCKED", "\"a\" Id=22 WAITING");
    assertEquals(List.of(), deadlocks(notified).threads());
  }

  @Test
  void ofADebuggerTheAddressesShowIt() throws IOException {
    String dump =
        """
        "a@801" prio=5 tid=0x1b nid=NA waiting for monitor entry
          java.lang.Thread.State: BLOCKED
        \t blocks b@802
        \t waiting for b@802 to release lock on <0x323> (a com.acme.Account)
        \t  at com.acme.Transfer.move(Transfer.java:31)
        \t  - locked <0x324> (a com.acme.Account)

        "b@802" prio=5 tid=0x1c nid=NA waiting for monitor entry
          java.lang.Thread.State: BLOCKED
        \t blocks a@801
        \t waiting for a@801 to release lock on <0x324> (a com.acme.Account)
        \t  at com.acme.Transfer.move(Transfer.java:31)
        \t  - locked <0x323> (a com.acme.Account)

        """;
    assertEquals(List.of("a@801", "b@802"), deadlocks(dump).threads());
  }

  /** Outwards: the wait, the client called back, what reads from the network, its loop. */
  @Test
  void aClientThatAnotherLibraryCallsBackWaitsForThatLibrarysThread() throws IOException {
    String waits =
        stack(
            "TIMED_WAITING (parking)",
            "at sun.misc.Unsafe.park(Native Method)",
            "- parking to wait for  <0x0f> (a java.util.concurrent.CountDownLatch$Sync)",
            "at java.util.concurrent.CountDownLatch.await(CountDownLatch.java:277)",
            "at org.elasticsearch.client.RestClient$SyncResponseListener.get(RestClient.java:612)",
            "at org.elasticsearch.client.RestClient.performRequest(RestClient.java:212)",
            "at %s");
    String callback =
        "org.elasticsearch.client.RestClient$1.failed(RestClient.java:375)\n"
            + "\tat org.apache.http.concurrent.BasicFuture.failed(BasicFuture.java:134)\n"
            + "\tat org.apache.http.impl.nio.reactor.AbstractMultiworkerIOReactor.execute(A.java:1)";
    String loop = thread("pool-2-thread-1", waits.formatted(callback));
    assertEquals(List.of("pool-2-thread-1"), deadlocks(PRINTED + loop + END).threads());
    // A loop of the server that calls the client reads none of its answers.
    String server =
        "com.acme.Web.get(Web.java:1)\n"
            + "\tat io.netty.channel.SimpleChannelInboundHandler.channelRead(S.java:1)\n"
            + "\tat io.netty.channel.nio.NioEventLoop.run(NioEventLoop.java:450)";
    assertEquals(
        List.of(),
        deadlocks(PRINTED + thread("nioEventLoopGroup-3-1", waits.formatted(server)) + END)
            .threads());
  }
}
