package io.gcdiag.read.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An upload that broke off: the list of the files, at the archive's end, is missing. */
@Tag("slow")
class CutZipTest {

  private static final byte[] LOG = sample("gc-logs/g1-jdk17-gc-only.log");
  private static final byte[] DUMP = sample("thread-dumps/jcmd-jdk17.txt");

  @TempDir Path folder;

  private static byte[] sample(String name) {
    return Seeds.unpacked(SampleFiles.file(name));
  }

  /** A dump and a log, the second of which is the larger part of the archive. */
  private static byte[] archive(boolean stored) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(packed)) {
      add(zip, "threads.txt", DUMP, stored);
      add(zip, "logs/gc.log", LOG, stored);
    }
    return packed.toByteArray();
  }

  private static void add(ZipOutputStream zip, String name, byte[] content, boolean stored)
      throws IOException {
    ZipEntry entry = new ZipEntry(name);
    if (stored) {
      CRC32 sum = new CRC32();
      sum.update(content);
      entry.setMethod(ZipEntry.STORED);
      entry.setSize(content.length);
      entry.setCrc(sum.getValue());
    }
    zip.putNextEntry(entry);
    zip.write(content);
    zip.closeEntry();
  }

  private Timeline read(String name, byte[] content) throws IOException {
    Path file = Files.write(folder.resolve(name), content);
    return Ingest.read(
        List.of(new Ingest.Request(file, Optional.empty(), Optional.empty())),
        OperatorFacts.none(),
        Redactor.hiding(),
        ReadOptions.STANDARD);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void wholeFilesAndTheBeginningOfTheCutOneAreRead(boolean stored) throws IOException {
    byte[] whole = archive(stored);
    Timeline all = read("whole.zip", whole);
    Timeline cut = read("cut.zip", Arrays.copyOf(whole, whole.length * 3 / 4));
    assertEquals(all.dumps().get(0).threads(), cut.dumps().get(0).threads());
    assertTrue(cut.pauses().size() > 100, () -> "" + cut.pauses().size());
    assertTrue(cut.pauses().size() < all.pauses().size());
    List<InputReport> reports = cut.inputs();
    assertEquals(
        Set.of("cut.zip/threads.txt", "cut.zip/logs/gc.log", "cut.zip"),
        reports.stream().map(InputReport::file).collect(Collectors.toSet()));
    InputReport archive =
        reports.stream().filter(one -> one.format().equals("zip")).findFirst().orElseThrow();
    assertEquals(Status.PARTIAL, archive.status());
    assertEquals(
        "the archive is cut or damaged: 1 file of it is whole, of logs/gc.log what came before the"
            + " damage; the rest is lost",
        archive.note());
  }

  @Test
  void withoutItsListAloneNothingIsLost() throws IOException {
    byte[] whole = archive(false);
    Timeline all = read("whole.zip", whole);
    // The record at the very end has 22 bytes.
    Timeline cut = read("upload.part", Arrays.copyOf(whole, whole.length - 22));
    assertEquals(
        all.pauses().stream().map(GcPause::duration).toList(),
        cut.pauses().stream().map(GcPause::duration).toList());
    InputReport archive =
        cut.inputs().stream().filter(one -> one.format().equals("zip")).findFirst().orElseThrow();
    assertTrue(archive.note().contains("2 files of it are whole"), archive::note);
  }

  @Test
  void anArchiveCutInItsFirstHeaderIsRefusedInOneLine() throws IOException {
    Timeline cut = read("cut.zip", Arrays.copyOf(archive(false), 20));
    assertEquals(1, cut.inputs().size());
    assertEquals(Status.UNREADABLE, cut.inputs().get(0).status());
    assertEquals(
        "the archive is cut or damaged, and nothing can be unpacked from its beginning",
        cut.inputs().get(0).note());
    assertFalse(cut.dated());
  }

  @Test
  void anArchiveInsideOfACutOneIsNamed() throws IOException {
    byte[] outer = Seeds.zip("inner.zip", archive(false));
    Timeline cut = read("outer.zip", Arrays.copyOf(outer, outer.length - 22));
    assertEquals("outer.zip/inner.zip", cut.inputs().get(0).file());
    assertTrue(cut.inputs().get(0).note().startsWith("packed twice"), cut.inputs().get(0)::note);
  }

  @Test
  void whereverAnArchiveIsCutNoMoreIsReadThanOfTheWhole() throws IOException {
    for (boolean stored : new boolean[] {false, true}) {
      byte[] whole = archive(stored);
      int pauses = read("whole.zip", whole).pauses().size();
      int before = 0;
      for (int part = 1; part <= 40; part++) {
        Timeline cut = read("cut.zip", Arrays.copyOf(whole, whole.length / 40 * part));
        assertTrue(cut.pauses().size() >= before, "less of a longer part");
        before = cut.pauses().size();
      }
      assertEquals(pauses, before);
    }
  }

  @Test
  void aFileWithAnotherChecksumIsNotCalledWhole() throws IOException {
    byte[] whole = archive(true);
    whole[30 + "threads.txt".length() + DUMP.length / 2]++;
    Timeline cut = read("cut.zip", Arrays.copyOf(whole, whole.length - 22));
    InputReport archive =
        cut.inputs().stream().filter(one -> one.format().equals("zip")).findFirst().orElseThrow();
    assertTrue(archive.note().contains("1 file of it is whole, of threads.txt"), archive::note);
  }

  @Test
  void aRecordingInACutArchiveIsReadAsFarAsItGoes() throws IOException {
    byte[] recording = Seeds.unpacked(SampleFiles.file("recordings/jdk21.jfr.gz"));
    byte[] whole = Seeds.zip("app.jfr", recording);
    Timeline cut = read("cut.zip", Arrays.copyOf(whole, whole.length / 10 * 9));
    InputReport report = cut.inputs().get(0);
    assertEquals("cut.zip/app.jfr", report.file());
    assertEquals("jfr", report.format());
    assertTrue(report.note().startsWith("damaged"), report::note);
    Timeline all = read("listless.zip", Arrays.copyOf(whole, whole.length - 22));
    assertEquals(Status.OK, all.inputs().get(0).status());
  }
}
