package io.gcdiag.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever runs a container or collects its lines puts something around each of them. */
@Tag("slow")
@Tag("reading")
class CollectedLinesTest {

  /** Unified logs with and without decorations in brackets, and the families of JDK 8. */
  private static final List<String> LOGS =
      List.of(
          "gc-logs/g1-jdk17-gc-only.log",
          "gc-logs/g1-jdk17-no-gc-start.log",
          "gc-logs/g1-jdk17-time-only.log.gz",
          "gc-logs/shenandoah-jdk17-gc-only.log",
          "gc-logs/g1-jdk8.log.gz",
          "gc-logs/parnew-cms-jdk8.log",
          "gc-logs/serial-jdk8.log");

  private static final String DUMP = "thread-dumps/jstack-l-jdk17.txt";

  @TempDir Path folder;

  enum Collector {
    DOCKER_FILE(
        line -> "{\"log\":" + json(line + "\n") + ",\"stream\":\"stdout\",\"time\":\"2026\"}"),
    LOGSTASH(line -> "{\"@timestamp\": \"2026\", \"message\": " + json(line) + ", \"n\": 1}"),
    JOURNALCTL_JSON(line -> "{\"_PID\":\"7\",\"MESSAGE\":" + json(line) + "}"),
    JOURNALCTL(line -> "Nov 21 10:00:00 host-1 java[1234]: " + line),
    CONTAINERD(line -> "2026-11-21T10:00:00.123456789Z stdout F " + line),
    JOURNALCTL_ISO(line -> "2026-11-21T10:00:00+0100 host-1 java[1234]: " + line),
    SYSTEMD_CAT(line -> "Nov 21 10:00:00 host-1 systemd-cat[1234]: " + line),
    WRAPPER(line -> "INFO   | jvm 1    | 2026/11/21 10:00:00 | " + line),
    WRAPPER_CONSOLE(line -> "jvm 1    | " + line),
    WRAPPER_TIME(line -> "jvm 1    | 2026/11/21 10:00:00 | " + line),
    KUBECTL(line -> "[pod/shop-7d9f-abcde/shop] " + line),
    COMPOSE(line -> "shop-1  | " + line),
    COMPOSE_IN_COLOUR(line -> "\u001b[36mshop-1  |\u001b[0m " + line);

    private final UnaryOperator<String> around;

    Collector(UnaryOperator<String> around) {
      this.around = around;
    }

    String collect(String text) {
      return text.lines().map(around).collect(Collectors.joining("\n", "", "\n"));
    }
  }

  private static String json(String text) {
    return '"'
        + text.replace("\\", "\\\\")
            .replace("\"", "\\\"")
            .replace("\n", "\\n")
            .replace("\t", "\\t")
            .replace(">", "\\u003e")
        + '"';
  }

  private record Read(String format, long pauses, Duration stopped, int heap, Object dumps) {}

  private Timeline timeline(String text) {
    try {
      Path file = Files.writeString(folder.resolve("collected"), text);
      return Ingest.read(
          List.of(new Ingest.Request(file, Optional.empty(), Optional.empty())),
          OperatorFacts.none(),
          Redactor.hiding(),
          ReadOptions.STANDARD);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Read read(String text) {
    Timeline timeline = timeline(text);
    InputReport report = timeline.inputs().get(0);
    assertEquals(Status.OK, report.status(), report::note);
    return new Read(
        report.format(),
        timeline.pauses().size(),
        timeline.pauses().stream().map(GcPause::duration).reduce(Duration.ZERO, Duration::plus),
        timeline.heap().size(),
        timeline.dumps().stream().map(dump -> dump.threads()).toList());
  }

  @ParameterizedTest
  @EnumSource
  void changesNothing(Collector collector) {
    for (String name : (Iterable<String>) Stream.concat(LOGS.stream(), Stream.of(DUMP))::iterator) {
      String plain = new String(Seeds.unpacked(SampleFiles.file(name)), StandardCharsets.UTF_8);
      Read expected = read(plain);
      assertFalse(expected.pauses() == 0 && expected.dumps().equals(List.of()), name);
      assertEquals(expected, read(collector.collect(plain)), name);
    }
  }

  /**
   * Uptimes of 1.5 s, written at 10:00:05, and of 2.25 s, written a quarter of a second late: the
   * JVM started at 10:00:03.5. Without uptimes a pause of 100 ms has ended when its line is
   * written.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "2026-11-21T10:00:%sZ stdout F %s",
        "2026-11-21T11:00:%s+0100 host-1 java[1234]: %s",
        "INFO   | jvm 1    | 2026/11/21 10:00:%s | %s",
        "{\"log\":\"%2$s\\n\",\"stream\":\"stdout\",\"time\":\"2026-11-21T10:00:%1$s.0Z\"}",
      })
  void aLineWithoutADateHasTheTimeInFrontOfIt(String form) {
    String young = "Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 100.000ms";
    assertEquals(
        List.of("2026-11-21T10:00:04.900Z", "2026-11-21T10:00:05.650Z"),
        starts(
            form.formatted("05", "[1.500s][info][gc] GC(0) " + young),
            form.formatted("06", "[2.250s][info][gc] GC(1) " + young)));
    String old = "[GC (Allocation Failure) 65536K->1000K(251392K), 0.1000000 secs]";
    assertEquals(
        List.of("2026-11-21T10:00:04.900Z", "2026-11-21T10:00:05.900Z"),
        starts(form.formatted("05", old), form.formatted("06", old)));
  }

  private List<String> starts(String... lines) {
    return timeline(String.join("\n", lines) + "\n").pauses().stream()
        .map(pause -> pause.start().toString())
        .toList();
  }

  @Test
  void aLogWithoutCollectionsSaysSo() {
    InputReport start = timeline("[0.004s][info][gc] Using G1\n").inputs().get(0);
    assertEquals(Status.OK, start.status());
    assertEquals("it holds no GC", start.note());
    InputReport foreign =
        timeline("[0.004s][info][gc] Using G1\nStarted\nStopped\n").inputs().get(0);
    assertEquals(Status.PARTIAL, foreign.status());
    assertEquals("no GC was found in it; lines not understood: 2", foreign.note());
  }
}
