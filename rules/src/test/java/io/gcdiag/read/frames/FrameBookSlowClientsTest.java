package io.gcdiag.read.frames;

import static io.gcdiag.read.frames.FrameScene.APP;
import static io.gcdiag.read.frames.FrameScene.BOOK;
import static io.gcdiag.read.frames.FrameScene.EPOLL;
import static io.gcdiag.read.frames.FrameScene.OBJECT_WAIT;
import static io.gcdiag.read.frames.FrameScene.PARK;
import static io.gcdiag.read.frames.FrameScene.QUEUE_PARK;
import static io.gcdiag.read.frames.FrameScene.SOCKET_17;
import static io.gcdiag.read.frames.FrameScene.WORKER;
import static io.gcdiag.read.frames.FrameScene.classify;
import static io.gcdiag.read.frames.FrameScene.expect;
import static io.gcdiag.read.frames.FrameScene.frames;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers whose clients read or send slowly: each blocks in its own way. */
class FrameBookSlowClientsTest {

  private static final String WRITE_17 =
      "sun.nio.ch.Net.poll sun.nio.ch.NioSocketImpl.park sun.nio.ch.NioSocketImpl.implWrite"
          + " sun.nio.ch.NioSocketImpl.write java.net.Socket$SocketOutputStream.write ";

  private static final String WRITE_8 =
      "java.net.SocketOutputStream.socketWrite0 java.net.SocketOutputStream.socketWrite"
          + " java.net.SocketOutputStream.write ";

  @ParameterizedTest
  @CsvSource({
    "Tomcat, TIMED_WAITING, "
        + OBJECT_WAIT
        + "org.apache.tomcat.util.net.NioEndpoint$NioSocketWrapper.doWrite"
        + " org.apache.tomcat.util.net.SocketWrapperBase.writeBlocking"
        + " org.apache.coyote.http11.Http11OutputBuffer$SocketOutputBuffer.doWrite"
        + " org.apache.catalina.connector.OutputBuffer.realWriteBytes",
    "Tomcat, TIMED_WAITING, "
        + QUEUE_PARK
        + "java.util.concurrent.CountDownLatch.await"
        + " org.apache.tomcat.util.net.NioEndpoint$KeyAttachment.awaitLatch"
        + " org.apache.tomcat.util.net.NioBlockingSelector.write"
        + " org.apache.coyote.http11.InternalNioOutputBuffer.writeToSocket",
    "Tomcat, RUNNABLE, "
        + WRITE_8
        + "org.apache.coyote.http11.InternalOutputBuffer.realWriteBytes"
        + " org.apache.tomcat.util.buf.ByteChunk.flushBuffer",
    "Tomcat, TIMED_WAITING, "
        + OBJECT_WAIT
        + "org.apache.coyote.http2.Stream.reserveWindowSize"
        + " org.apache.coyote.http2.Stream$StreamOutputBuffer.flush",
    "Jetty, WAITING, "
        + QUEUE_PARK
        + "org.eclipse.jetty.util.SharedBlockingCallback$Blocker.block"
        + " org.eclipse.jetty.server.HttpOutput.channelWrite"
        + " org.eclipse.jetty.server.HttpOutput.write",
    "Jetty, WAITING, "
        + QUEUE_PARK
        + "org.eclipse.jetty.util.Blocker$Shared.block"
        + " org.eclipse.jetty.ee10.servlet.HttpOutput.channelWrite"
        + " org.eclipse.jetty.ee10.servlet.HttpOutput.write",
    "Jetty, WAITING, "
        + QUEUE_PARK
        + "org.eclipse.jetty.util.Blocker$Shared$1.block"
        + " org.eclipse.jetty.io.content.ContentSinkOutputStream.write java.io.OutputStream.write"
        + " com.acme.Pictures.handle org.eclipse.jetty.server.Server.handle",
    "Quarkus, WAITING, "
        + OBJECT_WAIT
        + "io.quarkus.resteasy.runtime.standalone.VertxBlockingOutput.awaitWriteable"
        + " io.quarkus.resteasy.runtime.standalone.VertxBlockingOutput.write"
        + " io.vertx.core.impl.ContextImpl.lambda$executeBlocking$2"
        + WORKER,
    "a connection of the server, WAITING, "
        + OBJECT_WAIT
        + "org.glassfish.other.Output.awaitWritable org.glassfish.other.Output.write"
        + WORKER,
    "Takes, RUNNABLE, "
        + WRITE_17
        + "org.takes.rs.RsPrint.printBody org.takes.rs.RsPrint.print"
        + " org.takes.http.BkBasic.print org.takes.http.BkBasic.accept",
    "Undertow, RUNNABLE, "
        + EPOLL
        + "org.xnio.nio.SelectorUtils.await org.xnio.nio.NioSocketConduit.awaitWritable"
        + " io.undertow.conduits.AbstractFramedStreamSinkConduit.awaitWritable"
        + " org.xnio.conduits.ConduitStreamSinkChannel.awaitWritable"
        + " io.undertow.channels.DetachableStreamSinkChannel.awaitWritable"
        + " io.undertow.server.HttpServerExchange$WriteDispatchChannel.awaitWritable"
        + " org.xnio.channels.Channels.writeBlocking"
        + " io.undertow.servlet.spec.ServletOutputStreamImpl.write",
    "JDK HttpServer, RUNNABLE, sun.nio.ch.Net.poll sun.nio.ch.SocketChannelImpl.park"
        + " sun.nio.ch.SocketChannelImpl.write sun.net.httpserver.Request$WriteStream.write"
        + " java.io.BufferedOutputStream.flush sun.net.httpserver.FixedLengthOutputStream.write",
    "NanoHTTPD, RUNNABLE, "
        + WRITE_17
        + "fi.iki.elonen.NanoHTTPD$Response.sendBody fi.iki.elonen.NanoHTTPD$Response.send",
    "Helidon, RUNNABLE, "
        + WRITE_17
        + "io.helidon.common.socket.PlainSocket.write"
        + " io.helidon.webserver.http1.Http1ServerResponse$BlockingOutputStream.write",
    "WebLogic, RUNNABLE, "
        + WRITE_8
        + "weblogic.servlet.internal.ChunkOutput.writeChunks"
        + " weblogic.servlet.internal.ChunkOutput.flush"
  })
  void aServerThatWritesWaitsForItsClient(String server, String state, String stack) {
    expect(
        WaitKind.CLIENT,
        server,
        ThreadActivity.WAITING_FOR_CLIENT,
        state,
        stack + APP + " jakarta.servlet.http.HttpServlet.service" + WORKER);
  }

