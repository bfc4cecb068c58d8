package io.gcdiag.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.units.Rate;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class IngestTest extends IngestScene {

  @Test
  void aFileIsRecognisedByItsContentWhateverItsName() throws IOException {
    InputReport report = only(read(log("thread-dump.jfr")));
    assertEquals("gc-log", report.format());
    assertEquals(Status.OK, report.status());
  }

  @Test
  void aFolderGivesTheInputsInItAndInItsFoldersAndPassesOverTheRest() throws IOException {
    log("gc.log");
    log(".hidden.log");
    log(folder.resolve("pod-1"), "current.log");
    Files.writeString(folder.resolve("README.md"), "# What happened\n");
    Files.writeString(folder.resolve("truth.json"), "{\"primarySuspect\": null}\n");
    Files.writeString(folder.resolve("empty.txt"), "");
    Files.write(folder.resolve("photo.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G', 0, 1, 2});
    Timeline timeline = read(folder);
    assertEquals(List.of("gc.log", "pod-1/current.log"), names(timeline));
    // Both have the same text, which is read once.
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
  void whatIsInAFolderAndInNoFormatIsListedAsUnused() throws IOException {
    log("gc.log");
    Files.writeString(folder.resolve("notes.txt"), "call the database team\n");
    Files.write(folder.resolve("void.txt"), new byte[0]);
    assertEquals(
        List.of(
            new InputReport("gc.log", "gc-log", Status.OK, ""),
            new InputReport("notes.txt", "unknown", Status.UNUSED, "not recognised"),
            new InputReport("void.txt", "unknown", Status.UNUSED, "empty")),
        read(folder).inputs().stream().sorted(Comparator.comparing(InputReport::file)).toList());
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
  void aBrokenLinkSaysWhereItLeads() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link.log"), Path.of("gone.log"));
    assertEquals(
        "a link to gone.log, which is not there; copy that file itself", only(read(link)).note());
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
  void aDumpInUtf16WithoutAMarkIsRecognised() throws IOException {
    String dump = Files.readString(SampleFiles.file("thread-dumps/jcmd-jdk17.txt"));
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
    Timeline timeline = Ingest.read(List.of(), facts, Redactor.off(), ReadOptions.STANDARD);
    assertTrue(timeline.coverage().of(Signal.REQUEST_STATS).recorded());
    assertTrue(timeline.coverage().of(Signal.POOL_SIZE).recorded());
    assertTrue(timeline.coverage().of(Signal.HOLD_TIME).recorded());
    assertFalse(timeline.coverage().of(Signal.GC_PAUSES).recorded());
    assertFalse(timeline.dated());
  }

  @Test
  void aPatternThatNoShellExpandedNamesItsFiles() throws IOException {
    log("gc.log.0");
    Files.writeString(folder.resolve("gc.log.1"), LOG.replace("T10:", "T11:"));
    assertEquals(6, read(folder.resolve("gc.log.*")).pauses().size());
    assertEquals("no such file", read(folder.resolve("jvm.*")).inputs().get(0).note());
  }
}
