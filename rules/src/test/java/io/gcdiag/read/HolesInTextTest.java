package io.gcdiag.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Zeros in the middle of a text, as a file system leaves them where a machine lost power: what
 * stands behind them is read, and the report says that something is lost.
 */
class HolesInTextTest {

  private static final int ROWS = 200;
  private static final int PAGE = 4096;
  private static final int FIRST_SECOND = 1_772_359_200;

  @TempDir Path folder;

  /**
   * Reads rows of which a page is zero, in the second quarter of the file.
   *
   * @param row of a length that is the same for each number
   */
  private Timeline read(String name, String heading, IntFunction<String> row) throws IOException {
    String text =
        heading + IntStream.range(0, ROWS).mapToObj(row).collect(Collectors.joining("\n")) + "\n";
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int from = bytes.length / 4;
    Arrays.fill(bytes, from, from + PAGE, (byte) 0);
    Path file = Files.write(folder.resolve(name), bytes);
    Timeline timeline =
        Ingest.read(
            List.of(new Ingest.Request(file, Optional.empty(), Optional.empty())),
            OperatorFacts.none(),
            Redactor.hiding(),
            ReadOptions.STANDARD);
    assertEquals(Status.PARTIAL, timeline.inputs().get(0).status());
    String note = timeline.inputs().get(0).note();
    assertTrue(note.contains("it holds 4,096 zero bytes; what was written there is lost"), note);
    return timeline;
  }

  /** A page takes as many whole rows as fit into it, and at most one more at each of its ends. */
  private static void assertLost(int rowLength, long kept) {
    int fit = PAGE / rowLength;
    assertTrue(
        kept >= ROWS - fit - 2 && kept <= ROWS - fit + 1, kept + " kept, " + fit + " in a page");
  }

  private static Instant last() {
    return Instant.ofEpochSecond(FIRST_SECOND + ROWS - 1L);
  }

  private static String second(int number) {
    return Instant.ofEpochSecond(FIRST_SECOND + number).toString().replace("Z", "");
  }

  @Test
  void ofAGcLog() throws IOException {
    IntFunction<String> row =
        i ->
            "[%s.000+0000][%06d.000s][info][gc] GC(%06d) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 2.000ms"
                .formatted(second(i), i, i);
    Timeline timeline = read("gc.log", "", row);
    assertLost(row.apply(0).length() + 1, timeline.pauses().size());
  }

  @Test
  void ofAnApplicationLog() throws IOException {
    IntFunction<String> row =
        i ->
            "%sZ ERROR [http-nio-8080-exec-1] c.a.Orders: java.lang.OutOfMemoryError: Java heap space %06d"
                .formatted(second(i), i);
    Timeline timeline = read("app.log", "", row);
    assertLost(row.apply(0).length() + 1, timeline.samples(LoggedError.class).size());
  }

  @Test
  void ofAThreadDump() throws IOException {
    IntFunction<String> row =
        i ->
            "\"worker-%06d\" #1 prio=5 os_prio=0 tid=0x1 nid=0x2 runnable\n   java.lang.Thread.State: RUNNABLE\n\tat com.acme.Main.main(Main.java:1)\n"
                .formatted(i);
    Timeline timeline =
        read(
            "dump.txt",
            "2026-03-01 10:00:00\nFull thread dump OpenJDK 64-Bit Server VM (17 mixed mode):\n\n",
            row);
    assertLost(row.apply(0).length() + 1, timeline.dumps().get(0).threads().size());
  }

  @Test
  void ofResultsOfJMeter() throws IOException {
    IntFunction<String> row =
        i -> "%d000,7,orders,200,OK,users 1-1,text,true,,100,1,1,7,0,1".formatted(FIRST_SECOND + i);
    Timeline timeline =
        read(
            "results.jtl",
            "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,"
                + "failureMessage,bytes,grpThreads,allThreads,Latency,IdleTime,Connect\n",
            row);
    assertLost(
        row.apply(0).length() + 1, timeline.requests().stats().get(0).requests().orElseThrow());
  }

  @Test
  void ofSamplesOfK6() throws IOException {
    IntFunction<String> row =
        i ->
            "http_req_duration,%d,7.000000,,true,,http://shop/,,GET,http://shop/,HTTP/1.1,,default,,200,,http://shop/,,"
                .formatted(FIRST_SECOND + i);
    Timeline timeline =
        read(
            "samples.csv",
            "metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,"
                + "name,proto,scenario,service,status,subproto,tls_version,url,extra_tags,metadata\n",
            row);
    assertLost(
        row.apply(0).length() + 1, timeline.requests().stats().get(0).requests().orElseThrow());
  }

  @Test
  void ofATableOfMetrics() throws IOException {
    IntFunction<String> row = i -> "%sZ,%d".formatted(second(i), 1_000_000 + i);
    Timeline timeline = read("panel.csv", "time,jvm_threads_live_threads\n", row);
    assertLost(row.apply(0).length() + 1, timeline.metrics().get(0).points().size());
  }

  @Test
  void ofScrapedPages() throws IOException {
    IntFunction<String> row =
        i -> "hikaricp_connections_active{pool=\"shop\"} 7 %d000".formatted(FIRST_SECOND + i);
    Timeline timeline = read("metrics.txt", "# TYPE hikaricp_connections_active gauge\n", row);
    assertLost(row.apply(0).length() + 1, timeline.metrics().get(0).points().size());
    assertEquals(
        last(),
        timeline.metrics().get(0).points().get(timeline.metrics().get(0).points().size() - 1).at());
  }
}
