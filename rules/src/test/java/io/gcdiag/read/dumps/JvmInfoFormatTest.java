package io.gcdiag.read.dumps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.HeapSample;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.units.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JvmInfoFormatTest {

  private static final Optional<Bytes> MIB_256 = Optional.of(Bytes.ofMebi(256));

  @TempDir Path folder;

  private static Timeline read(Path... paths) {
    return Ingest.read(
        Stream.of(paths)
            .map(path -> new Ingest.Request(path, Optional.empty(), Optional.empty()))
            .toList(),
        OperatorFacts.none(),
        Redactor.hiding(),
        ReadOptions.STANDARD);
  }

  private static JvmFacts sample(String name) {
    return read(SampleFiles.file("jvm-info/" + name)).jvm();
  }

  private Timeline text(String name, String text) throws IOException {
    return read(Files.writeString(folder.resolve(name), text));
  }

  private static String origin(JvmFacts jvm, String flag) {
    return jvm.flag(flag).map(Flag::origin).orElse("absent");
  }

  @Test
  void theConfigurationThatJmapPrintsIsRead() {
    JvmFacts jvm = sample("jmap-heap-jdk8.txt");
    assertEquals(Optional.of("1.8.0_504"), jvm.version());
    assertEquals(Optional.of("Parallel"), jvm.collector());
    assertEquals(MIB_256, jvm.maxHeap());
    assertEquals(OptionalDouble.of(0), jvm.number("MinHeapFreeRatio"));
    assertEquals(OptionalDouble.of(89_128_960), jvm.number("NewSize"));
    // 17592186044415 MB is no limit.
    assertEquals(Optional.empty(), jvm.flag("MaxMetaspaceSize"));
    assertEquals(
        "jmap-heap-jdk8.txt:10", jvm.flag("MinHeapFreeRatio").orElseThrow().source().toString());
  }

  @Test
  void theConfigurationThatJhsdbPrintsIsRead() {
    JvmFacts jvm = sample("jhsdb-heap-jdk17.txt");
    assertEquals(Optional.of("17.0.15"), jvm.version());
    assertEquals(Optional.of("G1"), jvm.collector());
    assertEquals(OptionalDouble.of(40), jvm.number("MinHeapFreeRatio"));
    assertEquals(OptionalDouble.of(1_048_576), jvm.number("G1HeapRegionSize"));
  }

  @Test
  void everyTableOfFlagsIsReadWhole() {
    // zgrep -c '{'
    assertEquals(738, sample("flags-all-jdk8.txt.gz").flags().size());
    assertEquals(559, sample("flags-all-jdk17.txt.gz").flags().size());
    assertEquals(513, sample("flags-all-jdk25.txt.gz").flags().size());
    assertEquals(559, sample("flags-final-jdk17.txt.gz").flags().size());
  }

  @Test
  void aTableSaysWhoSetAFlag() {
    JvmFacts jvm = sample("flags-all-jdk17.txt.gz");
    assertEquals("Command line", origin(jvm, "MaxHeapSize"));
    assertEquals("Default", origin(jvm, "MinHeapFreeRatio"));
    assertEquals("Ergonomic", origin(jvm, "SoftMaxHeapSize"));
    assertEquals("", jvm.flag("ErrorFile").orElseThrow().value());
    JvmFacts old = sample("flags-final-jdk8.txt.gz");
    assertEquals("Default", origin(old, "MinHeapFreeRatio"));
    // := says only that it is not the default.
    assertEquals("", origin(old, "MaxHeapSize"));
    assertEquals(Optional.of("1.8.0_504"), old.version());
    assertEquals(Optional.of("25.0.3"), sample("flags-final-jdk25.txt.gz").version());
  }

  @Test
  void theFlagsInForceAreRead() {
    assertFlags("flags-jdk8.txt", "Parallel");
    assertFlags("flags-jdk17.txt", "G1");
    assertFlags("flags-jdk25.txt", "ZGC");
  }

  private static void assertFlags(String name, String collector) {
    JvmFacts jvm = sample(name);
    assertEquals(Optional.of(collector), jvm.collector(), name);
    assertEquals(MIB_256, jvm.initialHeap(), name);
    assertEquals(MIB_256, jvm.maxHeap(), name);
  }

  @Test
  void ofTheCommandLineOnlyFlagsAreKept() throws IOException {
    JvmFacts jvm =
        text(
                "command-line.txt",
                """
                4711:
                VM Arguments:
                jvm_args: -Ddb.password=hunter2 -Xms512m -Xmx2g -XX:+UseSerialGC -XX:MaxRAMPercentage=70
                java_command: com.example.Main --token abc
                """)
            .jvm();
    assertEquals(
        List.of("InitialHeapSize", "MaxHeapSize", "MaxRAMPercentage", "UseSerialGC"),
        List.copyOf(jvm.flags().keySet()));
    assertEquals(Optional.of(Bytes.ofMebi(2048)), jvm.maxHeap());
    assertEquals(Optional.of("Serial"), jvm.collector());
    assertEquals("Command line", origin(jvm, "MaxHeapSize"));
  }

  @Test
  void theHeapOfEveryCollectorIsRead() {
    assertEquals(Optional.of("Parallel"), sample("heap-info-jdk8.txt").collector());
    assertEquals(Optional.of("ParNew + CMS"), sample("heap-info-jdk11.txt").collector());
    assertEquals(Optional.of("G1"), sample("heap-info-jdk17.txt").collector());
    assertEquals(Optional.of("ZGC"), sample("heap-info-jdk25.txt").collector());
    assertEquals(MIB_256, sample("heap-info-jdk25.txt").maxHeap());
  }

  @Test
  void aDatedHeapIsASampleAndAnUndatedOneIsNot() throws IOException {
    String generations = Files.readString(SampleFiles.file("jvm-info/heap-info-jdk8.txt"));
    // 76288K + 175104K, 9177K + 22269K.
    assertEquals(
        List.of(
            new HeapSample(
                Instant.parse("2026-03-01T10:00:05Z"),
                HeapSample.Moment.ANY,
                Bytes.ofKibi(31_446),
                Bytes.ofKibi(251_392),
                new Source("heap.txt", "3"))),
        text("heap.txt", "Sun Mar  1 10:00:05 UTC 2026\n" + generations).heap());
    assertEquals(List.of(), read(SampleFiles.file("jvm-info/heap-info-jdk8.txt")).heap());
  }

  @Test
  void shenandoahAndTheG1OfJdk25ArePrintedInTheirOwnWays() throws IOException {
    String date = "2026-03-01T10:00:05Z\n4711:\n";
    Timeline shenandoah =
        text(
            "a.txt",
            date
                + "Shenandoah Heap\n 256M max, 256M soft max, 128M committed, 8704K used\n"
                + " 1024 x 256K regions\n");
    assertEquals(MIB_256, shenandoah.jvm().maxHeap());
    assertEquals(Bytes.ofMebi(128), shenandoah.heap().get(0).committed());
    assertEquals(Bytes.ofKibi(8_704), shenandoah.heap().get(0).used());
    Timeline g1 =
        text(
            "b.txt",
            date
                + "garbage-first heap   total reserved 65536K, committed 32768K, used 10382K [0x1)\n"
                + " region size 1024K, 9 young (9216K), 0 survivors (0K)\n");
    assertEquals(Optional.of(Bytes.ofMebi(64)), g1.jvm().maxHeap());
    assertEquals(Bytes.ofMebi(32), g1.heap().get(0).committed());
  }

  @Test
  void aReportOnTheVmIsNoLogOfItsCollector() throws IOException {
    Timeline timeline =
        text(
            "vm-info.txt",
            """
            # Java VM: OpenJDK 64-Bit Server VM (17.0.15+6-Debian-1deb12u1, mixed mode, g1 gc)
            GC Precious Log:
             CPUs: 4 total, 2 available
            VM Arguments:
            jvm_args: -Xmx256m -XX:+UseG1GC
            vm_info: OpenJDK 64-Bit Server VM (17.0.15+6) for linux-amd64 JRE (17.0.15+6), built on
            """);
    assertEquals(List.of("jvm-info"), timeline.inputs().stream().map(InputReport::format).toList());
    assertEquals(Optional.of("17.0.15"), timeline.jvm().version());
    assertEquals(OptionalInt.of(2), timeline.jvm().cpus());
  }

  @Test
  void whatALogSaysGoesBeforeWhatMayHaveBeenAskedOfAnotherJvm() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("z-gc.log"),
            """
            [2026-03-01T10:00:00.000+0000][0.010s][info][gc,init] Heap Max Capacity: 512M
            [2026-03-01T10:00:01.000+0000][1.000s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 2.000ms
            """);
    Timeline timeline = read(SampleFiles.file("jvm-info/flags-jdk17.txt"), log);
    assertEquals(Optional.of(Bytes.ofMebi(512)), timeline.jvm().maxHeap());
    InputReport flags = timeline.inputs().get(0);
    assertEquals(InputReport.Status.LEFT_OUT, flags.status());
    assertTrue(flags.note().contains("not 512 MiB"), flags::note);
  }

  @Test
  void aLogThatMentionsFlagsIsStillALog() throws IOException {
    Timeline timeline =
        text("app.log", "INFO starting\n".repeat(10) + "use -XX:+UseG1GC next time\n");
    assertFalse(timeline.inputs().get(0).format().equals("jvm-info"));
  }
}
