package io.gcdiag.read.jfr;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;

/** What a recording is made of: parks, a contended monitor, a call, allocation and collections. */
final class RecordedWork {

  private static final Duration PARK = Duration.ofMillis(30);

  private static final Object LOCK = new Lock();

  static int port;

  private static volatile byte[] sink;

  static final class Lock {}

  private RecordedWork() {}

  static void settings(Recording recording) {
    recording.enable("jdk.ThreadPark").withThreshold(Duration.ofMillis(10)).withStackTrace();
    recording.enable("jdk.JavaMonitorEnter").withThreshold(Duration.ofMillis(10)).withStackTrace();
    recording.enable("jdk.SocketRead").withoutThreshold().withStackTrace();
    recording.enable("jdk.FileRead").withThreshold(Duration.ofDays(1)).withStackTrace();
    recording.enable("jdk.ObjectAllocationSample").with("throttle", "1000/s").withStackTrace();
    recording.enable("jdk.ThreadDump").with("period", "everyChunk");
    recording.disable("jdk.ObjectAllocationOutsideTLAB");
    recording.enable("jdk.ActiveSetting");
    for (String event :
        List.of(
            "jdk.GCPhasePause",
            "jdk.GarbageCollection",
            "jdk.GCHeapSummary",
            "jdk.GCConfiguration",
            "jdk.GCHeapConfiguration",
            "jdk.JVMInformation",
            "jdk.CPUInformation",
            "jdk.ContainerConfiguration",
            "jdk.UnsignedLongFlag",
            "jdk.BooleanFlag")) {
      recording.enable(event).with("period", "beginChunk");
    }
  }

  static void work() {
    for (int chunk = 0; chunk < 3; chunk++) {
      for (int i = 0; i < 4; i++) {
        LockSupport.parkNanos(PARK.toNanos());
      }
      contend();
      call();
      for (int i = 0; i < 40; i++) {
        sink = new byte[1 << 20];
      }
      System.gc();
      if (chunk < 2) {
        Recordings.rotate();
      }
    }
  }

  /** Another thread holds the lock for 50 ms while this one wants it. */
  private static void contend() {
    CountDownLatch held = new CountDownLatch(1);
    Thread owner =
        new Thread(
            () -> {
              synchronized (LOCK) {
                held.countDown();
                sleep(50);
              }
            });
    owner.start();
    try {
      held.await();
      synchronized (LOCK) {
        owner.isAlive();
      }
      owner.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A service that answers after 40 ms. */
  private static void call() {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 1, loopback)) {
      port = server.getLocalPort();
      Thread service =
          new Thread(
              () -> {
                try (Socket socket = server.accept()) {
                  sleep(40);
                  socket.getOutputStream().write(7);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      service.start();
      try (Socket socket = new Socket(loopback, port);
          InputStream in = socket.getInputStream()) {
        if (in.read() != 7) {
          throw new IOException("the service answered something else");
        }
      }
      service.join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
