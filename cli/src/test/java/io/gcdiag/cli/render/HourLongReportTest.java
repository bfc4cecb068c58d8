package io.gcdiag.cli.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.fixtures.Incidents;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a recording of more than an hour, made of a recorded incident again and again. */
@Tag("slow")
class HourLongReportTest {

  private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();
  private static final int MOST_BYTES = 2_000_000;

  /** Where a chunk's header holds its size in bytes, its start and its length in nanoseconds. */
  private static final int SIZE = 8;

  private static final int START = 32;
  private static final int LENGTH = 40;

  @TempDir private Path folder;

  /** Copies the chunks, each time with later starts, until there is an hour of them. */
  private static void repeat(Path recording, Path target) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(recording));
    long first = bytes.getLong(START);
    long last = first;
    for (int at = 0; at < bytes.limit(); at += (int) bytes.getLong(at + SIZE)) {
      last = bytes.getLong(at + START) + bytes.getLong(at + LENGTH);
    }
    long round = last - first;
    try (OutputStream out = Files.newOutputStream(target)) {
      for (long shift = 0; shift <= HOUR_NANOS; shift += round) {
        ByteBuffer copy = ByteBuffer.wrap(bytes.array().clone());
        for (int at = 0; at < copy.limit(); at += (int) copy.getLong(at + SIZE)) {
          copy.putLong(at + START, copy.getLong(at + START) + shift);
        }
        out.write(copy.array());
      }
    }
  }

  @Test
  void itIsSmallEnoughForAMailAndItsChartsCoverAllOfIt() throws Exception {
    Path recording = folder.resolve("hour.jfr");
    repeat(Incidents.folder("pool-queue-small-heap").resolve("recording.jfr"), recording);
    String html =
        ReportFormat.HTML.render(
            new DiagnosisDocument(Analysis.run(AnalysisRequest.of(recording))), Look.PLAIN);
    int bytes = html.getBytes(StandardCharsets.UTF_8).length;
    assertTrue(bytes < MOST_BYTES, bytes + " bytes");
    String marker = "id=\"chart-data\">";
    int from = html.indexOf(marker) + marker.length();
    JsonNode charts =
        new ObjectMapper().readTree(html.substring(from, html.indexOf("</script>", from)));
    JsonNode pauses = charts.at("/charts/0");
    assertEquals("chart-pauses", pauses.path("id").asText());
    JsonNode times = pauses.at("/lines/0/t");
    long span = times.get(times.size() - 1).asLong() - times.get(0).asLong();
    assertTrue(span > Duration.ofMinutes(59).toMillis(), span + " ms");
    if (System.getProperty("gcdiag.keep") != null) {
      Files.writeString(Path.of(System.getProperty("gcdiag.keep")), html);
    }
  }
}
