package io.gcdiag.read.frames;

import static io.gcdiag.read.frames.FrameScene.APP;
import static io.gcdiag.read.frames.FrameScene.OBJECT_WAIT;
import static io.gcdiag.read.frames.FrameScene.PARK;
import static io.gcdiag.read.frames.FrameScene.QUEUE_PARK;
import static io.gcdiag.read.frames.FrameScene.WORKER;
import static io.gcdiag.read.frames.FrameScene.expect;

import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Threads that log, and those that write what others logged. */
class FrameBookLoggersTest {

  private static final String BLOCKED = "BLOCKED";
  private static final String WAITING = "WAITING";
  private static final String NEXT_SLOT =
      "com.lmax.disruptor.MultiProducerSequencer.next com.lmax.disruptor.RingBuffer.publishEvent ";

  private static void waitsToLog(String logger, String state, String frames) {
    expect(WaitKind.LOG_QUEUE, logger, ThreadActivity.WAITING_TO_LOG, state, frames + APP);
  }

  @ParameterizedTest
  @CsvSource({
    "Logback AsyncAppender, java.util.concurrent.ArrayBlockingQueue.put"
        + " ch.qos.logback.core.AsyncAppenderBase.putUninterruptibly"
        + " ch.qos.logback.core.AsyncAppenderBase.put",
    "Log4j 2 AsyncAppender, java.util.concurrent.ArrayBlockingQueue.put"
        + " org.apache.logging.log4j.core.appender.AsyncAppender.append",
    "JBoss AsyncHandler, java.util.concurrent.ArrayBlockingQueue.put"
        + " org.jboss.logmanager.handlers.AsyncHandler.doPublish"
  })
  void aFullQueueKeepsThoseThatLogWaiting(String logger, String frames) {
    waitsToLog(logger, WAITING, QUEUE_PARK + frames);
  }

  @Test
  void aFullRingBufferDoesSoToo() {
    waitsToLog(
        "Log4j 2 asynchronous logger",
        "TIMED_WAITING",
        PARK + NEXT_SLOT + "org.apache.logging.log4j.core.async.AsyncLogger.publish");
    waitsToLog(
        "Log4j 2 asynchronous logger",
        BLOCKED,
        "org.apache.logging.log4j.core.async.AsyncLoggerDisruptor.enqueueLogMessageWhenQueueFull"
            + " org.apache.logging.log4j.core.async.AsyncLogger.handleRingBufferFull");
    waitsToLog(
        "Log4j 1 AsyncAppender", WAITING, OBJECT_WAIT + "org.apache.log4j.AsyncAppender.append");
  }

  @Test
  void aRingBufferOfTheServiceIsNoLog() {
    expect(
        WaitKind.OTHER,
        "",
        ThreadActivity.OTHER,
        "TIMED_WAITING",
        PARK + NEXT_SLOT + "com.acme.Trades.publish" + APP);
  }

  @Test
  void anAppenderThatWritesOnTheCallersThreadIsALockOrAFile() {
    expect(
        WaitKind.LOCK,
        "monitor",
        ThreadActivity.WAITING_FOR_LOCK,
        BLOCKED,
        "org.apache.logging.log4j.core.appender.OutputStreamManager.writeBytes"
            + " org.apache.logging.log4j.core.async.AsyncLogger.logMessageInCurrentThread"
            + APP);
  }

  @Test
  void theThreadThatEmptiesTheQueueIsIdleOrInAFile() {
    expect(
        WaitKind.IDLE,
        "",
        ThreadActivity.IDLE,
        WAITING,
        QUEUE_PARK
            + "java.util.concurrent.ArrayBlockingQueue.take"
            + " ch.qos.logback.core.AsyncAppenderBase$Worker.run");
    expect(
        WaitKind.FILE,
        "file",
        ThreadActivity.IN_FILE,
        "RUNNABLE",
        "java.io.FileOutputStream.writeBytes java.io.FileOutputStream.write"
            + " ch.qos.logback.core.OutputStreamAppender.writeBytes"
            + " ch.qos.logback.core.AsyncAppenderBase$Worker.run");
  }

  @Test
  void theReferenceHandlerIsIdleUnlessItCleansUp() {
    expect(
        WaitKind.IDLE,
        "",
        ThreadActivity.IDLE,
        WAITING,
        OBJECT_WAIT
            + OBJECT_WAIT
            + "java.lang.ref.Reference.tryHandlePending java.lang.ref.Reference$ReferenceHandler.run");
    expect(
        WaitKind.OTHER,
        "",
        ThreadActivity.OTHER,
        WAITING,
        OBJECT_WAIT
            + "com.acme.Buffer.free sun.misc.Cleaner.clean java.lang.ref.Reference.tryHandlePending"
            + " java.lang.ref.Reference$ReferenceHandler.run");
  }

  @Test
  void aWorkerIsNoLogger() {
    expect(
        WaitKind.OTHER,
        "",
        ThreadActivity.OTHER,
        WAITING,
        QUEUE_PARK + "java.util.concurrent.ArrayBlockingQueue.put com.acme.Jobs.add" + WORKER);
  }
}