  @ParameterizedTest
  @CsvSource({
    "Jetty, WAITING, "
        + QUEUE_PARK
        + "org.eclipse.jetty.server.BlockingContentProducer.nextContent"
        + " org.eclipse.jetty.server.HttpInput.read",
    "Tomcat, TIMED_WAITING, "
        + OBJECT_WAIT
        + "org.apache.tomcat.util.net.NioEndpoint$NioSocketWrapper.fillReadBuffer"
        + " org.apache.tomcat.util.net.NioEndpoint$NioSocketWrapper.read"
        + " org.apache.coyote.http11.Http11InputBuffer.fill"
        + " org.apache.coyote.http11.Http11InputBuffer$SocketInputBuffer.doRead"
        + " org.apache.coyote.http11.filters.IdentityInputFilter.doRead",
    "JDK HttpServer, RUNNABLE, sun.nio.ch.Net.poll sun.nio.ch.SocketChannelImpl.park"
        + " sun.nio.ch.SocketChannelImpl.read sun.net.httpserver.Request$ReadStream.read"
        + " sun.net.httpserver.FixedLengthInputStream.readImpl"
  })
  void aServerThatReadsABodyWaitsForItsClient(String server, String state, String stack) {
    expect(
        WaitKind.CLIENT,
        server,
        ThreadActivity.WAITING_FOR_CLIENT,
        state,
        stack + APP + " jakarta.servlet.http.HttpServlet.service" + WORKER);
  }

  @Test
  void aServerThatReadsTheNextRequestAndADriverThatWritesDoNot() {
    expect(
        WaitKind.IDLE,
        "",
        ThreadActivity.IDLE,
        "RUNNABLE",
        SOCKET_17 + "sun.net.httpserver.Request.readLine" + WORKER);
    expect(
        WaitKind.DOWNSTREAM,
        "PostgreSQL",
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "RUNNABLE",
        WRITE_17
            + "org.postgresql.core.PGStream.flush org.postgresql.core.v3.QueryExecutorImpl.execute"
            + APP
            + " org.apache.coyote.http11.Http11OutputBuffer.doWrite");
  }

  @Test
  void aServerThatCompressesWhatItWritesRuns() {
    expect(
        WaitKind.CLIENT,
        "Tomcat",
        ThreadActivity.RUNNING,
        "RUNNABLE",
        "java.util.zip.Deflater.deflateBytesBytes"
            + " org.apache.coyote.http11.Http11OutputBuffer.doWrite"
            + APP);
  }

  @Test
  void aMethodThatIsKnownToWriteToCallersWaitsForThemWhileItWrites() {
    FrameBook book = BOOK.and(Set.of(), Map.of(), Set.of("com.acme.Shop.show"), Set.of());
    String caller = "com.acme.Shop.show com.acme.Shop.run" + WORKER;
    String write = "java.net.Socket$SocketOutputStream.write ";
    StackKind writing = book.classify(frames(write + caller), "RUNNABLE", Optional.empty());
    assertEquals(WaitKind.CLIENT, writing.waitsFor());
    assertEquals("own server", writing.name());
    assertEquals(
        WaitKind.IDLE,
        book.classify(frames(SOCKET_17 + caller), "RUNNABLE", Optional.empty()).waitsFor());
    assertEquals(
        WaitKind.DOWNSTREAM,
        BOOK.classify(frames(write + caller), "RUNNABLE", Optional.empty()).waitsFor());
  }

  @Test
  void anUnknownServerThatWaitsInsideItsOwnWriteWaitsForItsClient() {
    String server = APP + " org.example.web.http.RequestHandler.handle org.example.web.Loop.run";
    expect(
        WaitKind.CLIENT,
        "a connection of the server",
        ThreadActivity.WAITING_FOR_CLIENT,
        "WAITING",
        PARK + "org.example.web.io.Latch.block org.example.web.io.Response.writeAll" + server);
    // Another library's write, and a read of the server's.
    for (String waits :
        List.of(
            "org.sample.log.Journal.write",
            "org.example.web.io.Body.fill",
            "org.example.web.client.Request.write")) {
      assertNotEquals(WaitKind.CLIENT, classify(PARK + waits + server, "WAITING").waitsFor());
    }
  }
}
