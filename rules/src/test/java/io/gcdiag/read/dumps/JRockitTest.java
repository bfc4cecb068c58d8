package io.gcdiag.read.dumps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** By the form in Oracle's "JRockit JVM Diagnostics Guide", Using Thread Dumps. */
class JRockitTest {

  private static final String DUMP =
      """

      ===== FULL THREAD DUMP ===============
      Mon Feb  6 11:38:58 2012
      Oracle JRockit(R) R28.0.0-679-130297-1.6.0_17-20100312-2123-linux-x86_64

      "Main Thread" id=1 idx=0x4 tid=4184 prio=5 alive, in native
          at java/net/PlainSocketImpl.socketConnect(Ljava/net/InetAddress;II)V(Native Method)
          at java/net/PlainSocketImpl.connect(PlainSocketImpl.java:182)[inlined]
          ^-- Holding lock: java/net/SocksSocketImpl@0x10204E50[biased lock]
          at com/example/Client$Call.send(Client.java:29)[optimized]
          -- end of trace

      "(Signal Handler)" id=2 idx=0x8 tid=4668 prio=5 alive, daemon

      "worker-1" id=23 idx=0x50 tid=20 prio=5 alive, blocked, native_blocked, daemon
          -- Blocked trying to get lock: java/net/SocksSocketImpl@0x10204E50[fat lock]
          at jrockit/vm/Threads.waitForUnblockSignal()V(Native Method)
          at jrockit/vm/Locks.lockFat(Ljava/lang/Object;IZ)Ljava/lang/Object;(Unknown Source)[optimized]
          at com/example/Client.ask(Client.java:41)
          ^-- Holding lock: com/example/Ledger@0x20000000[thin lock]
          at jrockit/vm/RNI.c2java(IIIII)V(Native Method)
          -- end of trace

      "worker-2" id=24 idx=0x54 tid=21 prio=5 alive, waiting, native_blocked, daemon
          -- Waiting for notification on: com/example/Queue@0x30000000[fat lock]
          at java/lang/Object.wait(J)V(Native Method)
          at com/example/Queue.take(Queue.java:12)
          ^-- Lock released while waiting: com/example/Queue@0x30000000[fat lock]
          -- end of trace

      "worker-3" id=25 idx=0x58 tid=22 prio=5 alive, parked, native_blocked
          -- Parking to wait for: java/util/concurrent/locks/ReentrantLock$NonfairSync@0x40000000
          at sun/misc/Unsafe.park(ZJ)V(Native Method)
          -- end of trace

      Circular (deadlocked) lock chains
      =================================
      Chain 1:
      "worker-1" id=23 idx=0x50 tid=20 waiting for java/net/SocksSocketImpl@0x10204E50 held by:
      "Main Thread" id=1 idx=0x4 tid=4184 waiting for com/example/Ledger@0x20000000 held by:
      Open lock chains
      ================
      Chain 2:
      "worker-3" id=25 idx=0x58 tid=22 waiting for com/example/Other@0x5 held by:

      ===== END OF THREAD DUMP ===============
      """;

  private static ParsedDump dump() throws IOException {
    assertTrue(ThreadDumps.looksLikeThreadDump(DUMP));
    List<ParsedDump> dumps =
        ThreadDumps.parse(new ByteArrayInputStream(DUMP.getBytes(StandardCharsets.UTF_8)));
    assertEquals(1, dumps.size());
    return dumps.get(0);
  }

  private static ParsedThread thread(String name) throws IOException {
    return dump().threads().stream()
        .filter(thread -> thread.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void timeThreadsAndDeadlockAreRead() throws IOException {
    assertEquals(Optional.of(LocalDateTime.of(2012, 2, 6, 11, 38, 58)), dump().localTime());
    assertEquals(5, dump().threads().size());
    assertEquals(List.of("worker-1", "Main Thread"), dump().deadlocked());
  }

  @Test
  void framesHaveNeitherSlashesNorSignatures() throws IOException {
    assertEquals(
        List.of(
            "java.net.PlainSocketImpl.socketConnect",
            "java.net.PlainSocketImpl.connect",
            "com.example.Client$Call.send"),
        thread("Main Thread").frames());
    assertEquals(29, thread("Main Thread").lines().get(2));
  }

  @Test
  void theJvmsOwnFramesAreNone() throws IOException {
    assertEquals(List.of("com.example.Client.ask"), thread("worker-1").frames());
  }

  @Test
  void statesAndLocksAreThoseOfTheThread() throws IOException {
    assertEquals("RUNNABLE", thread("Main Thread").state());
    assertEquals("BLOCKED", thread("worker-1").state());
    assertEquals(Optional.of("java.net.SocksSocketImpl"), thread("worker-1").parkedClass());
    assertEquals(Optional.of("0x10204E50"), thread("worker-1").locks().wanted());
    assertTrue(thread("Main Thread").locks().owned().contains("0x10204E50"));
    assertEquals("WAITING", thread("worker-2").state());
    assertEquals(Optional.empty(), thread("worker-2").parkedClass());
    assertEquals("WAITING", thread("worker-3").state());
  }
}
