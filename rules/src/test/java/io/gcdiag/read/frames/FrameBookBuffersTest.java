package io.gcdiag.read.frames;

import static io.gcdiag.read.frames.FrameScene.APP;
import static io.gcdiag.read.frames.FrameScene.OBJECT_WAIT;
import static io.gcdiag.read.frames.FrameScene.classify;
import static io.gcdiag.read.frames.FrameScene.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Threads that allocate a direct buffer while all of them are at their limit. */
class FrameBookBuffersTest {

  private static final String RESERVES =
      "java.nio.Bits.reserveMemory java.nio.DirectByteBuffer.<init>"
          + " java.nio.ByteBuffer.allocateDirect";

  @Test
  void aThreadThatReservesABufferWaitsForOthersToBeFreed() {
    for (String wait :
        List.of(
            "java.lang.Thread.sleep ",
            OBJECT_WAIT + "java.lang.ref.Reference.waitForReferenceProcessing ",
            "java.lang.Runtime.gc java.lang.System.gc ")) {
      expect(
          WaitKind.DIRECT_MEMORY,
          "direct buffers",
          ThreadActivity.WAITING_FOR_DIRECT_MEMORY,
          wait.startsWith("java.lang.Runtime") ? "RUNNABLE" : "TIMED_WAITING",
          wait + RESERVES + APP);
    }
    expect(
        WaitKind.DIRECT_MEMORY,
        "direct buffers",
        ThreadActivity.WAITING_FOR_DIRECT_MEMORY,
        "BLOCKED",
        RESERVES + APP);
  }

  @Test
  void aCleanerOfTheServiceThatReservingRunsIsItsOwn() {
    StackKind sleeping =
        classify("java.lang.Thread.sleep com.acme.Cleaner.run " + RESERVES, "TIMED_WAITING");
    assertEquals(WaitKind.SLEEP, sleeping.waitsFor());
  }
}
