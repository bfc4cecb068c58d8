package io.gcdiag.read.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.Seeds;
import io.gcdiag.read.TarBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tar archives of incidents: whole, cut, odd and hostile ones. */
@Tag("slow")
@Tag("reading")
class TarArchiveTest {

  private static final byte[] LOG = sample("gc-logs/g1-jdk17-gc-only.log");
  private static final byte[] DUMP = sample("thread-dumps/jcmd-jdk17.txt");
  private static final byte[] NOTHING = {};

  /** By a grep for {@code Pause .*ms$}; see the README of the samples. */
  private static final int PAUSES = 676;

  @TempDir Path folder;

  private static byte[] sample(String name) {
    return Seeds.unpacked(SampleFiles.file(name));
  }

  private Timeline read(String name, byte[] content) throws IOException {
    return read(Files.write(folder.resolve(name), content));
  }

  private static Timeline read(Path file) {
    return assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () ->
            Ingest.read(
                List.of(new Ingest.Request(file, Optional.empty(), Optional.empty())),
                OperatorFacts.none(),
                Redactor.hiding(),
                ReadOptions.STANDARD));
  }

  private static List<String> files(Timeline timeline) {
    return timeline.inputs().stream().map(InputReport::file).toList();
  }

  private static InputReport archive(Timeline timeline) {
    return timeline.inputs().stream()
        .filter(input -> input.format().equals("tar"))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"packed/incident-gnu.tar.gz", "packed/incident-pax.tar.lz4"})
  void anArchiveOfGnuTarIsReadWithItsLongNames(String name) {
    Timeline timeline = read(SampleFiles.file(name));
    // Lines of the log in it that a grep finds.
    assertEquals(176, timeline.pauses().size());
    assertEquals(1, timeline.dumps().size());
    String archive = name.substring(name.indexOf('/') + 1);
    assertEquals(
        List.of(
            archive + "/incident/hard.txt",
            archive
                + "/incident/logs/a-folder-with-a-name-long-enough-that-the-whole-path-has-no-room"
                + "-in-the-hundred-bytes-of-a-header/gc.log"),
        files(timeline));
    assertTrue(timeline.inputs().stream().allMatch(input -> input.status() == Status.OK));
  }

  @Test
  void whatItIsIsToldByItsContent() throws IOException {
    byte[] tar = new TarBytes().file("threads.txt", DUMP).file("logs/gc.log", LOG).bytes();
    for (byte[] variant : List.of(tar, Seeds.gzip(tar))) {
      Timeline timeline = read("upload", variant);
      assertEquals(PAUSES, timeline.pauses().size());
      assertEquals(List.of("upload/logs/gc.log", "upload/threads.txt"), files(timeline));
    }
    assertEquals(1, read("not-really.tar.gz", DUMP).dumps().size());
  }

  @Test
  void packedFilesInItAreUnpacked() throws IOException {
    byte[] tar = new TarBytes().file("gc.log.gz", Seeds.gzip(LOG)).bytes();
    assertEquals(PAUSES, read("a.tar", tar).pauses().size());
  }

  @Test
  void aRecordingInItIsRead() throws IOException {
    byte[] recording = sample("recordings/jdk21.jfr.gz");
    Timeline timeline = read("a.tgz", Seeds.gzip(new TarBytes().file("a.jfr", recording).bytes()));
    assertEquals("a.tgz/a.jfr", timeline.inputs().get(0).file());
    assertEquals(Status.OK, timeline.inputs().get(0).status());
  }

  @Test
  void wholeFilesAndTheBeginningOfTheCutOneAreRead() throws IOException {
    byte[] tar = new TarBytes().file("threads.txt", DUMP).file("gc.log", LOG).bytes();
    Timeline cut = read("cut.tar", Arrays.copyOf(tar, tar.length / 2));
    assertEquals(1, cut.dumps().size());
    assertTrue(cut.pauses().size() > 100 && cut.pauses().size() < PAUSES);
    assertEquals(Status.PARTIAL, archive(cut).status());
    assertEquals(
        "the archive is cut or damaged: 1 file of it is whole, of gc.log what came before the"
            + " damage; the rest is lost",
        archive(cut).note());
  }

  @Test
  void ofACutPackedArchiveAllBeforeTheCutIsRead() throws IOException {
    byte[] packed =
        Seeds.gzip(new TarBytes().file("threads.txt", DUMP).file("gc.log", LOG).bytes());
    Timeline cut = read("cut.tgz", Arrays.copyOf(packed, packed.length / 2));
    assertEquals(1, cut.dumps().size());
    assertTrue(cut.pauses().size() > 50 && cut.pauses().size() < PAUSES);
    assertTrue(archive(cut).note().startsWith("the archive is cut or damaged: 1 file"));
    assertTrue(
        archive(cut)
            .note()
            .endsWith(" (the packed file is cut; what came out of it before was read)"));
  }

  @Test
  void whereverAnArchiveIsCutNoMoreIsReadThanOfTheWhole() throws IOException {
    byte[] whole = new TarBytes().file("gc.log", LOG).file("threads.txt", DUMP).bytes();
    int before = 0;
    for (int part = 1; part <= 40; part++) {
      Timeline cut = read("cut.tar", Arrays.copyOf(whole, whole.length * part / 40));
      assertTrue(cut.pauses().size() >= before, "less of a longer part");
      before = cut.pauses().size();
    }
    assertEquals(PAUSES, before);
  }

  @Test
  void withoutItsEndTheArchiveIsSaidToBeCut() throws IOException {
    Timeline timeline = read("a.tar", new TarBytes().file("gc.log", LOG).unended());
    assertEquals(PAUSES, timeline.pauses().size());
    assertTrue(archive(timeline).note().contains("1 file of it is whole; the rest is lost"));
  }

  @Test
  void aDamagedHeaderEndsWhatIsRead() throws IOException {
    byte[] tar = new TarBytes().file("threads.txt", DUMP).file("gc.log", LOG).bytes();
    // The second header stands behind the dump, in whole blocks.
    tar[512 + (DUMP.length + 511) / 512 * 512 + 3]++;
    Timeline timeline = read("a.tar", tar);
    assertEquals(List.of("a.tar/threads.txt", "a.tar"), files(timeline));
    assertTrue(archive(timeline).note().contains("1 file of it is whole"));
  }

  @Test
  void namesThatLeadOutOfTheArchiveLeadNowhere() throws IOException {
    byte[] tar =
        new TarBytes()
            .file("../../etc/cron.d/gc.log", LOG)
            .file("/root/./threads.txt", DUMP)
            .bytes();
    Timeline timeline = read("a.tar", tar);
    assertEquals(List.of("a.tar/etc/cron.d/gc.log", "a.tar/root/threads.txt"), files(timeline));
    try (var left = Files.list(folder)) {
      assertEquals(List.of(folder.resolve("a.tar")), left.toList());
    }
  }

  @Test
  void namesLoseTheirControlCharacters() throws IOException {
    Timeline timeline = read("a.tar", new TarBytes().file("\u001b[31mgc\n.log", LOG).bytes());
    assertEquals(List.of("a.tar/?[31mgc?.log"), files(timeline));
  }

  @Test
  void linksDevicesAndFoldersHaveNothingToRead() throws IOException {
    TarBytes tar = new TarBytes();
    for (char type : new char[] {'1', '2', '3', '4', '5', '6'}) {
      // A size that such an entry has by mistake stands for no bytes.
      tar.entry("odd-" + type, type, type == '3' ? 4096 : 0, NOTHING);
    }
    Timeline timeline = read("a.tar", tar.file("gc.log", LOG).bytes());
    assertEquals(List.of("a.tar/gc.log"), files(timeline));
    assertEquals(PAUSES, timeline.pauses().size());
    Timeline none = read("b.tar", new TarBytes().entry("gc.log", '2', 0, NOTHING).bytes());
    assertTrue(none.inputs().get(0).note().startsWith("no input in this archive"));
  }

  @Test
  void ofTwoFilesOfOneNameTheLaterCounts() throws IOException {
    byte[] tar = new TarBytes().file("gc.log", DUMP).file("./gc.log", LOG).bytes();
    Timeline timeline = read("a.tar", tar);
    assertEquals(List.of("a.tar/gc.log"), files(timeline));
    assertEquals(PAUSES, timeline.pauses().size());
  }

  @Test
  void whatIsHiddenOrLiesTooDeepIsPassedOver() throws IOException {
    byte[] tar =
        new TarBytes()
            .file("._gc.log", LOG)
            .file("d/".repeat(16) + "gc.log", LOG)
            .file("d/".repeat(15) + "gc.log", DUMP)
            .bytes();
    assertEquals(List.of("a.tar/" + "d/".repeat(15) + "gc.log"), files(read("a.tar", tar)));
  }

  @Test
  void archivesInsideOfArchivesAreNamed() throws IOException {
    byte[] inner = new TarBytes().file("gc.log", LOG).bytes();
    byte[] outer =
        new TarBytes().file("inner.tar", inner).file("x.zip", Seeds.zip("gc.log", LOG)).bytes();
    Timeline timeline = read("outer.tgz", Seeds.gzip(outer));
    assertEquals(List.of("outer.tgz/inner.tar", "outer.tgz/x.zip"), files(timeline));
    assertEquals(
        "an archive inside of another one (tar); unpack it once", timeline.inputs().get(0).note());
    assertTrue(timeline.inputs().get(1).note().startsWith("packed twice (zip"));
    assertEquals(List.of("a.zip/inner.tar"), files(read("a.zip", Seeds.zip("inner.tar", inner))));
    assertTrue(
        read("twice.gz", Seeds.gzip(Seeds.gzip(inner))).inputs().get(0).note().contains("twice"));
  }

  @Test
  void ofThousandsOfFilesTheFirstAreReadAndTheRestIsNamed() throws IOException {
    TarBytes tar = new TarBytes();
    String pause =
        "[%04d.000s][info][gc] GC(%04d) Pause Young (Normal) (G1) 24M->4M(256M) 2.000ms\n";
    for (int i = 0; i < 1_200; i++) {
      tar.file("gc.log.%04d".formatted(i), pause.formatted(i, i));
    }
    Timeline timeline = read("a.tar", tar.bytes());
    assertEquals(1_000, timeline.pauses().size());
    assertEquals(
        "the archive holds more than 1,000 files; the others are not read. Unpack those that matter, and give them by name",
        archive(timeline).note());
  }

  @Test
  void sparseFilesAreSaidToBe() throws IOException {
    byte[] tar =
        new TarBytes()
            .entry("old.jfr", 'S', 4, new byte[4])
            .properties("22 GNU.sparse.major=1\n32 GNU.sparse.name=new/gc.log.1\n")
            .file("GNUSparseFile.0/gc.log.1", "1\n0\n")
            .file("gc.log", LOG)
            .bytes();
    Timeline timeline = read("a.tar", tar);
    assertEquals(PAUSES, timeline.pauses().size());
    assertEquals(
        List.of("a.tar/gc.log", "a.tar/new/gc.log.1", "a.tar/old.jfr"),
        files(timeline).stream().sorted().toList());
    assertEquals(
        2, timeline.inputs().stream().filter(one -> one.note().startsWith("a sparse")).count());
  }

  @Test
  void sizesThatNoFileHasEndTheArchive() throws IOException {
    byte[] huge = new byte[12];
    Arrays.fill(huge, (byte) 0xff);
    byte[] nearLongest = huge.clone();
    nearLongest[0] = (byte) 0x80;
    Arrays.fill(nearLongest, 1, 4, (byte) 0);
    nearLongest[4] = 0x7f;
    for (byte[] size :
        List.of(huge, nearLongest, "notoctal!!!\0".getBytes(StandardCharsets.US_ASCII))) {
      byte[] tar = new TarBytes().file("gc.log", LOG).entry("x", '0', size, NOTHING).bytes();
      Timeline timeline = read("a.tar", tar);
      assertEquals(PAUSES, timeline.pauses().size());
      assertEquals(Status.PARTIAL, archive(timeline).status());
    }
  }

  @Test
  void sizesBeyondOctalDigitsAreRead() throws IOException {
    byte[] size = new byte[12];
    size[0] = (byte) 0x80;
    size[10] = (byte) (LOG.length >> 8);
    size[11] = (byte) LOG.length;
    size[9] = (byte) (LOG.length >> 16);
    Timeline timeline = read("a.tar", new TarBytes().entry("gc.log", '0', size, LOG).bytes());
    assertEquals(PAUSES, timeline.pauses().size());
    assertEquals(Status.OK, timeline.inputs().get(0).status());
  }

  @Test
  void propertiesThatAreNoneDoNoHarm() throws IOException {
    for (String records :
        List.of(
            "",
            "9",
            "999999999 path=x\n",
            "3 \n",
            "-5 path=x\n",
            "28 size=99999999999999999999\n",
            "11 size=-1\n",
            "8 path=\n")) {
      byte[] tar = new TarBytes().properties(records).file("gc.log", LOG).bytes();
      Timeline timeline = read("a.tar", tar);
      assertEquals(List.of("a.tar/gc.log"), files(timeline), records);
      assertEquals(PAUSES, timeline.pauses().size(), records);
    }
    byte[] endless = new TarBytes().entry("x", 'x', 1L << 33, NOTHING).file("gc.log", LOG).bytes();
    assertEquals(Status.UNREADABLE, read("a.tar", endless).inputs().get(0).status());
  }

  @Test
  void aBombIsReadNoFurther() throws IOException {
    byte[] zeros = new byte[1 << 20];
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write(
          new TarBytes()
              .file("threads.txt", DUMP)
              .entry("zeros", '0', 1L << 32, NOTHING)
              .unended());
      for (int i = 0; i < 300; i++) {
        gzip.write(zeros);
      }
    }
    Timeline timeline = read("bomb.tgz", packed.toByteArray());
    assertEquals(1, timeline.dumps().size());
    assertTrue(
        archive(timeline).note().contains("unpacks to far more than any log or dump"),
        () -> archive(timeline).note());
  }

  @Test
  void theCopyOfAPackedArchiveIsGoneAtTheEnd() throws IOException {
    Path packed =
        Files.write(
            folder.resolve("a.tgz"), Seeds.gzip(new TarBytes().file("gc.log", LOG).bytes()));
    TarFiles tars = new TarFiles();
    Path copy =
        tars.open(InputFile.of(packed), packed, true, Progress.NONE).get(0).bytes().archive();
    assertTrue(Files.exists(copy));
    tars.close();
    assertFalse(Files.exists(copy));
  }
}
