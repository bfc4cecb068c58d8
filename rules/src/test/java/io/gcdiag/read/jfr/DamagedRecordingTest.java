package io.gcdiag.read.jfr;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.read.bytes.JfrReader;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.jfr.reader.ChunkScan;
import io.gcdiag.read.jfr.reader.RecordingReader.Reading;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Recordings that are cut, unfinished, joined or packed: a state and a note, never a hang. */
class DamagedRecordingTest extends DamageScene {

  /** Where a chunk's header states where its types are declared. */
  private static final int METADATA_AT = 24;

  @Test
  void theSoundFileHasFifteenParks() {
    Timeline timeline = Recordings.read(whole);
    assertEquals(Status.OK, report(timeline).status());
    // 3 chunks x 5 parks.
    assertEquals(15, parks(timeline));
  }

  @Test
  void aFileCutInsideItsLastChunkKeepsTheChunksBeforeAndSaysWhatWasLost() {
    byte[] last = chunks.get(chunks.size() - 1);
    int keep = all.length - last.length / 2;
    Timeline timeline = read("cut-in-last.jfr", Arrays.copyOf(all, keep));
    InputReport report = report(timeline);
    assertEquals(Status.PARTIAL, report.status());
    long before = 5L * (chunks.size() - 1);
    assertTrue(parks(timeline) >= Math.min(10, before), () -> "parks " + parks(timeline));
    assertTrue(
        report
            .note()
            .contains("read " + (chunks.size() - 1) + " of " + chunks.size() + " chunks whole"),
        report::note);
    assertTrue(report.note().contains("of " + count(keep) + " bytes"), report::note);
    assertTrue(report.note().contains("nothing after "), report::note);
  }

  @Test
  void aFileCutInHalfKeepsTheWholeEventsBeforeTheCut() {
    int half = all.length / 2;
    Timeline timeline = read("half.jfr", Arrays.copyOf(all, half));
    int sound = 0;
    int at = 0;
    while (at + chunks.get(sound).length <= half) {
      at += chunks.get(sound).length;
      sound++;
    }
    Path kept = Recordings.write(folder.resolve("kept.jfr"), concat(chunks.subList(0, sound)));
    long expected = sound == 0 ? 0 : parks(Recordings.read(kept));
    assertTrue(sound > 0 && expected > 0, "the first half of the file must hold a whole chunk");
    assertTrue(parks(timeline) >= expected && parks(timeline) < 15);
    assertEquals(Status.PARTIAL, report(timeline).status());
  }

  @Test
  void aFileShortOfOneByteLosesNoEventBeforeThat() {
    Timeline timeline = read("one-byte.jfr", Arrays.copyOf(all, all.length - 1));
    assertEquals(Status.PARTIAL, report(timeline).status());
    assertTrue(parks(timeline) >= 10, () -> "parks " + parks(timeline));
  }

  /** A JVM numbers its types once: what the chunk before declares serves. */
  @Test
  void aChunkWhoseTypesAreLostIsReadWithThoseOfTheChunkBefore() {
    byte[] damaged = all.clone();
    int second = chunks.get(0).length;
    int types = second + (int) ByteBuffer.wrap(all).getLong(second + METADATA_AT);
    Arrays.fill(damaged, types + 200, types + 800, (byte) 0);
    Timeline timeline = read("no-types.jfr", damaged);
    assertEquals(15, parks(timeline));
    assertEquals(Status.PARTIAL, report(timeline).status());
    assertTrue(
        report(timeline).note().contains("of 1 chunk what stands beside the damage"),
        report(timeline)::note);
  }

  @Test
  void withoutTypesTheFirstChunkIsLost() {
    byte[] damaged = all.clone();
    int types = (int) ByteBuffer.wrap(all).getLong(METADATA_AT);
    Arrays.fill(damaged, types + 200, types + 800, (byte) 0);
    Timeline timeline = read("no-first-types.jfr", damaged);
    assertEquals(10, parks(timeline));
    String others = "read " + (chunks.size() - 1) + " of " + chunks.size() + " chunks whole";
    assertTrue(report(timeline).note().contains(others), report(timeline)::note);
  }

