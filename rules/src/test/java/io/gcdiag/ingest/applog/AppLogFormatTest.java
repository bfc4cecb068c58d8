package io.gcdiag.ingest.applog;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.LoggedError;
import io.gcdiag.evidence.jvm.LoggedError.Kind;
import io.gcdiag.evidence.requests.MetricMeaning;
import io.gcdiag.evidence.requests.MetricSeries;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.ingest.Ingest;
import io.gcdiag.ingest.format.Redactor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AppLogFormatTest {

  @TempDir Path folder;

  private static Timeline read(Path path) {
    return Ingest.read(
        List.of(new Ingest.Request(path, Optional.empty())), OperatorFacts.none(), Redactor.off());
  }

  private static Timeline sample(String name) {
    return read(SampleFiles.file("app-logs/" + name));
  }

  private static List<LoggedError> errors(Timeline timeline) {
    return timeline.samples(LoggedError.class);
  }

  private static MetricSeries series(Timeline timeline, MetricMeaning meaning) {
    return timeline.metrics().stream()
        .filter(one -> one.meaning() == meaning)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void figuresOfPoolsBecomeItsMeters() {
    Timeline timeline = sample("spring-boot-hikari.log");
    // 10:00:30, 10:01:00, 10:01:29.411 (in the timeout) and 10:01:30.
    assertEquals(
        List.of(0.0, 25.0, 24.0, 31.0),
        series(timeline, MetricMeaning.POOL_PENDING).points().stream()
            .map(MetricSeries.Point::value)
            .toList());
    assertEquals(
        Instant.parse("2026-11-23T09:00:30.004Z"),
        series(timeline, MetricMeaning.POOL_PENDING).points().get(0).at());
    assertEquals(4, series(timeline, MetricMeaning.POOL_ACTIVE).points().get(0).value());
    assertEquals(10, series(timeline, MetricMeaning.POOL_MAX).points().get(0).value());
    assertEquals("HikariPool-1", series(timeline, MetricMeaning.POOL_MAX).labels().get("pool"));
  }

  @Test
  void aTimeoutThatIsLoggedAndThrownIsNotOneMore() {
    List<LoggedError> errors = errors(sample("spring-boot-hikari.log"));
    assertEquals(
        List.of(Kind.POOL_TIMEOUT, Kind.CONNECTION_HELD),
        errors.stream().map(LoggedError::kind).toList());
    assertEquals("http-nio-8080-exec-7", errors.get(1).subject());
    assertEquals("com.acme.orders.Exporter.export", errors.get(1).place());
  }

  @Test
  void blockedEventLoopsHaveTheirPlace() {
    List<LoggedError> errors = errors(sample("vertx-jul.log"));
    assertEquals(2, errors.size());
    assertEquals(Kind.THREAD_BLOCKED, errors.get(0).kind());
    assertEquals("vert.x-eventloop-thread-0", errors.get(1).subject());
    assertEquals(
        List.of("", "com.acme.Handler.handle"), errors.stream().map(LoggedError::place).toList());
  }

  @Test
  void errorsOfMemoryAreToldApart() {
    List<LoggedError> errors = errors(sample("tomcat-stuck-and-memory.log"));
    assertEquals(
        List.of(
            Kind.REQUEST_STUCK,
            Kind.HEAP_FULL,
            Kind.METASPACE_FULL,
            Kind.NO_THREAD,
            Kind.DIRECT_MEMORY_FULL,
            Kind.DIRECT_MEMORY_FULL),
        errors.stream().map(LoggedError::kind).toList());
    assertEquals("com.acme.Report.sum", errors.get(0).place());
    // Its own line has no time: that of the line above.
    assertEquals(180, errors.get(1).at().getEpochSecond() % 3600);
  }

  @Test
  void aKilledJvmIsFoundInTheKernelsLog() {
    List<LoggedError> errors = errors(sample("kernel.log"));
    assertEquals(1, errors.size());
    assertEquals(Kind.KILLED_FOR_MEMORY, errors.get(0).kind());
    assertEquals("4711 (java)", errors.get(0).subject());
  }

  @Test
  void messagesInJsonAreRead() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("app.json"),
            """
            {"@timestamp":"2026-11-23T10:00:01.5Z","level":"ERROR","message":"java.lang.OutOfMemoryError: Java heap space"}
            """);
    List<LoggedError> errors = errors(read(log));
    assertEquals(1, errors.size());
    assertEquals(Instant.parse("2026-11-23T10:00:01.5Z"), errors.get(0).at());
  }

  @Test
  void aTextThatSpeaksOfAnErrorIsNoLog() throws IOException {
    Path notes =
        Files.writeString(
            folder.resolve("notes.md"), "We saw OutOfMemoryError: Java heap space twice.\n");
    assertEquals(List.of(), errors(read(notes)));
  }
}
