package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.bytes.JfrReader;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who writes to a remote side that does not read waits for it as for an answer. */
@Tag("slow")
class SocketWriteEventsTest {

  /** More than the buffers of both sides hold. */
  private static final int BYTES = 32 << 20;

  /** More than the head of a response. */
  private static final int HEAD_AND_SOME = 4096;

  @TempDir private Path folder;

  @Test
  void writesToARemoteSideThatDoesNotReadAreCalls() throws IOException {
    Path file =
        Recordings.record(
            folder.resolve("write.jfr"),
            SocketWriteEventsTest::enable,
            SocketWriteEventsTest::writeToASlowReader);
    for (JfrReader reader : JfrReader.values()) {
      Timeline timeline = Recordings.read(file, reader);
      Window around =
          new Window(timeline.span().from().minusSeconds(60), timeline.span().to().plusSeconds(60));
      double seconds =
          timeline.waits(WaitKind.DOWNSTREAM).stream()
              .mapToDouble(series -> series.within(around).waitedSeconds())
              .sum();
      // The remote side sleeps for 0.3 s before it reads.
      assertTrue(seconds >= 0.25, () -> reader + ": " + seconds);
    }
  }

  /** The server of the JDK, whose handler writes to a client that reads late. */
  @Test
  void aServerThatWritesWaitsForItsClient() throws IOException {
    Path file =
        Recordings.record(
            folder.resolve("serve.jfr"),
            SocketWriteEventsTest::enable,
            SocketWriteEventsTest::serveASlowReader);
    for (JfrReader reader : JfrReader.values()) {
      Timeline timeline = Recordings.read(file, reader);
      Window around =
          new Window(timeline.span().from().minusSeconds(60), timeline.span().to().plusSeconds(60));
      double seconds =
          timeline.waits(WaitKind.CLIENT).stream()
              .filter(series -> series.site().name().equals("JDK HttpServer"))
              .mapToDouble(series -> series.within(around).waitedSeconds())
              .sum();
      assertTrue(seconds >= 0.25, () -> reader + ": " + seconds);
    }
  }

  /** From JDK 24 on a hundred writes a second are kept, unless that is switched off. */
  private static void enable(Recording recording) {
    recording.enable("jdk.SocketWrite").withoutThreshold().withStackTrace().with("throttle", "off");
  }

  private static void serveASlowReader() {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
      server.createContext(
          "/",
          exchange -> {
            exchange.sendResponseHeaders(200, BYTES);
            try (OutputStream out = exchange.getResponseBody()) {
              out.write(new byte[BYTES]);
            }
          });
      server.start();
      try (Socket socket =
              new Socket(server.getAddress().getAddress(), server.getAddress().getPort());
          InputStream in = socket.getInputStream()) {
        String request = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        // The server may be slow to begin: it waits from the first bytes of its body on.
        assertEquals(HEAD_AND_SOME, in.readNBytes(HEAD_AND_SOME).length);
        Thread.sleep(300);
        assertTrue(in.readAllBytes().length >= BYTES - HEAD_AND_SOME);
      }
      server.stop(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void writeToASlowReader() {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread slow = new Thread(() -> readLate(server));
      slow.start();
      try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
          OutputStream out = new BufferedOutputStream(socket.getOutputStream())) {
        out.write(new byte[BYTES]);
      }
      slow.join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void readLate(ServerSocket server) {
    try (Socket socket = server.accept();
        InputStream in = socket.getInputStream()) {
      Thread.sleep(300);
      assertEquals(BYTES, in.readAllBytes().length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