  @Test
  void anUnfinishedChunkIsReadToItsEnd() {
    byte[] unfinished = all.clone();
    int lastAt = all.length - chunks.get(chunks.size() - 1).length;
    unfinished[lastAt + Recordings.STATE_AT] = 3;
    Timeline timeline = read("unfinished.jfr", unfinished);
    assertEquals(15, parks(timeline));
    assertEquals(Status.PARTIAL, report(timeline).status());
    assertTrue(
        report(timeline).note().contains(count(all.length) + " of " + count(all.length) + " bytes"),
        () -> report(timeline).note());
  }

  @Test
  void aChunkThatStatesNoSizeIsReadToTheEndOfTheFile() {
    byte[] last = chunks.get(chunks.size() - 1).clone();
    ByteBuffer.wrap(last).putLong(Recordings.SIZE_AT, 0);
    Path alone = Recordings.write(folder.resolve("alone.jfr"), chunks.get(chunks.size() - 1));
    Timeline timeline = read("no-size.jfr", last);
    assertEquals(parks(Recordings.read(alone)), parks(timeline));
    assertEquals(Status.PARTIAL, report(timeline).status());
  }

  @Test
  void anUnfinishedChunkBetweenOthersCostsNothingElse() {
    byte[] unfinished = all.clone();
    unfinished[Recordings.STATE_AT] = 3;
    ByteBuffer.wrap(unfinished).putLong(Recordings.SIZE_AT, 0);
    Timeline timeline = read("unfinished-first.jfr", unfinished);
    assertEquals(Status.PARTIAL, report(timeline).status());
    assertEquals(15, parks(timeline));
  }

  @Test
  void aWrongSizeOfOneChunkCostsNoOther() {
    for (long wrong : List.of(HEADER + 1L, chunks.get(0).length - 3L, chunks.get(0).length + 9L)) {
      byte[] damaged = all.clone();
      ByteBuffer.wrap(damaged).putLong(Recordings.SIZE_AT, wrong);
      Timeline timeline = read("wrong-size.jfr", damaged);
      assertEquals(Status.PARTIAL, report(timeline).status());
      assertEquals(15, parks(timeline), () -> "with a size of " + wrong);
    }
  }

  @Test
  void aLostHeaderCostsTheChunkThatItBeginsAndNoOther() {
    byte[] damaged = all.clone();
    int second = chunks.get(0).length;
    Arrays.fill(damaged, second, second + 4, (byte) 'X');
    Path others =
        Recordings.write(
            folder.resolve("others.jfr"), chunks.get(0), concat(chunks.subList(2, chunks.size())));
    Timeline timeline = read("lost-header.jfr", damaged);
    assertEquals(parks(Recordings.read(others)), parks(timeline));
    assertEquals(Status.PARTIAL, report(timeline).status());
    String note = report(timeline).note();
    assertTrue(note.contains("read " + (chunks.size() - 1) + " of "), note);
  }

  @Test
  void chunksThatAreInSeveralFilesCountOnce() {
    Path first = Recordings.write(folder.resolve("dump-1.jfr"), chunks.get(0), chunks.get(1));
    Path second = Recordings.write(folder.resolve("dump-2.jfr"), all);
    Timeline timeline = Recordings.read(List.of(first, second), JfrReader.OWN);
    assertEquals(15, parks(timeline));
    assertEquals(
        List.of(
            "dump-2.jfr: 2 of its " + chunks.size() + " chunks are in dump-1.jfr and count once"),
        timeline.coverage().notes());
    Timeline twice = read("twice.jfr", all, all);
    assertEquals(15, parks(twice));
    assertEquals(Status.OK, report(twice).status());
  }

  @Test
  void anUnfinishedCopyOfAWholeChunkCountsOnceOrIsNamed() {
    byte[] unfinished = chunks.get(0).clone();
    unfinished[Recordings.STATE_AT] = 3;
    Path whole = Recordings.write(folder.resolve("dump.jfr"), all);
    Path later = Recordings.write(folder.resolve("repository.jfr"), unfinished);
    Path earlier = Recordings.write(folder.resolve("copied.jfr"), unfinished);
    assertEquals(15, parks(Recordings.read(List.of(whole, later), JfrReader.OWN)));
    // Files are read in the order of their names: that of the copy comes first here.
    assertEquals(
        List.of(
            "dump.jfr: its whole chunk is unfinished in copied.jfr, and what that one holds of it"
                + " counts twice; leave that one out"),
        Recordings.read(List.of(whole, earlier), JfrReader.OWN).coverage().notes());
  }

