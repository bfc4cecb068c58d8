package io.gcdiag.read.dumps;

import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.frames.FrameBook;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.time.Instant;
import java.util.Optional;

/** What is made of dumps, of samples and of threads written out here. */
final class SnapshotScene {

  static final Instant AT = Instant.parse("2026-01-02T03:04:05Z");

  static ThreadSnapshot snapshot(ParsedDump dump) {
    return new ThreadSnapshots(FrameBook.standard(), Redactor.off())
        .of(dump, Optional.of(AT), Source.line("dump.txt", dump.line()));
  }

  static ThreadSnapshot sample(String name) throws IOException {
    try (InputStream in = Files.newInputStream(SampleFiles.file("thread-dumps/" + name))) {
      return snapshot(ThreadDumps.parse(in).get(0));
    }
  }

  static String borrower(int number) {
    return """
        "http-nio-8080-exec-%d" #%d daemon prio=5 os_prio=0 cpu=1.00ms elapsed=9.0s tid=0x1 nid=0x2
           java.lang.Thread.State: TIMED_WAITING (parking)
        \tat jdk.internal.misc.Unsafe.park(java.base@17/Native Method)
        \t- parking to wait for  <0x1> (a java.util.concurrent.SynchronousQueue$TransferStack)
        \tat java.util.concurrent.locks.LockSupport.parkNanos(java.base@17/LockSupport.java:252)
        \tat com.zaxxer.hikari.util.ConcurrentBag.borrow(ConcurrentBag.java:151)
        \tat com.zaxxer.hikari.pool.HikariPool.getConnection(HikariPool.java:162)
        \tat com.zaxxer.hikari.pool.HikariPool.getConnection(HikariPool.java:144)
        \tat com.acme.Orders.find(Orders.java:20)

        """
        .formatted(number, number);
  }

  static String thread(String name, String stateAndStack) {
    return "\"" + name + "\" #9 daemon prio=5 os_prio=0 tid=0x1 nid=0x2\n" + stateAndStack + "\n";
  }

  static String blocked(String lock, String owned) {
    return """
           java.lang.Thread.State: BLOCKED (on object monitor)
        \tat com.acme.Cart.add(Cart.java:29)
        \t- waiting to lock <%s> (a com.acme.Cart)
        \tat com.acme.Shop.buy(Shop.java:7)
        \t- locked <%s> (a com.acme.Shop)

        """
        .formatted(lock, owned);
  }

  private SnapshotScene() {}
}
