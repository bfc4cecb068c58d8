package io.gcdiag.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gcdiag.evidence.InputReport;
import io.gcdiag.evidence.InputReport.Status;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.fixtures.Samples;
import io.gcdiag.units.Rate;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IngestTest {

  /** Three collections of 2, 4 and 3 ms. */
  private static final String LOG =
      """
      [2026-03-01T10:00:01.000+0000][1.000s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 2.000ms
      [2026-03-01T10:00:02.000+0000][2.000s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 25M->5M(256M) 4.000ms
      [2026-03-01T10:00:03.000+0000][3.000s][info][gc] GC(2) Pause Young (Normal) (G1 Evacuation Pause) 26M->6M(256M) 3.000ms
      """;

  @TempDir Path folder;

  private static Timeline read(Path... paths) {
    List<Ingest.Request> requests = new ArrayList<>();
    for (Path path : paths) {
      requests.add(new Ingest.Request(path, Optional.empty()));
    }
    return Ingest.read(requests, OperatorFacts.none(), Redactor.off());
  }

  private static Timeline readAs(Path path, String format) {
    return Ingest.read(
        List.of(new Ingest.Request(path, Optional.of(format))),
        OperatorFacts.none(),
        Redactor.off());
  }

  private Path log(String name) throws IOException {
    return log(folder, name);
  }

  private static Path log(Path where, String name) throws IOException {
    Files.createDirectories(where);
    return Files.writeString(where.resolve(name), LOG);
  }

  private static List<String> names(Timeline timeline) {
    return timeline.inputs().stream().map(InputReport::file).toList();
  }

  private static InputReport only(Timeline timeline) {
    assertEquals(1, timeline.inputs().size(), () -> "" + timeline.inputs());
    return timeline.inputs().get(0);
  }

  @Test
  void aFileIsRecognisedByItsContentWhateverItsName() throws IOException {
    InputReport report = only(read(log("thread-dump.jfr")));
    assertEquals("gc-log", report.format());
    assertEquals(Status.OK, report.status());
  }

  @Test
  void aFolderGivesTheInputsDirectlyInItAndPassesOverTheRest() throws IOException {
    log("gc.log");
    log(".hidden.log");
    log(folder.resolve("approved"), "report.log");
    Files.writeString(folder.resolve("README.md"), "# What happened\n");
    Files.writeString(folder.resolve("truth.json"), "{\"primarySuspect\": null}\n");
    Files.writeString(folder.resolve("empty.txt"), "");
    Files.write(folder.resolve("photo.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G', 0, 1, 2});
    Timeline timeline = read(folder);
    assertEquals(List.of("gc.log"), names(timeline));
    assertEquals(3, timeline.pauses().size());
  }

  @Test
  void aFolderWithoutInputsIsOneUnreadableInput() throws IOException {
    Files.writeString(folder.resolve("README.md"), "# Nothing here\n");
    InputReport report = only(read(folder));
    assertEquals(Status.UNREADABLE, report.status());
    assertEquals("folder", report.format());
    assertEquals(folder.getFileName().toString(), report.file());
    assertTrue(report.note().startsWith("no input in this folder"), report::note);
  }

  @Test
  void anEmptyRecordingInAFolderIsWorthAWord() throws IOException {
    log("gc.log");
    Files.write(folder.resolve("recording.jfr"), new byte[0]);
    Timeline timeline = read(folder);
    assertEquals(List.of("gc.log", "recording.jfr"), names(timeline));
    assertEquals(Status.UNREADABLE, timeline.inputs().get(1).status());
  }

  @Test
  void aNamedFileOfNoKnownKindSaysWhatWasExpected() throws IOException {
    Path file = Files.writeString(folder.resolve("notes.txt"), "call the database team\n");
    InputReport report = only(read(file));
    assertEquals(Status.UNREADABLE, report.status());
    assertEquals("unknown", report.format());
    assertTrue(report.note().startsWith("not recognised; expected "), report::note);
    assertTrue(report.note().contains("a HotSpot GC log"), report::note);
    assertTrue(report.note().contains("a thread dump"), report::note);
  }

  @Test
  void aMissingFileSaysSoAndDoesNotStopTheOthers() throws IOException {
    Timeline timeline = read(folder.resolve("gone.log"), log("gc.log"));
    assertEquals(
        new InputReport("gone.log", "unknown", Status.UNREADABLE, "no such file"),
        timeline.inputs().get(0));
    assertEquals(3, timeline.pauses().size());
  }

  @Test
  void aBrokenLinkIsAMissingFile() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link.log"), folder.resolve("gone.log"));
    assertEquals("no such file", only(read(link)).note());
  }

  @Test
  void aFileWithoutPermissionSaysSo() throws IOException {
    Path file = log("secret.log");
    assumeTrue(Files.getFileStore(file).supportsFileAttributeView("posix"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    assumeFalse(Files.isReadable(file), "the superuser may read everything");
    assertEquals("no permission to read it", only(read(file)).note());
  }

  @Test
  void anEmptyFileSaysSo() throws IOException {
    Path file = Files.writeString(folder.resolve("gc.log"), "");
    assertEquals(
        new InputReport("gc.log", "unknown", Status.UNREADABLE, "file is empty"), only(read(file)));
  }

  @Test
  void aDeviceIsNoFile() {
    Path device = Path.of("/dev/zero");
    assumeTrue(Files.exists(device));
    assertTrue(only(read(device)).note().startsWith("not a regular file"));
  }

  @Test
  void aForcedFormatIsTheOnlyOneTried() throws IOException {
    Path file = log("gc.log");
    assertEquals(Status.OK, only(readAs(file, "gc-log")).status());
    InputReport report = only(readAs(file, "thread-dump"));
    assertEquals(Status.UNREADABLE, report.status());
    assertEquals(
        "not recognised; expected a thread dump (jcmd PID Thread.print or jstack, or a javacore of OpenJ9)",
        report.note());
  }

  @Test
  void namesLoseWhatCouldMoveATerminalsCursor() throws IOException {
    Path file;
    try {
      file = log("a\u001b[2Jb\nc\u202ed.log");
    } catch (InvalidPathException e) {
      assumeTrue(false, "this file system has no such names");
      return;
    }
    Timeline timeline = read(file);
    assertEquals(List.of("a?[2Jb?c?d.log"), names(timeline));
    assertEquals("a?[2Jb?c?d.log", timeline.pauses().get(0).source().file());
  }

  @Test
  void aFileNamedTwiceIsReadOnce() throws IOException {
    Path file = log("gc.log");
    Path again = folder.resolve(".").resolve("gc.log");
    Timeline timeline = read(file, again, folder);
    assertEquals(List.of("gc.log"), names(timeline));
    assertEquals(3, timeline.pauses().size());
  }

  @Test
  void aLinkToAFileIsThatFile() throws IOException {
    Path file = log("gc.log");
    Path link = Files.createSymbolicLink(folder.resolve("link.log"), file);
    assertEquals(List.of("link.log"), names(read(link)));
    assertEquals(List.of("gc.log"), names(read(file, link)));
  }

  @Test
  void aLinkToAFolderIsThatFolder() throws IOException {
    log(folder.resolve("run"), "gc.log");
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("run"));
    assertEquals(List.of("gc.log"), names(read(link)));
  }

  @Test
  void aCopyIsNamedAndCountsOnce() throws IOException {
    Timeline timeline = read(log("gc.log"), log("gc-copy.log"));
    assertEquals(
        new InputReport("gc-copy.log", "gc-log", Status.OK, "the same as gc.log; read once"),
        timeline.inputs().get(1));
    assertEquals(3, timeline.pauses().size());
    assertEquals(1, timeline.pausesByFile().size());
  }

  @Test
  void filesOfOneNameFromTwoFoldersAreToldApart() throws IOException {
    Path first = log(folder.resolve("before"), "gc.log");
    Path second =
        Files.writeString(
            Files.createDirectories(folder.resolve("after")).resolve("gc.log"),
            LOG.replace("T10:", "T11:"));
    Timeline timeline = read(first, second);
    assertEquals(List.of("gc.log", "after/gc.log"), names(timeline));
    assertEquals(List.of("after/gc.log", "gc.log"), List.copyOf(timeline.pausesByFile().keySet()));
    assertEquals(6, timeline.pauses().size());
  }

  @Test
  void twoLogsThatOverlapGiveEachPauseOnce() throws IOException {
    // A rotated log and the stretch of it that somebody cut out: the last two pauses are in both.
    String part = LOG.substring(LOG.indexOf('\n') + 1);
    Path cut = Files.writeString(folder.resolve("cut.log"), part);
    Timeline timeline = read(log("gc.log"), cut);
    assertEquals(3, timeline.pauses().size());
    assertEquals(2, timeline.pausesByFile().get("cut.log").size());
  }

  @Test
  void aPackedLogIsRead() throws IOException {
    Path file = folder.resolve("gc.log.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(LOG.getBytes(StandardCharsets.UTF_8));
    }
    Timeline timeline = read(file);
    assertEquals("gc-log", only(timeline).format());
    assertEquals(3, timeline.pauses().size());
  }

  @Test
  void aDumpInUtf16WithoutAMarkIsRecognised() throws IOException {
    String dump = Files.readString(Samples.file("thread-dumps/jcmd-jdk17.txt"));
    for (Charset charset :
        List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE, StandardCharsets.UTF_16)) {
      Path file = folder.resolve(charset.name() + ".txt");
      Files.write(file, dump.getBytes(charset));
      Timeline timeline = read(file);
      assertEquals("thread-dump", only(timeline).format(), charset::name);
      assertFalse(timeline.dumps().isEmpty());
    }
  }

  @Test
  void whatTheOperatorSaysCountsAsRecorded() {
    OperatorFacts facts =
        new OperatorFacts(
            Optional.of(Rate.parse("200")), OptionalInt.of(10), Optional.of(Duration.ofMillis(5)));
    Timeline timeline = Ingest.read(List.of(), facts, Redactor.off());
    assertTrue(timeline.coverage().of(Signal.REQUEST_STATS).recorded());
    assertTrue(timeline.coverage().of(Signal.POOL_SIZE).recorded());
    assertTrue(timeline.coverage().of(Signal.HOLD_TIME).recorded());
    assertFalse(timeline.coverage().of(Signal.GC_PAUSES).recorded());
    assertFalse(timeline.dated());
  }

  @Test
  void standardOutputIsReadAsAllThatItHolds() throws IOException {
    String noise = "2026-03-01 10:00:00 INFO an order was placed\n".repeat(3_000);
    String dump = Files.readString(Samples.file("thread-dumps/jcmd-jdk17.txt"));
    Path output = Files.writeString(folder.resolve("stdout"), noise + LOG + noise + dump + noise);
    Timeline timeline = read(output);
    assertEquals(3, timeline.pauses().size());
    assertEquals(1, timeline.dumps().size());
    assertEquals(
        List.of("thread-dump", "gc-log"),
        timeline.inputs().stream().map(InputReport::format).toList());
    assertEquals(List.of(), readAs(output, "gc-log").dumps());
  }

  private Path zip(String name, String... files) throws IOException {
    Path archive = folder.resolve(name);
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(archive))) {
      for (int i = 0; i < files.length; i += 2) {
        out.putNextEntry(new ZipEntry(files[i]));
        out.write(files[i + 1].getBytes(StandardCharsets.UTF_8));
      }
    }
    return archive;
  }

  @Test
  void theFilesOfAZipArchiveAreReadInTheirPlace() throws IOException {
    String dump = Files.readString(Samples.file("thread-dumps/jcmd-jdk17.txt"));
    Timeline timeline =
        read(zip("incident.zip", "logs/gc.log", LOG, "dump.txt", dump, "notes.md", "# prose"));
    assertEquals(3, timeline.pauses().size());
    assertEquals(1, timeline.dumps().size());
    assertEquals(
        List.of("incident.zip/dump.txt", "incident.zip/logs/gc.log"),
        timeline.inputs().stream().map(InputReport::file).toList());
  }

  @Test
  void aRecordingInAZipArchiveIsRead() throws IOException {
    Path archive = folder.resolve("recording.zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(archive))) {
      out.putNextEntry(new ZipEntry("recording.jfr"));
      out.write(new byte[] {'F', 'L', 'R', 0});
    }
    InputReport report = read(archive).inputs().get(0);
    assertEquals("jfr", report.format());
    assertEquals("cut off inside its first header; nothing in it can be read", report.note());
  }

  @Test
  void aZipArchiveThatHoldsNoInputOrIsDamagedIsSaidToBeSo() throws IOException {
    InputReport empty = read(zip("prose.zip", "notes.md", "# prose")).inputs().get(0);
    assertTrue(empty.note().startsWith("no input in this archive"), empty.note());
    Path cut = folder.resolve("cut.zip");
    Files.write(cut, new byte[] {'P', 'K', 3, 4, 0, 0, 0, 0});
    assertEquals(Status.UNREADABLE, read(cut).inputs().get(0).status());
  }

  @Test
  void aZipArchiveThatUnpacksToFarMoreThanAnyLogIsRefused() throws IOException {
    Path archive = folder.resolve("bomb.zip");
    byte[] zeros = new byte[1 << 20];
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(archive))) {
      out.putNextEntry(new ZipEntry("gc.log"));
      for (int i = 0; i < 300; i++) {
        out.write(zeros);
      }
    }
    assertEquals(
        "unpacks to far more than any log or dump; unpack it by hand",
        read(archive).inputs().get(0).note());
  }

  @Test
  void aPatternThatNoShellExpandedNamesItsFiles() throws IOException {
    log("gc.log.0");
    Files.writeString(folder.resolve("gc.log.1"), LOG.replace("T10:", "T11:"));
    assertEquals(6, read(folder.resolve("gc.log.*")).pauses().size());
    assertEquals("no such file", read(folder.resolve("jvm.*")).inputs().get(0).note());
  }

  @Test
  void whatDockerKeepsOfAContainersOutputIsUnwrapped() throws IOException {
    String dump = Files.readString(Samples.file("thread-dumps/jcmd-jdk17.txt"));
    StringBuilder kept = new StringBuilder();
    for (String line : (LOG + dump).lines().toList()) {
      kept.append("{\"log\":\"")
          .append(line.replace("\\", "\\\\").replace("\"", "\\\"").replace("\t", "\\t"))
          .append("\\n\",\"stream\":\"stdout\",\"time\":\"2026-03-01T10:00:05.1Z\"}\n");
    }
    String text = kept.toString().replace("<", "\\u003c").replace(">", "\\u003e");
    Timeline wrapped = read(Files.writeString(folder.resolve("container-json.log"), text));
    Timeline plain = read(Files.writeString(folder.resolve("plain.log"), LOG + dump));
    assertEquals(3, wrapped.pauses().size());
    assertEquals(plain.dumps().get(0).threads(), wrapped.dumps().get(0).threads());
    assertEquals(plain.dumps().get(0).deadlocked(), wrapped.dumps().get(0).deadlocked());
  }
}
