package io.gcdiag.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.GcPause;
import io.gcdiag.evidence.InputReport;
import io.gcdiag.evidence.InputReport.Status;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.fixtures.Samples;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An upload that broke off: the list of the files, at the archive's end, is missing. */
class CutZipTest {

  private static final byte[] LOG = sample("gc-logs/g1-jdk17-gc-only.log");
  private static final byte[] DUMP = sample("thread-dumps/jcmd-jdk17.txt");

  @TempDir Path folder;

  private static byte[] sample(String name) {
    return Seeds.unpacked(Samples.file(name));
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

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private Timeline read(String name, byte[] content) throws IOException {
    Path file = Files.write(folder.resolve(name), content);
    Set<Path> before = temporary();
    Timeline timeline =
        Ingest.read(
            List.of(new Ingest.Request(file, Optional.empty())),
            OperatorFacts.none(),
            Redactor.hiding());
    assertNothingIsLeft(before);
    return timeline;
  }

  /** Others on this machine may be at it as well: theirs goes too, in a moment. */
  private static void assertNothingIsLeft(Set<Path> before) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    Set<Path> left = temporary();
    left.removeAll(before);
    while (left.stream().anyMatch(Files::exists) && System.nanoTime() < end) {
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    assertTrue(left.stream().noneMatch(Files::exists), left::toString);
  }

  private static Set<Path> temporary() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("gcdiag-zip"))
          .collect(Collectors.toSet());
    }
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
            + " damage; what stood behind is lost",
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
}
