package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.frames.StackKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reads from callers are no calls: a server of its own make reads from ports of their choice. */
class WaitBookTest {

  private static final StackKind UNKNOWN =
      new StackKind(WaitKind.OTHER, "", false, "", "com.acme.TinyServer.read", false, List.of());
  private static final StackKind DRIVER =
      new StackKind(
          WaitKind.DOWNSTREAM, "PostgreSQL", true, "", "com.acme.Orders.find", false, List.of());

  /** Reads of one second from so many ports, from the first on. */
  private static int calls(StackKind stack, int firstPort, int ports) {
    FrameBook frames = FrameBook.standard();
    Stacks stacks = new Stacks(frames);
    WaitBook sites =
        new WaitBook(
            "a.jfr",
            Redactor.off(),
            stacks,
            new WaitCoverage("a.jfr"),
            new LockHandovers("a.jfr"),
            new PoolHolds("a.jfr", frames),
            new WorkerTimes(stacks, Redactor.off()));
    for (int port = firstPort; port < firstPort + ports; port++) {
      sites
          .place(WaitEvents.SOCKET_READ, stack, WaitKind.DOWNSTREAM, "127.0.0.1:" + port)
          .series(false)
          .add(Instant.EPOCH, Duration.ofSeconds(1));
    }
    IngestContext intake = new IngestContext(Redactor.off(), ReadOptions.STANDARD);
    sites.finish(intake.timeline());
    return intake.timeline().build().waits(WaitKind.DOWNSTREAM).size();
  }

  @Test
  void readsFromManyPortsThatSystemsGiveToConnectionsAreOfCallers() {
    assertEquals(0, calls(UNKNOWN, 50_000, 8));
  }

  @Test
  void aFewInstancesMayListenOnSuchPorts() {
    assertEquals(7, calls(UNKNOWN, 50_000, 7));
  }

  @Test
  void servicesOnPortsThatAreSetAreCalled() {
    assertEquals(8, calls(UNKNOWN, 9_000, 8));
  }

  @Test
  void aKnownClientCalls() {
    assertEquals(8, calls(DRIVER, 50_000, 8));
  }
}
