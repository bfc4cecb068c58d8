package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.gcdiag.evidence.threads.ThreadGroupSample.AnsweringGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server of this JDK that leaves its answers to an executor, and an executor of its own work. */
@Tag("slow")
class AnsweringGroupsTest {

  private static final int HEADERS = 4_000;

  /**
   * The JVM samples at most once for each buffer of a thread, some MiB: so many answers take some
   * hundred kB each to write.
   */
  private static final int REQUESTS = 200;

  private static volatile byte[] sink;

  @TempDir Path folder;

  @Test
  void whoeverHandsAnAnswerOverIsKnownByTheGroupOfItsThread() {
    Path file =
        Recordings.record(
            folder.resolve("r.jfr"),
            recording ->
                recording
                    .enable("jdk.ObjectAllocationSample")
                    .with("throttle", "10000/s")
                    .withStackTrace(),
            AnsweringGroupsTest::serve);
    List<AnsweringGroup> groups = Recordings.read(file).samples(AnsweringGroup.class);
    assertEquals(1, groups.size(), groups::toString);
    assertEquals("enrich-N", groups.get(0).group());
    assertEquals("JDK HttpServer", groups.get(0).server());
    assertTrue(groups.get(0).samples() > 0);
  }

  private static void serve() {
    ExecutorService enrich = Executors.newFixedThreadPool(1, work -> new Thread(work, "enrich-1"));
    ExecutorService batch = Executors.newFixedThreadPool(1, work -> new Thread(work, "batch-1"));
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/", exchange -> enrich.execute(() -> answer(exchange)));
      server.start();
      batch.execute(() -> sink = new byte[1 << 20]);
      URI uri = URI.create("http://localhost:" + server.getAddress().getPort() + "/");
      HttpClient client = HttpClient.newHttpClient();
      // At the same time, as each answer may wait 40 ms for the acknowledgement of its head.
      IntStream.range(0, REQUESTS)
          .mapToObj(
              i -> client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding()))
          .toList()
          .forEach(CompletableFuture::join);
      server.stop(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      enrich.shutdown();
      batch.shutdown();
    }
  }

  /** With so much in it that its writing allocates enough to be sampled. */
  private static void answer(com.sun.net.httpserver.HttpExchange exchange) {
    try {
      for (int i = 0; i < HEADERS; i++) {
        exchange.getResponseHeaders().add("X-" + i % 60, "value " + i);
      }
      exchange.sendResponseHeaders(200, -1);
      exchange.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
