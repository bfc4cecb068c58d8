package io.gcdiag.read;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.gcdiag.read.dumps.ClassHistogramFormat;
import io.gcdiag.read.dumps.JvmInfoFormat;
import io.gcdiag.read.dumps.ThreadDumpFormat;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.frames.IllegalFramesException;
import io.gcdiag.read.gclog.GcLogFormat;
import io.gcdiag.read.metrics.ExpositionFormat;
import io.gcdiag.read.metrics.MetricCsvFormat;
import io.gcdiag.read.metrics.PrometheusJsonFormat;
import io.gcdiag.read.metrics.ToolFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Coverage-guided fuzzing of every reader but those of load tests and recordings. Run as a test it
 * tries its seeds and whatever fuzzing found, which lies in {@code ReadersFuzzTestInputs};
 * docs/testing.md says how to fuzz.
 */
@Tag("slow")
class ReadersFuzzTest {

  private static final String DURATION = "10m";

  private static final String METRICS =
      """
      time,hikaricp_connections_pending,p95_ms,heap
      2026-11-21 12:00:00,3,12.5 ms,12.5 MiB
      1795262401,4,,45 %
      1795262402000,NaN,1e9,-1
      """;

  private static final String EXPOSITION =
      """
      # HELP hikaricp_connections_pending Pending threads
      # TYPE hikaricp_connections_pending gauge
      hikaricp_connections_pending{pool="main\\"\\n",} 3.0 1795262401000
      # TYPE http_server_requests_seconds histogram
      http_server_requests_seconds_bucket{le="0.1"} 10
      http_server_requests_seconds_bucket{le="+Inf"} 12
      http_server_requests_seconds_count 12
      http_server_requests_seconds_sum 1.5 # {trace_id="x"} 0.2
      # EOF
      """;

  private static final String FRAMES =
      """
      # what our own pool is called
      [pool borrow]
      Ours: com.example.Pool.take com.example.pool.
      [request thread]
      worker-*
      !worker-idle-*
      """;

  @TempDir static Path folder;
  private static AnyBytes any;

  @BeforeAll
  static void workInAFolder() {
    any = new AnyBytes(folder);
  }

  static Stream<byte[]> unifiedLogs() {
    return Seeds.of("gc-logs", "jdk11", "jdk17", "jdk21", "jdk25");
  }

  @MethodSource("unifiedLogs")
  @FuzzTest(maxDuration = DURATION)
  void unifiedLog(byte[] bytes) {
    any.asFormat(new GcLogFormat(), bytes);
  }

  static Stream<byte[]> bracketLogs() {
    return Seeds.of("gc-logs", "jdk8");
  }

  @MethodSource("bracketLogs")
  @FuzzTest(maxDuration = DURATION)
  void bracketLog(byte[] bytes) {
    any.asFormat(new GcLogFormat(), bytes);
  }

  static Stream<byte[]> threadDumps() {
    return Seeds.of("thread-dumps", ".txt");
  }

  @MethodSource("threadDumps")
  @FuzzTest(maxDuration = DURATION)
  void threadDump(byte[] bytes) {
    any.asFormat(new ThreadDumpFormat(), bytes);
  }

  static Stream<byte[]> jsonDumps() {
    return Seeds.of("thread-dumps", ".json");
  }

  @MethodSource("jsonDumps")
  @FuzzTest(maxDuration = DURATION)
  void threadDumpJson(byte[] bytes) {
    any.asFormat(new ThreadDumpFormat(), bytes);
  }

  static Stream<byte[]> javacores() {
    return Seeds.of("thread-dumps", "javacore");
  }

  @MethodSource("javacores")
  @FuzzTest(maxDuration = DURATION)
  void javacore(byte[] bytes) {
    any.asFormat(new ThreadDumpFormat(), bytes);
  }

  static Stream<byte[]> histograms() {
    return Seeds.of("class-histograms");
  }

  @MethodSource("histograms")
  @FuzzTest(maxDuration = DURATION)
  void classHistogram(byte[] bytes) {
    any.asFormat(new ClassHistogramFormat(), bytes);
  }

  static Stream<byte[]> jvmInfos() {
    return Seeds.of("jvm-info");
  }

  @MethodSource("jvmInfos")
  @FuzzTest(maxDuration = DURATION)
  void jvmInfo(byte[] bytes) {
    any.asFormat(new JvmInfoFormat(), bytes);
  }

  static Stream<byte[]> tools() {
    return Seeds.of("tools");
  }

  @MethodSource("tools")
  @FuzzTest(maxDuration = DURATION)
  void toolOutput(byte[] bytes) {
    any.asFormat(new ToolFormat(), bytes);
  }

  static Stream<byte[]> prometheus() {
    return Seeds.of("metrics", "prometheus");
  }

  @MethodSource("prometheus")
  @FuzzTest(maxDuration = DURATION)
  void prometheusJson(byte[] bytes) {
    any.asFormat(new PrometheusJsonFormat(), bytes);
  }

  static Stream<byte[]> expositions() {
    return Stream.concat(Seeds.of("metrics", "exposition"), texts(EXPOSITION));
  }

  @MethodSource("expositions")
  @FuzzTest(maxDuration = DURATION)
  void exposition(byte[] bytes) {
    any.asFormat(new ExpositionFormat(), bytes);
  }

  static Stream<byte[]> tables() {
    return texts(METRICS, METRICS.replace(',', ';'), METRICS.replace(',', '\t'));
  }

  @MethodSource("tables")
  @FuzzTest(maxDuration = DURATION)
  void metricTable(byte[] bytes) {
    any.asFormat(new MetricCsvFormat(), bytes);
  }

  static Stream<byte[]> frameFiles() {
    return texts(FRAMES);
  }

  @MethodSource("frameFiles")
  @FuzzTest(maxDuration = DURATION)
  void frames(byte[] bytes) throws IOException {
    Path file = Files.write(folder.resolve("frames.txt"), bytes);
    try {
      FrameBook.with(file);
    } catch (IllegalFramesException e) {
      AnyBytes.assertOneLine(e.getMessage());
    } finally {
      Files.delete(file);
    }
  }

  static Stream<byte[]> containers() {
    byte[] log = Seeds.of("gc-logs", "g1-jdk17-gc-only").findFirst().orElseThrow();
    byte[] dump = Seeds.of("thread-dumps", "jcmd-jdk17.txt").findFirst().orElseThrow();
    byte[] utf16 = new String(dump, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_16);
    return Stream.of(
        log,
        dump,
        Seeds.head(utf16),
        Seeds.gzip(log),
        Seeds.gzip(Seeds.gzip(dump)),
        Seeds.zip("gc.log", log),
        Seeds.zip("a/b/threads.txt.gz", Seeds.gzip(dump)),
        Seeds.zip("inner.zip", Seeds.zip("gc.log", log)),
        cut(Seeds.zip("gc.log", log)),
        cut(Seeds.zip("threads.txt", Seeds.gzip(dump))));
  }

  /** Any file, in any wrapping, with the diagnosis that follows. */
  @MethodSource("containers")
  @FuzzTest(maxDuration = DURATION)
  void anyFile(byte[] bytes) {
    AnyBytes.diagnose(any.asInput(bytes));
  }

  /** Without the record at the end of a zip archive, of 22 bytes. */
  private static byte[] cut(byte[] archive) {
    return Arrays.copyOf(archive, archive.length - 22);
  }

  private static Stream<byte[]> texts(String... texts) {
    return Stream.of(texts).map(text -> text.getBytes(StandardCharsets.UTF_8));
  }
}
