package io.gcdiag.read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Folders and archives as collectors leave them. The names are those in the sources of the
 * collectors, the contents are the samples, written by the same commands.
 */
class CollectorLayoutsTest {

  @TempDir Path folder;

  /** The files that were read, with their format, in order. */
  private static List<String> used(Path path) {
    Timeline timeline =
        Ingest.read(
            List.of(new Ingest.Request(path, Optional.empty(), Optional.empty())),
            OperatorFacts.none(),
            Redactor.hiding(),
            ReadOptions.STANDARD);
    return timeline.inputs().stream()
        .filter(input -> input.status() == Status.OK || input.status() == Status.LEFT_OUT)
        .map(CollectorLayoutsTest::named)
        .sorted()
        .toList();
  }

  private static String named(InputReport input) {
    return input.file() + " " + input.format();
  }

  private static byte[] sample(String name) throws IOException {
    try (InputStream file = Files.newInputStream(SampleFiles.file(name));
        InputStream in = name.endsWith(".gz") ? new GZIPInputStream(file) : file) {
      return in.readAllBytes();
    }
  }

  /** Writes a file; a part is the name of a sample, or else text. */
  private void put(String name, String... parts) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String part : parts) {
      boolean file = part.matches("[a-z-]+/[\\w.-]+");
      all.write(file ? sample(part) : (part + "\n").getBytes(StandardCharsets.UTF_8));
    }
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, all.toByteArray());
  }

  /** yc-data-script: three dumps and three reports of top in one file, jcmd's output in another. */
  @Test
  void yCrash() throws IOException {
    put("threaddump.out", "thread-dumps/jstack-l-jdk17.txt", "tools/top-H.txt");
    put(
        "hdsub.out",
        "GC.class_histogram:",
        "class-histograms/jcmd-jdk17-1.txt",
        "",
        "GC.heap_info:",
        "jvm-info/heap-info-jdk17.txt",
        "",
        "VM.flags:",
        "jvm-info/flags-jdk17.txt");
    put("top.out", "tools/top.txt");
    put("vmstat.out", "tools/vmstat.txt");
    put("gc.log", "gc-logs/g1-jdk17.log.gz");
    put("meta-info.txt", "hostName=shop-1");
    assertEquals(
        List.of(
            "gc.log gc-log",
            "hdsub.out class-histogram",
            "hdsub.out jvm-info",
            "threaddump.out thread-dump",
            "threaddump.out tool-output",
            "top.out tool-output",
            "vmstat.out tool-output"),
        used(folder));
  }

  /** {@code jstall record}: a zip archive with a folder for each JVM. */
  @Test
  void jstall() throws IOException {
    Path zip = folder.resolve("recording.zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      for (String[] entry :
          new String[][] {
            {"thread-dumps/000-1795987963861.txt", "thread-dumps/jcmd-jdk17.txt"},
            {"jcmd-GC_class_histogram/data.txt", "class-histograms/jcmd-jdk17-1.txt"},
            {"jcmd-GC_heap_info/data.txt", "jvm-info/heap-info-jdk17.txt"}
          }) {
        out.putNextEntry(new ZipEntry("recording/4711/" + entry[0]));
        out.write(sample(entry[1]));
      }
      out.putNextEntry(new ZipEntry("recording/metadata.json"));
      out.write("{\"formatVersion\":1}".getBytes(StandardCharsets.UTF_8));
    }
    assertEquals(
        List.of(
            "recording.zip/recording/4711/jcmd-GC_class_histogram/data.txt class-histogram",
            "recording.zip/recording/4711/jcmd-GC_heap_info/data.txt jvm-info",
            "recording.zip/recording/4711/thread-dumps/000-1795987963861.txt thread-dump"),
        used(zip));
  }

  /** Elastic's support-diagnostics, of the type "local". */
  @Test
  void elasticsearch() throws IOException {
    put("diagnostic_manifest.json", "{\"diagType\":\"local\"}");
    put("nodes_stats.json", "{\"nodes\":{}}");
    put("syscalls/top.txt", "tools/top.txt");
    put("syscalls/top_threads.txt", "tools/top-H.txt");
    put("syscalls/iostat.txt", "tools/iostat-xt.txt");
    put("syscalls/proc-limit.txt", "tools/proc-limits.txt");
    put("syscalls/jstack.txt", "thread-dumps/jstack-l-jdk17.txt");
    put("logs/gc.log", "gc-logs/g1-jdk17-utctime.log.gz");
    assertEquals(
        List.of(
            "logs/gc.log gc-log",
            "syscalls/iostat.txt tool-output",
            "syscalls/jstack.txt thread-dump",
            "syscalls/proc-limit.txt tool-output",
            "syscalls/top.txt tool-output",
            "syscalls/top_threads.txt tool-output"),
        used(folder));
  }

  /** DataStax's collector for Cassandra: a folder for each node, files without an ending. */
  @Test
  void cassandra() throws IOException {
    put("10.0.0.5/java_command_line.txt", "jvm-info/command-line-jdk17.txt");
    put("10.0.0.5/process_limits", "tools/proc-limits.txt");
    put("10.0.0.5/os-metrics/iostat", "tools/iostat-xt.txt");
    put("10.0.0.5/os-metrics/free", "tools/free.txt");
    put("10.0.0.5/nodetool/status", "Datacenter: dc1");
    put("10.0.0.5/logs/cassandra/gc.log", "gc-logs/g1-jdk17.log.gz");
    put(
        "10.0.0.5/logs/cassandra/system.log",
        "INFO  [Service Thread] 2026-11-21 10:00:31,123 GCInspector.java:294 - G1 Young Generation GC"
            + " in 1234ms.  G1 Eden Space: 25165824 -> 0; ");
    assertEquals(
        List.of(
            "10.0.0.5/java_command_line.txt jvm-info",
            "10.0.0.5/logs/cassandra/gc.log gc-log",
            "10.0.0.5/logs/cassandra/system.log app-log",
            "10.0.0.5/os-metrics/free tool-output",
            "10.0.0.5/os-metrics/iostat tool-output",
            "10.0.0.5/process_limits tool-output"),
        used(folder));
  }

  /** Strimzi's {@code report.sh} for Kafka: state of pods, their logs, events of the namespace. */
  @Test
  void kafka() throws IOException {
    put(
        "reports/pods/my-cluster-kafka-0.yaml",
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: my-cluster-kafka-0
        spec:
          containers:
          - name: kafka
            resources:
              limits:
                cpu: "2"
                memory: 4Gi
        status:
          containerStatuses:
          - name: kafka
            lastState:
              terminated:
                exitCode: 137
                finishedAt: "2026-11-23T10:02:31Z"
                reason: OOMKilled
            restartCount: 1
        """);
    put(
        "reports/events/events.txt",
        "LAST SEEN   TYPE      REASON      OBJECT                   MESSAGE",
        "11m         Warning   Unhealthy   pod/my-cluster-kafka-0   Liveness probe failed: timeout");
    put(
        "reports/podlogs/my-cluster-kafka-0-kafka.log",
        "[2026-11-23T10:02:21.100+0000][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause)"
            + " 900M->300M(1024M) 12.100ms",
        "2026-11-23 10:02:21,500 INFO [GroupCoordinator 0]: Preparing to rebalance group orders");
    put("reports/configs/my-cluster-kafka-0.cfg", "auto.create.topics.enable=true");
    assertEquals(
        List.of(
            "reports/events/events.txt tool-output",
            "reports/podlogs/my-cluster-kafka-0-kafka.log gc-log",
            "reports/pods/my-cluster-kafka-0.yaml tool-output"),
        used(folder));
  }
}
