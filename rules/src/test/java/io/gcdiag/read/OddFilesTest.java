package io.gcdiag.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that are not meant to be handed over, and that are handed over in the night of an incident.
 */
@Tag("slow")
@Tag("reading")
class OddFilesTest {

  private static final Duration NO_HANG = Duration.ofMinutes(2);

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

  private static InputReport only(Timeline timeline) {
    assertEquals(1, timeline.inputs().size(), () -> "" + timeline.inputs());
    return timeline.inputs().get(0);
  }

  private Path file(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content);
  }

  private static byte[] sample(String name) {
    return Seeds.unpacked(SampleFiles.file(name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "thread-dumps/dump-to-file-jdk25.json",
        "thread-dumps/jcmd-jdk17.txt",
        "load/gatling-3.10-simulation.log",
        "load/k6-1.8-summary-export.json",
        "load/jmeter-5.6.jtl",
        "load/wrk-stdout.txt",
        "metrics/prometheus-range.json",
        "gc-logs/g1-jdk17-gc-only.log"
      })
  void aByteOrderMarkOrWideCharactersChangeNothing(String name) throws IOException {
    byte[] plain = sample(name);
    byte[] marked = new byte[plain.length + 3];
    System.arraycopy(new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf}, 0, marked, 0, 3);
    System.arraycopy(plain, 0, marked, 3, plain.length);
    byte[] wide = new String(plain, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_16);
    byte[] windows =
        new String(plain, StandardCharsets.UTF_8)
            .replace("\r", "")
            .replace("\n", "\r\n")
            .getBytes(StandardCharsets.UTF_8);
    InputReport expected = only(read(file("plain", plain)));
    assertEquals(Status.OK, expected.status());
    for (byte[] variant : List.of(marked, wide, windows)) {
      InputReport report = only(read(file("variant", variant)));
      assertEquals(expected.format(), report.format());
      assertEquals(expected.status(), report.status(), report::note);
    }
  }

  @Test
  void aDumpPackedWithLz4IsRead() {
    Timeline packed = read(SampleFiles.file("packed/jcmd-jdk17.txt.lz4"));
    Timeline plain = read(SampleFiles.file("thread-dumps/jcmd-jdk17.txt"));
    assertEquals(Status.OK, only(packed).status());
    assertEquals(plain.dumps().get(0).threads(), packed.dumps().get(0).threads());
  }

  @Test
  void aCutPackedDumpIsReadInPart() throws IOException {
    byte[] packed = Seeds.gzip(sample("thread-dumps/jcmd-jdk17.txt"));
    InputReport report = only(read(file("cut.gz", Arrays.copyOf(packed, packed.length / 2))));
    assertEquals(
        new InputReport(
            "cut.gz",
            "thread-dump",
            Status.PARTIAL,
            "the packed file is cut; what came out of it before was read"),
        report);
  }

  @Test
  void whatIsPackedTwiceIsSaidToBe() throws IOException {
    byte[] log = sample("gc-logs/g1-jdk17-gc-only.log");
    assertEquals(
        "packed twice (gzip inside of another packing); unpack it once",
        only(read(file("twice.gz", Seeds.gzip(Seeds.gzip(log))))).note());
    InputReport inner =
        read(file("outer.zip", Seeds.zip("inner.zip", Seeds.zip("gc.log", log)))).inputs().get(0);
    assertEquals("outer.zip/inner.zip", inner.file());
    assertEquals("packed twice (zip inside of another packing); unpack it once", inner.note());
  }

  @Test
  void aPackingThatIsNotReadIsNamed() throws IOException {
    byte[] bzip2 = "BZh91AY&SY".getBytes(StandardCharsets.US_ASCII);
    assertEquals(
        "packed with bzip2, which is not read; unpack it first",
        only(read(file("gc.log.bz2", bzip2))).note());
  }

  @Test
  void linksInACircleAreSaidToBe() throws IOException {
    Path one = folder.resolve("one");
    Files.createSymbolicLink(one, folder.resolve("two"));
    Files.createSymbolicLink(folder.resolve("two"), one);
    InputReport report = only(read(one));
    assertEquals(Status.UNREADABLE, report.status());
    assertTrue(report.note().startsWith("Too many levels of symbolic links"), report::note);
  }

  private static List<String> names(Timeline timeline) {
    return timeline.inputs().stream().map(InputReport::file).sorted().toList();
  }

  /** What remains of a log that was linked into the folder, where only the folder was copied. */
  @Test
  void aLinkToNothingIsNamedWithWhereItLeadsAndCostsNothingElse() throws IOException {
    file("gc.log", sample("gc-logs/g1-jdk17-gc-only.log"));
    Path gone = folder.resolve("gone.log");
    Files.createSymbolicLink(gone, Path.of("/var/log/orders/gc.log"));
    String note = "a link to /var/log/orders/gc.log, which is not there; copy that file itself";
    Timeline timeline = read(folder);
    assertEquals(List.of("gc.log", "gone.log"), names(timeline));
    assertEquals(Status.OK, timeline.inputs().get(0).status());
    assertEquals(note, timeline.inputs().get(1).note());
    assertEquals(note, only(read(gone)).note());
  }

  /** What the JVM makes of the bytes of a name that are no characters of its locale. */
  @Test
  void aNameThatTheLocaleDoesNotHoldIsToldFromAFileThatIsNotThere() {
    String here = "no such file";
    assertEquals(here, only(read(folder.resolve("gc.log"))).note());
    assertEquals(
        here + " by that name, which this locale (LC_ALL) cannot hold; give its folder instead",
        only(read(folder.resolve("gr\uFFFDe.log"))).note());
  }

  @Test
  void aSocketIsNoFileToRead() throws IOException {
    file("gc.log", sample("gc-logs/g1-jdk17-gc-only.log"));
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(folder.resolve("socket")));
      Timeline timeline = assertTimeoutPreemptively(NO_HANG, () -> read(folder));
      assertEquals(List.of("gc.log", "socket"), names(timeline));
      assertTrue(timeline.inputs().get(1).note().startsWith("not a regular file"));
    }
  }

  /** Devices without end, a terminal, and files of the kernel, of which one waits for messages. */
  @ParameterizedTest
  @ValueSource(
      strings = {"/dev/zero", "/dev/random", "/dev/tty", "/proc/kmsg", "/proc/self/status"})
  void whatIsNoFileOfADiskIsNotRead(Path device) {
    assumeTrue(Files.exists(device));
    InputReport report = assertTimeoutPreemptively(NO_HANG, () -> only(read(device)));
    assertTrue(report.note().startsWith("not a regular file"), report::note);
  }

  @Test
  void aFolderThatHoldsItselfAndAPipeIsRead() throws Exception {
    file("gc.log", sample("gc-logs/g1-jdk17-gc-only.log"));
    Files.createSymbolicLink(folder.resolve("self"), folder);
    Path pipe = folder.resolve("pipe");
    Process mkfifo = new ProcessBuilder("mkfifo", pipe.toString()).start();
    assumeTrue(mkfifo.waitFor(10, TimeUnit.SECONDS) && mkfifo.exitValue() == 0);
    Timeline timeline = assertTimeoutPreemptively(NO_HANG, () -> read(folder));
    assertEquals(List.of("gc.log", "pipe"), names(timeline));
    assertEquals(Status.OK, timeline.inputs().get(0).status());
    assertTrue(timeline.inputs().get(1).note().startsWith("not a regular file"));
    InputReport named = assertTimeoutPreemptively(NO_HANG, () -> only(read(pipe)));
    assertTrue(named.note().startsWith("not a regular file"), named::note);
  }

  @Test
  void aLogOfTheYearZeroHasNoTimes() throws IOException {
    String log = new String(sample("gc-logs/g1-jdk17-utctime.log.gz"), StandardCharsets.UTF_8);
    int at = log.indexOf("T");
    String year = log.substring(at - 10, at - 6);
    Timeline timeline =
        read(file("zero.log", log.replace(year + "-", "0000-").getBytes(StandardCharsets.UTF_8)));
    assertEquals(List.of(), timeline.pauses());
    assertTrue(
        timeline.coverage().notes().stream().anyMatch(note -> note.contains("no credible time")),
        () -> "" + timeline.coverage().notes());
  }

  @Test
  void aClockThatWasSetWhileTheJvmRanIsSaid() throws IOException {
    String pause = "Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 2.000ms\n";
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 6; i++) {
      // Two hours back after the fourth collection.
      int hour = i < 4 ? 10 : 8;
      log.append(
              "[2026-03-01T%02d:00:0%d.000+0000][%d.000s][info][gc] GC(%d) "
                  .formatted(hour, i, i, i))
          .append(pause);
    }
    Timeline timeline = read(file("gc.log", log.toString().getBytes(StandardCharsets.UTF_8)));
    assertEquals(6, timeline.pauses().size());
    assertTrue(
        timeline.coverage().notes().stream()
            .anyMatch(note -> note.contains("clock was set") && note.contains("of 2 pauses")),
        () -> "" + timeline.coverage().notes());
  }

  @Test
  void aLineOfAHundredMegabytesIsCut() throws IOException {
    Path page = folder.resolve("page.prom");
    String part = "x".repeat(1 << 20);
    try (BufferedWriter out = Files.newBufferedWriter(page)) {
      out.write("# TYPE up gauge\nup{job=\"");
      for (int i = 0; i < 100; i++) {
        out.write(part);
      }
      out.write("\"} 1 1795262401000\nup 1 1795262402000\n");
    }
    Timeline timeline = assertTimeoutPreemptively(NO_HANG, () -> read(page));
    assertEquals(1, timeline.metrics().get(0).points().size());
  }

  @Test
  void manyFilesOfOneSizeAreToldApartWithoutReadingEachForEach() throws IOException {
    int count = 600;
    for (int i = 0; i < count; i++) {
      String pause =
          "[%04d.000s][info][gc] GC(%04d) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M)"
              + " 2.000ms\n";
      Files.writeString(folder.resolve("gc.log." + i), pause.formatted(i, i));
    }
    Timeline timeline = assertTimeoutPreemptively(NO_HANG, () -> read(folder));
    assertEquals(count, timeline.pauses().size());
    assertTrue(timeline.inputs().stream().allMatch(input -> input.status() == Status.OK));
  }

  /** A log, a dump, an empty file, one that is no input, a packed one that is damaged, by turns. */
  @Test
  void fiveThousandFilesOfAnyKindHaveEachTheirStatus() throws IOException {
    int each = 1_000;
    String pause =
        "[%04d.000s][info][gc] GC(%04d) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M)"
            + " 2.000ms\n";
    String dump =
        "2026-11-21 14:%02d:%02d\n"
            + "Full thread dump OpenJDK 64-Bit Server VM (17.0.15 mixed mode):\n\n"
            + "\"main\" #1 prio=5 os_prio=0 tid=0x1 nid=0x2 runnable\n"
            + "   java.lang.Thread.State: RUNNABLE\n\tat com.acme.Main.run(Main.java:1)\n\n";
    for (int i = 0; i < each; i++) {
      Files.writeString(folder.resolve("gc.log." + i), pause.formatted(i, i));
      Files.writeString(folder.resolve("dump." + i), dump.formatted(i / 60, i % 60));
      Files.writeString(folder.resolve("empty." + i), "");
      Files.writeString(folder.resolve("notes." + i), "see wiki, page " + i);
      Files.write(folder.resolve("cut.gz." + i), new byte[] {0x1f, (byte) 0x8b, 8, 0, 1, 2, 3});
    }
    Timeline timeline = assertTimeoutPreemptively(NO_HANG, () -> read(folder));
    assertEquals(each, timeline.pauses().size());
    assertEquals(each, timeline.dumps().size());
    // The last thread of such a dump may be cut; the log and the dump are read all the same.
    assertEquals(
        2 * each,
        timeline.inputs().stream()
            .filter(input -> input.status() == Status.OK || input.status() == Status.PARTIAL)
            .count());
  }

  /** What is written behind the part that was read belongs to the next analysis. */
  @Test
  void aLogThatGrowsWhileItIsReadGivesWhatWasThere() throws Exception {
    String pause =
        "[%06d.000s][info][gc] GC(%d) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M)"
            + " 2.000ms\n";
    Path log = folder.resolve("gc.log");
    int atFirst = 20_000;
    int more = 2_000;
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < atFirst; i++) {
      text.append(pause.formatted(i, i));
    }
    Files.writeString(log, text);
    Thread writer =
        new Thread(
            () -> {
              try (Writer out = Files.newBufferedWriter(log, StandardOpenOption.APPEND)) {
                for (int i = atFirst; i < atFirst + more; i++) {
                  out.write(pause.formatted(i, i));
                  out.flush();
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    writer.start();
    Timeline timeline = assertTimeoutPreemptively(NO_HANG, () -> read(log));
    writer.join();
    int pauses = timeline.pauses().size();
    assertTrue(pauses >= atFirst && pauses <= atFirst + more, pauses + " pauses");
  }

  @Test
  void foldersInsideAreReadAsCollectorsLeaveThem() throws IOException {
    Path logs = Files.createDirectories(folder.resolve("namespaces/shop/pods/orders-1/logs"));
    Files.writeString(logs.resolve("current.log"), "[0.5s][info][gc] GC(0) Pause Young 3ms\n");
    Files.writeString(logs.resolve("pod.yaml"), "kind: Pod\n");
    Files.writeString(folder.resolve("version"), "4.14\n");
    Files.createDirectories(folder.resolve(".cache"));
    Files.writeString(folder.resolve(".cache/gc.log"), "[0.5s][info][gc] GC(0) Pause Young 3ms\n");

    List<InputReport> reports = read(folder).inputs();

    assertEquals(
        List.of("version", "namespaces/shop/pods/orders-1/logs/current.log"),
        reports.stream().map(InputReport::file).limit(2).toList());
    assertEquals("1 other file in its folders not recognised", reports.get(2).note());
    assertEquals(3, reports.size());
  }

  @Test
  void foldersInsideWithoutInputsAreNotMentioned() throws IOException {
    Path earlier = Files.createDirectories(folder.resolve("reports"));
    Files.writeString(earlier.resolve("report.txt"), "Primary suspect: Memory pressure\n");
    assertTrue(only(read(folder)).note().startsWith("no input in this folder"));
  }
}
