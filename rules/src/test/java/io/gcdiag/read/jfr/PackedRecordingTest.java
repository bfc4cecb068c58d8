package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.read.bytes.Unpacked;
import io.gcdiag.verdict.Diagnoser;
import io.gcdiag.verdict.Diagnosis;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A packed recording is read while it is unpacked, and tells what the unpacked one tells. */
@Tag("slow")
@Tag("reading")
class PackedRecordingTest {

  private static final long SEED = 6;
  private static final int LZ4_BLOCK = 4 << 20;
  private static final int CUTS = 12;
  private static final int FLIPPED = 12;

  @TempDir static Path folder;
  private static byte[] whole;

  @BeforeAll
  static void record() {
    whole = Recordings.bytes(Recordings.ofParks(folder.resolve("whole.jfr"), 4));
  }

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(content);
    }
    return packed.toByteArray();
  }

  private static byte[] zip(byte[] content) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(packed)) {
      zip.putNextEntry(new ZipEntry("in.jfr"));
      zip.write(content);
      zip.closeEntry();
    }
    return packed.toByteArray();
  }

  /** A frame of blocks as they are: without checksums, of up to 4 MiB each. */
  private static byte[] lz4(byte[] content) {
    ByteBuffer frame = ByteBuffer.allocate(content.length + 64).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(0x184D2204).put((byte) 0x60).put((byte) 0x70).put((byte) 0);
    for (int at = 0; at < content.length; at += LZ4_BLOCK) {
      int length = Math.min(LZ4_BLOCK, content.length - at);
      frame.putInt(length | 0x80000000).put(content, at, length);
    }
    frame.putInt(0);
    return Arrays.copyOf(frame.array(), frame.position());
  }

  private static void assertTellsTheSame(byte[] content) throws IOException {
    Timeline plain = read(content);
    Diagnosis expected = diagnosis(plain);
    assertEquals(expected, diagnosis(read(gzip(content))));
    assertEquals(expected, diagnosis(read(lz4(content))));
    Timeline inArchive = read(zip(content));
    assertEquals(notes(plain), notes(inArchive));
    assertEquals(plain.dated(), inArchive.dated());
    assertTrue(!plain.dated() || plain.span().equals(inArchive.span()));
  }

  private static List<String> notes(Timeline timeline) {
    return timeline.inputs().stream().map(one -> one.status() + " " + one.note()).toList();
  }

  private static Diagnosis diagnosis(Timeline timeline) {
    return Diagnoser.diagnose(timeline, Optional.empty(), Optional.empty());
  }

  /** Under one name, which the findings tell. */
  private static Timeline read(byte[] content) {
    return Recordings.read(Recordings.write(folder.resolve("in.jfr"), content));
  }

  @Test
  void aWholeOneTellsTheSame() throws IOException {
    assertTellsTheSame(whole);
  }

  @Test
  void oneThatIsCutAnywhereTellsTheSame() throws IOException {
    for (int part = 0; part < CUTS; part++) {
      assertTellsTheSame(Arrays.copyOf(whole, 40 + (int) ((long) whole.length * part / CUTS)));
    }
  }

  @Test
  void oneWithFlippedBitsTellsTheSame() throws IOException {
    Random random = new Random(SEED);
    for (int i = 0; i < FLIPPED; i++) {
      byte[] damaged = whole.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      assertTellsTheSame(damaged);
    }
  }

  @Test
  void headersThatStateAnythingTellTheSame() throws IOException {
    List<byte[]> chunks = Recordings.chunks(folder.resolve("whole.jfr"));
    int second = chunks.get(0).length;
    int last = whole.length - chunks.get(chunks.size() - 1).length;
    for (int chunk : new int[] {0, second, last}) {
      for (long size : new long[] {0, 68, 69, whole.length, Long.MAX_VALUE, Long.MIN_VALUE}) {
        byte[] changed = whole.clone();
        ByteBuffer.wrap(changed).putLong(chunk + Recordings.SIZE_AT, size);
        assertTellsTheSame(changed);
      }
      byte[] unfinished = whole.clone();
      unfinished[chunk + Recordings.STATE_AT] = 1;
      assertTellsTheSame(unfinished);
    }
  }

  @Test
  void whatStandsBehindTheLastChunkIsToldTheSame() throws IOException {
    byte[] zeros = Arrays.copyOf(whole, whole.length + 200_000);
    assertTellsTheSame(zeros);
    assertTellsTheSame(Arrays.copyOf(whole, whole.length + 3));
  }

  @Test
  void recordedIncidentsTellTheSame() throws IOException {
    for (String incident : List.of("quota", "depot-heap-zgc", "mill-event-loop")) {
      Path packed = Incidents.folder(incident).resolve("recording.jfr.gz");
      try (InputStream in = Unpacked.open(packed)) {
        assertTellsTheSame(in.readAllBytes());
      }
    }
  }

  @Test
  void aPackingThatIsCutIsToldWithWhatCouldBeRead() throws IOException {
    byte[] packed = gzip(whole);
    InputReport report = read(Arrays.copyOf(packed, packed.length / 2)).inputs().get(0);
    assertEquals(Status.PARTIAL, report.status());
    assertTrue(report.note().startsWith("damaged or cut off: read "), report::note);
    InputReport end = read(Arrays.copyOf(packed, packed.length - 4)).inputs().get(0);
    assertEquals("the packed file is cut; what came out of it before was read", end.note());
  }
}
