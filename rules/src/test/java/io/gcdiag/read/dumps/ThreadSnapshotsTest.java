package io.gcdiag.read.dumps;

import static io.gcdiag.read.dumps.SnapshotScene.AT;
import static io.gcdiag.read.dumps.SnapshotScene.blocked;
import static io.gcdiag.read.dumps.SnapshotScene.borrower;
import static io.gcdiag.read.dumps.SnapshotScene.sample;
import static io.gcdiag.read.dumps.SnapshotScene.snapshot;
import static io.gcdiag.read.dumps.SnapshotScene.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadSnapshotsTest {

  @Test
  void aBorrowerCountsOnceAlthoughTwoOfItsFramesAreThePools() throws IOException {
    StringBuilder dump =
        new StringBuilder("Full thread dump OpenJDK 64-Bit Server VM (17 mixed mode):\n\n");
    for (int i = 0; i < 196; i++) {
      dump.append(borrower(i));
    }
    dump.append(
        thread(
            "http-nio-8080-exec-900",
            """
               java.lang.Thread.State: RUNNABLE
            \tat sun.nio.ch.Net.poll(java.base@17/Native Method)
            \tat sun.nio.ch.NioSocketImpl.park(java.base@17/NioSocketImpl.java:181)
            \tat org.postgresql.core.VisibleBufferedInputStream.read(V.java:1)
            """));
    dump.append(
        thread(
            "http-nio-8080-exec-901",
            """
               java.lang.Thread.State: WAITING (parking)
            \tat jdk.internal.misc.Unsafe.park(java.base@17/Native Method)
            \tat org.apache.tomcat.util.threads.TaskQueue.take(TaskQueue.java:1)
            """));
    dump.append(
        thread(
            "worker",
            """
               java.lang.Thread.State: RUNNABLE
            \tat com.acme.Hash.round(Hash.java:1)
            """));
    ThreadSnapshot snapshot = snapshot(ThreadDumps.parse(new StringReader(dump.toString())).get(0));
    assertEquals(199, snapshot.threads().size());
    assertEquals(196, snapshot.count(ThreadActivity.WAITING_FOR_POOL));
    assertEquals(1, snapshot.count(ThreadActivity.IN_DOWNSTREAM_CALL));
    assertEquals(1, snapshot.count(ThreadActivity.IDLE));
    assertEquals(1, snapshot.count(ThreadActivity.RUNNING));
    assertEquals(198, snapshot.threads().stream().filter(ThreadState::requestThread).count());
    assertEquals("HikariCP", snapshot.threads().get(0).subject());
    assertEquals("", snapshot.threads().get(198).subject());
    assertEquals(Optional.of(AT), snapshot.at());
    assertEquals("dump.txt:1", snapshot.source().toString());
  }

  // Lock waiters: 4 threads BLOCKED (grep -c 'State: BLOCKED') and 2 that park on a ReentrantLock
  // (grep -c 'parking to wait for.*ReentrantLock'); the dump to file adds 2 virtual threads.
  @ParameterizedTest
  @CsvSource({
    "jcmd-jdk8.txt, 6",
    "jcmd-jdk11.txt, 6",
    "jcmd-jdk17-container-prefix.txt, 6",
    "sigquit-jdk25.txt, 6",
    "dump-to-file-jdk25.txt, 8",
    "dump-to-file-jdk25.json, 8"
  })
  void waitersForLocksAreCountedInEveryDialect(String name, int waiting) throws IOException {
    ThreadSnapshot snapshot = sample(name);
    assertEquals(waiting, snapshot.count(ThreadActivity.WAITING_FOR_LOCK));
    assertEquals(0, snapshot.count(ThreadActivity.WAITING_FOR_POOL));
    assertEquals(0, snapshot.count(ThreadActivity.IN_DOWNSTREAM_CALL));
  }

  @Test
  void theThreadsOfTheJvmItselfDoNotCountAsRunning() throws IOException {
    // Of the 9 threads RUNNABLE, 8 have no frames or wait natively ("Reference Handler"); a program
    // that only sleeps and waits has none that computes.
    ThreadSnapshot snapshot = sample("jstack-l-jdk17.txt");
    List<String> running =
        snapshot.threads().stream()
            .filter(thread -> thread.activity() == ThreadActivity.RUNNING)
            .map(ThreadState::name)
            .toList();
    assertEquals(List.of(), running);
    assertTrue(snapshot.deadlocks().threads().containsAll(List.of("dead-0", "dead-1")));
  }

  @Test
  void aSelectorOnAThreadOfTheServersPoolIsNoRequestThreadWithoutWork() throws IOException {
    String dump =
        """
        Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):

        "qtp1234-28" #28 prio=5 os_prio=0 cpu=1.00ms elapsed=9.0s tid=0x1 nid=0x2 runnable
           java.lang.Thread.State: RUNNABLE
        \tat sun.nio.ch.EPoll.wait(java.base@17/Native Method)
        \tat sun.nio.ch.SelectorImpl.select(java.base@17/SelectorImpl.java:146)
        \tat org.eclipse.jetty.io.ManagedSelector$SelectorProducer.select(ManagedSelector.java:644)

        "qtp1234-29" #29 prio=5 os_prio=0 cpu=1.00ms elapsed=9.0s tid=0x1 nid=0x3 waiting on condition
           java.lang.Thread.State: TIMED_WAITING (parking)
        \tat jdk.internal.misc.Unsafe.park(java.base@17/Native Method)
        \tat org.eclipse.jetty.util.thread.QueuedThreadPool.idleJobPoll(QueuedThreadPool.java:1120)

        """;
    List<ThreadState> threads =
        snapshot(ThreadDumps.parse(new StringReader(dump)).get(0)).threads();
    assertEquals(List.of(false, true), threads.stream().map(ThreadState::requestThread).toList());
  }

  @ParameterizedTest
  @CsvSource({"dump-to-file-jdk25.txt", "dump-to-file-jdk25.json"})
  void virtualThreadsAreToldByTheirOutermostFrame(String name) throws IOException {
    // grep -c 'java.lang.VirtualThread.run('
    assertEquals(5, sample(name).threads().stream().filter(ThreadState::virtual).count());
  }

  @Test
  void theSameStackHasTheSameNumberAndCpuTimeIsKept() throws IOException {
    String dump =
        "2024-05-01 10:00:00\nFull thread dump OpenJDK 64-Bit Server VM (17):\n\n"
            + thread("a-1", blocked("0x01", "0x02"))
            + thread("b-1", blocked("0x01", "0x03"))
            + thread("c-1", "   java.lang.Thread.State: RUNNABLE\n\tat com.acme.A.b(A.java:1)\n\n");
    dump = dump.replace(" os_prio=0 ", " os_prio=0 cpu=1.50ms elapsed=9.00s ");
    List<ThreadPosition> standing =
        snapshot(ThreadDumps.parse(new StringReader(dump)).get(0)).threads().stream()
            .map(ThreadState::standing)
            .toList();

    assertEquals(standing.get(0).stack(), standing.get(1).stack());
    assertNotEquals(standing.get(0).stack(), standing.get(2).stack());
    assertEquals("com.acme.Cart.add", standing.get(0).at());
    assertEquals(1_500_000, standing.get(0).cpuNanos());
  }
}
