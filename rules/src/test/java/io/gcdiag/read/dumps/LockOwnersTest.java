package io.gcdiag.read.dumps;

import static io.gcdiag.read.dumps.SnapshotScene.blocked;
import static io.gcdiag.read.dumps.SnapshotScene.snapshot;
import static io.gcdiag.read.dumps.SnapshotScene.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.threads.LockOwner;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.WaitKind;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LockOwnersTest {

  @Test
  void theOwnerOfAMonitorIsFoundWithWhatItDoes() throws IOException {
    String owner =
        """
           java.lang.Thread.State: RUNNABLE
        \tat sun.nio.ch.FileDispatcherImpl.force0(java.base@17/Native Method)
        \tat sun.nio.ch.FileChannelImpl.force(java.base@17/FileChannelImpl.java:471)
        \tat com.acme.Journal.add(Journal.java:32)
        \t- locked <0x0000000081> (a com.acme.Journal)

        """;
    String waiting =
        """
           java.lang.Thread.State: BLOCKED (on object monitor)
        \tat com.acme.Journal.add(Journal.java:29)
        \t- waiting to lock <0x0000000081> (a com.acme.Journal)

        """;
    ThreadSnapshot dump =
        snapshot(
            ThreadDumps.parse(
                    new StringReader(
                        "2024-05-01 10:00:00\nFull thread dump OpenJDK 64-Bit Server VM (17):\n\n"
                            + thread("worker-1", owner)
                            + thread("worker-2", waiting)
                            + thread("worker-3", waiting)))
                .get(0));
    assertEquals(
        List.of(
            new LockOwner(
                2,
                "worker-1",
                Optional.of(WaitKind.FILE),
                "file",
                Optional.of(new CodePlace("com.acme.Journal.add", 32)),
                Optional.empty())),
        dump.lockOwners());
    assertEquals(
        List.of("com.acme.Journal.add:32", "com.acme.Journal.add:29", "com.acme.Journal.add:29"),
        dump.threads().stream().map(one -> one.standing().own().get().toString()).toList());
  }

  private static List<LockOwner> owners(String threads) throws IOException {
    String heading = "2024-05-01 10:00:00\nFull thread dump OpenJDK 64-Bit Server VM (17):\n\n";
    return snapshot(ThreadDumps.parse(new StringReader(heading + threads)).get(0)).lockOwners();
  }

  @Test
  void anOwnerThatWaitsIsFollowedToTheOneThatKeepsAllWaiting() throws IOException {
    String runs =
        """
           java.lang.Thread.State: RUNNABLE
        \tat com.acme.Report.render(Report.java:32)
        \t- locked <0x03> (a com.acme.Cart)

        """;
    List<LockOwner> owners =
        owners(
            thread("a-1", blocked("0x01", "0x99"))
                + thread("b-1", blocked("0x02", "0x01"))
                + thread("c-1", blocked("0x03", "0x02"))
                + thread("d-1", runs));

    assertEquals(List.of("d-1", "d-1", "d-1"), owners.stream().map(LockOwner::owner).toList());
    assertEquals(Optional.empty(), owners.get(0).doing());
  }

  @Test
  void aCircleHasNoEndAndItsOwnersStayAsTheyAre() throws IOException {
    List<LockOwner> owners =
        owners(thread("a-1", blocked("0x02", "0x01")) + thread("b-1", blocked("0x01", "0x02")));

    assertEquals(List.of("a-1", "b-1"), owners.stream().map(LockOwner::owner).toList());
  }

  @Test
  void theOwnerOfASynchronizerIsListedBelowItsStack() throws IOException {
    String owner =
        """
           java.lang.Thread.State: RUNNABLE
        \tat com.acme.Tax.of(Tax.java:3)
        \tat com.acme.Prices$Rule.compute(Prices.java:7)
        \tat com.acme.Prices.renew(Prices.java:9)

           Locked ownable synchronizers:
        \t- <0x00000000f1> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)

        """;
    String waiting =
        """
           java.lang.Thread.State: WAITING (parking)
        \tat jdk.internal.misc.Unsafe.park(java.base@17/Native Method)
        \t- parking to wait for  <0x00000000f1> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
        \tat java.util.concurrent.locks.ReentrantLock.lock(java.base@17/ReentrantLock.java:322)
        \tat com.acme.Prices.price(Prices.java:5)

        """;
    ThreadSnapshot dump =
        snapshot(
            ThreadDumps.parse(
                    new StringReader(
                        "2024-05-01 10:00:00\nFull thread dump OpenJDK 64-Bit Server VM (17):\n\n"
                            + thread("worker-1", owner)
                            + thread("worker-2", waiting)))
                .get(0));
    assertEquals(
        List.of(
            new LockOwner(
                1,
                "worker-1",
                Optional.empty(),
                "",
                Optional.of(new CodePlace("com.acme.Prices$Rule.compute", 7)),
                Optional.empty())),
        dump.lockOwners());
  }

  /** The monitor is entered in the library, below the service's code that calls it. */
  @Test
  void aLockThatALibraryHoldsHasItsPlaceThere() throws IOException {
    String stack =
        """
        \tat com.fasterxml.jackson.databind.ObjectMapper.readValue(ObjectMapper.java:3700)
        \tat com.acme.Feed.parse(Feed.java:30)

        """;
    String holds =
        """
           java.lang.Thread.State: RUNNABLE
        \tat java.lang.String.intern(java.base@17/Native Method)
        \tat com.fasterxml.jackson.core.util.InternCache.intern(InternCache.java:55)
        \t- locked <0x01> (a java.lang.Object)
        """;
    String waits =
        """
           java.lang.Thread.State: BLOCKED (on object monitor)
        \tat com.fasterxml.jackson.core.util.InternCache.intern(InternCache.java:54)
        \t- waiting to lock <0x01> (a java.lang.Object)
        """;
    LockOwner owner = owners(thread("a-1", holds + stack) + thread("a-2", waits + stack)).get(0);
    assertEquals(Optional.of(new CodePlace("com.acme.Feed.parse", 30)), owner.held());
    assertEquals(
        Optional.of(
            new LockOwner.InLibrary(
                new CodePlace("com.fasterxml.jackson.core.util.InternCache.intern", 55),
                "java.lang.String.intern")),
        owner.library());
  }

  /** Holders of read locks are in no dump; one that gives it back holds it still. */
  @Test
  void aThreadThatReleasesAReadLockHoldsIt() throws IOException {
    String releases =
        """
           java.lang.Thread.State: RUNNABLE
        \tat java.lang.ThreadLocal.remove(java.base@17/ThreadLocal.java:303)
        \tat java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock.unlock(java.base@17/ReentrantReadWriteLock.java:897)
        \tat org.apache.lucene.search.LRUQueryCache.get(LRUQueryCache.java:289)

        """;
    String wants =
        """
           java.lang.Thread.State: WAITING (parking)
        \tat jdk.internal.misc.Unsafe.park(java.base@17/Native Method)
        \t- parking to wait for  <0x01> (a java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync)
        \tat java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock.lock(java.base@17/ReentrantReadWriteLock.java:959)
        \tat org.apache.lucene.search.LRUQueryCache.putIfAbsent(LRUQueryCache.java:309)

        """;
    LockOwner owner = owners(thread("s-1", wants) + thread("s-2", releases)).get(0);
    assertEquals("s-2", owner.owner());
    assertEquals(
        Optional.of(
            new LockOwner.InLibrary(
                new CodePlace("org.apache.lucene.search.LRUQueryCache.get", 289),
                "java.lang.ThreadLocal.remove in"
                    + " java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock.unlock")),
        owner.library());
  }

  @Test
  void aJavacoreSaysBelowAFrameThatItEnteredAMonitor() throws IOException {
    ThreadSnapshot dump =
        snapshot(
            ThreadDumps.parse(
                    new StringReader(
                        """
                        0SECTION       TITLE subcomponent dump routine
                        1TIDATETIMEUTC Date: 2026/03/01 at 10:00:05:250 (UTC)
                        0SECTION       THREADS subcomponent dump routine
                        3XMTHREADINFO      "worker-1" J9VMThread:0x0000000000000001, state:R, prio=5
                        4XESTACKTRACE                at com/acme/Prices$Rule.compute(Prices.java:7(Compiled Code))
                        4XESTACKTRACE                at com/acme/Prices.renew(Prices.java:9)
                        5XESTACKTRACE                   (entered lock: com/acme/Prices@0x00000000FFF4A1B0, entry count: 1)
                        NULL
                        3XMTHREADINFO      "worker-2" J9VMThread:0x0000000000000002, state:B, prio=5
                        3XMTHREADBLOCK     Blocked on: com/acme/Prices@0x00000000FFF4A1B0 Owned by: "worker-1" (J9VMThread:0x0000000000000001)
                        4XESTACKTRACE                at com/acme/Prices.price(Prices.java:5)
                        NULL
                        """))
                .get(0));
    assertEquals(List.of("worker-1"), dump.lockOwners().stream().map(LockOwner::owner).toList());
    assertEquals(
        Optional.of(new CodePlace("com.acme.Prices.renew", 9)), dump.lockOwners().get(0).held());
  }

  @Test
  void aMonitorThatIsWaitedOnIsNotOwned() throws IOException {
    String waits =
        """
           java.lang.Thread.State: WAITING (on object monitor)
        \tat java.lang.Object.wait(java.base@17/Native Method)
        \t- waiting on <0x0000000081> (a com.acme.Queue)
        \tat com.acme.Queue.take(Queue.java:9)
        \t- locked <0x0000000081> (a com.acme.Queue)

        """;
    ParsedThread thread =
        ThreadDumps.parse(
                new StringReader(
                    "2024-05-01 10:00:00\nFull thread dump OpenJDK 64-Bit Server VM (17):\n\n"
                        + thread("worker-1", waits)))
            .get(0)
            .threads()
            .get(0);
    assertEquals(List.of(), thread.locks().owned());
  }
}
