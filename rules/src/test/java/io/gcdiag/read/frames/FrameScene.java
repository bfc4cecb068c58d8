package io.gcdiag.read.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import java.util.List;
import java.util.Optional;

/**
 * Stacks as threads have them, innermost frame first, and what the standard frames make of them.
 */
final class FrameScene {

  static final FrameBook BOOK = FrameBook.standard();

  static final String PARK =
      "jdk.internal.misc.Unsafe.park java.util.concurrent.locks.LockSupport.park ";

  static final String QUEUE_PARK =
      PARK + "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await ";

  static final String OBJECT_WAIT = "java.lang.Object.wait ";

  static final String SOCKET_17 =
      "sun.nio.ch.Net.poll sun.nio.ch.NioSocketImpl.park sun.nio.ch.NioSocketImpl.read"
          + " java.net.Socket$SocketInputStream.read ";

  static final String SOCKET_8 =
      "java.net.SocketInputStream.socketRead0 java.net.SocketInputStream.read ";

  static final String EPOLL =
      "sun.nio.ch.EPoll.wait sun.nio.ch.EPollSelectorImpl.doSelect"
          + " sun.nio.ch.SelectorImpl.lockAndDoSelect sun.nio.ch.SelectorImpl.select ";

  static final String WORKER =
      " java.util.concurrent.ThreadPoolExecutor.runWorker"
          + " java.util.concurrent.ThreadPoolExecutor$Worker.run java.lang.Thread.run";

  static final String APP = " com.acme.Orders.find";

  static List<String> frames(String text) {
    return List.of(text.trim().split("\\s+"));
  }

  static StackKind classify(String text, String state) {
    return BOOK.classify(frames(text), state, Optional.empty());
  }

  static void expect(
      WaitKind wait, String name, ThreadActivity activity, String state, String text) {
    StackKind kind = classify(text, state);
    assertEquals(wait, kind.waitsFor(), text);
    assertEquals(name, kind.name(), text);
    assertEquals(activity, BOOK.activity(kind, frames(text), state), text);
  }

  private FrameScene() {}
}