  @Test
  void recordingsThatWereConcatenatedAreOneRecording() {
    Path other = Recordings.ofParks(folder.resolve("other.jfr"), 1);
    Timeline timeline = read("joined.jfr", all, Recordings.bytes(other));
    assertEquals(Status.OK, report(timeline).status());
    assertEquals(20, parks(timeline));
  }

  @Test
  void bytesAfterTheLastChunkCostNothingAndAreSaid() {
    byte[] garbage = new byte[1_000];
    Arrays.fill(garbage, (byte) 'x');
    Timeline timeline = read("garbage.jfr", all, garbage);
    assertEquals(15, parks(timeline));
    assertEquals(Status.PARTIAL, report(timeline).status());
    assertTrue(
        report(timeline)
            .note()
            .contains(count(all.length) + " of " + count(all.length + 1_000L) + " bytes"),
        () -> report(timeline).note());
  }

  private static byte[] packed() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(all);
    }
    return packed.toByteArray();
  }

  @Test
  void aPackedRecordingIsReadAsThePlainOne() throws IOException {
    Timeline plain = read("plain.jfr", all);
    Timeline packed = read("packed.jfr.gz", packed());
    assertEquals(Status.OK, report(packed).status());
    assertEquals("packed.jfr.gz", report(packed).file());
    assertEquals(plain.span(), packed.span());
    assertEquals(plain.pauses().size(), packed.pauses().size());
    assertEquals(plain.cpu(), packed.cpu());
  }

  @Test
  void aPackedRecordingThatIsCutOffGivesWhatComesOutOfIt() throws IOException {
    byte[] packed = packed();
    InputReport report =
        report(read("cut.jfr.gz", Arrays.copyOf(packed, packed.length - packed.length / 10)));
    assertEquals(Status.PARTIAL, report.status());
  }

  /** The JDK's reader gives up a whole file for one bad chunk, and wants to go back in it. */
  @Test
  void theReferenceReaderRefusesAllButWholePlainRecordings() throws IOException {
    byte[] cut = Arrays.copyOf(all, all.length - 100);
    for (Path file :
        List.of(
            Recordings.write(folder.resolve("cut-for-api.jfr"), cut),
            Recordings.write(folder.resolve("header-for-api.jfr"), Arrays.copyOf(all, HEADER)),
            Recordings.write(folder.resolve("twice-for-api.jfr"), all, all),
            Recordings.write(folder.resolve("packed-for-api.jfr.gz"), packed()))) {
      InputReport report = report(Recordings.read(file, JfrReader.API));
      assertEquals(Status.UNREADABLE, report.status());
      assertEquals(
          "--jfr-reader=api reads neither damaged nor compressed recordings, nor those with a chunk"
              + " that another file has, too: unpack it, or leave the option out",
          report.note());
    }
    assertEquals(Status.OK, report(Recordings.read(whole, JfrReader.API)).status());
  }

  @Test
  void ofAFileThatBecomesShorterWhileItIsReadWhatCameBeforeCounts() throws IOException {
    for (int threads = 1; threads <= 2; threads++) {
      Path file = Recordings.write(folder.resolve("shrinking.jfr"), all);
      ChunkScan scan = ChunkScan.of(file);
      Recordings.write(file, Arrays.copyOf(all, chunks.get(0).length + 100));
      Reading<RecordingEvents> reading =
          Readers.own(threads)
              .read(
                  file,
                  scan,
                  () -> new RecordingEvents("in.jfr", Redactor.off(), FrameBook.standard()));
      assertFalse(reading.sound());
      assertEquals(1, reading.wholeChunks());
      assertTrue(reading.sink().lastTime().isPresent());
    }
  }

  @Test
  void whatStandsBeforeTheFirstChunkCostsNoEvent() {
    byte[] printed = "Defaulted container \"app\" out of: app, sidecar\n".getBytes(US_ASCII);
    Timeline timeline = read("behind-output.jfr", concat(List.of(printed, all)));
    assertEquals(15, parks(timeline));
    assertEquals(Status.PARTIAL, report(timeline).status());
  }
}
