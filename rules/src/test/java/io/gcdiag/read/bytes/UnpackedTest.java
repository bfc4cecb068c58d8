package io.gcdiag.read.bytes;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.units.Numbers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class UnpackedTest {

  private static final byte[] FRAME_OF_ONE_STORED_BLOCK = {
    0x04, 0x22, 0x4d, 0x18, 0x40, 0x40, 0, 2, 0, 0, (byte) 0x80, 'o', 'k', 0, 0, 0, 0
  };

  private static byte[] unpack(byte[] packed) throws IOException {
    try (Unpacked in = Unpacked.of(new ByteArrayInputStream(packed))) {
      return in.readAllBytes();
    }
  }

  private static Optional<String> damage(byte[] packed) throws IOException {
    try (Unpacked in = Unpacked.of(new ByteArrayInputStream(packed))) {
      in.transferTo(OutputStream.nullOutputStream());
      return in.damage();
    }
  }

  @Test
  void anLz4FileIsWhatWasPacked() throws IOException {
    byte[] packed = Files.readAllBytes(SampleFiles.file("packed/jcmd-jdk17.txt.lz4"));
    byte[] plain = Files.readAllBytes(SampleFiles.file("thread-dumps/jcmd-jdk17.txt"));
    assertArrayEquals(plain, unpack(packed));
    assertEquals(Optional.empty(), damage(packed));
  }

  @Test
  void linkedBlocksWithChecksumsAndASizeAreUnpacked() throws IOException {
    byte[] packed = Files.readAllBytes(SampleFiles.file("packed/g1-jdk25-linked-blocks.log.lz4"));
    byte[] plain;
    try (InputStream in =
        new GZIPInputStream(Files.newInputStream(SampleFiles.file("gc-logs/g1-jdk25.log.gz")))) {
      plain = in.readNBytes(200_000);
    }
    assertArrayEquals(plain, unpack(packed));
  }

  @Test
  void framesFollowEachOther() throws IOException {
    byte[] twice = Arrays.copyOf(FRAME_OF_ONE_STORED_BLOCK, 2 * FRAME_OF_ONE_STORED_BLOCK.length);
    System.arraycopy(
        FRAME_OF_ONE_STORED_BLOCK,
        0,
        twice,
        FRAME_OF_ONE_STORED_BLOCK.length,
        FRAME_OF_ONE_STORED_BLOCK.length);
    assertEquals("okok", new String(unpack(twice), StandardCharsets.US_ASCII));
  }

  @Test
  void aCutFileGivesWhatComesOutOfItAndSaysSo() throws IOException {
    byte[] packed = Files.readAllBytes(SampleFiles.file("packed/g1-jdk25-linked-blocks.log.lz4"));
    byte[] half = Arrays.copyOf(packed, packed.length / 2);
    // Blocks of 64 KiB: at least one of four is whole.
    assertTrue(unpack(half).length >= 64 * 1024);
    assertEquals(
        Optional.of("the packed file is cut; what came out of it before was read"), damage(half));
  }

  @Test
  void damagedBlocksNeverThrow() throws IOException {
    byte[] packed = Files.readAllBytes(SampleFiles.file("packed/jcmd-jdk17.txt.lz4"));
    Random random = new Random(1);
    for (int i = 0; i < 2_000; i++) {
      byte[] damaged = packed.clone();
      // Behind the frame's header: what is damaged there is refused.
      damaged[7 + random.nextInt(packed.length - 7)] ^= (byte) (1 << random.nextInt(8));
      assertTrue(unpack(damaged).length <= 4 << 20);
    }
  }

  @Test
  void aFileCutInsideItsHeaderIsRefused() {
    for (byte[] head : new byte[][] {{0x1f, (byte) 0x8b, 8}, {0x04, 0x22, 0x4d, 0x18, 0x40}}) {
      IOException e = assertThrows(IOException.class, () -> unpack(head));
      assertTrue(e.getMessage().endsWith("file is cut inside its header"), e.getMessage());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {Deflater.DEFAULT_COMPRESSION, Deflater.BEST_SPEED})
  void whatUnpacksToFarMoreThanAnyLogEnds(int effort) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new Packing(packed, effort)) {
      byte[] zeros = new byte[1 << 20];
      for (int i = 0; i < 300; i++) {
        gzip.write(zeros);
      }
    }
    // Zeros shrink to a thousandth, or with the least effort to a 229th.
    assertEquals(
        Optional.of("unpacks to far more than any log or dump; what came out first was read"),
        damage(packed.toByteArray()));
  }

  private static final class Packing extends GZIPOutputStream {
    private Packing(OutputStream out, int effort) throws IOException {
      super(out);
      def.setLevel(effort);
    }
  }

  @Test
  void otherPackingsAreKnownByName() {
    assertEquals(
        Optional.of(FileCompression.BZIP2),
        FileCompression.of("BZh91AY".getBytes(StandardCharsets.US_ASCII)));
    assertEquals(
        Optional.empty(), FileCompression.of("[0.001s]".getBytes(StandardCharsets.US_ASCII)));
  }

  @Test
  void zeroBytesOfATextAreLeftOutAndThoseOfHolesCounted() throws IOException {
    byte[] holed = ("one\n" + "\0".repeat(100) + "two\nth\0ree\n").getBytes(US_ASCII);
    try (Unpacked in = Unpacked.of(new ByteArrayInputStream(holed)).asText()) {
      assertEquals("one\n\ntwo\nthree\n", new String(in.readAllBytes(), US_ASCII));
      assertEquals(
          Optional.of("it holds 100 zero bytes; what was written there is lost"), in.damage());
    }
  }

  @Test
  void aZeroByteThatWasLoggedIsNoLoss() throws IOException {
    byte[] logged = ("key\0value\n" + "\0".repeat(31) + "end\n").getBytes(US_ASCII);
    try (Unpacked in = Unpacked.of(new ByteArrayInputStream(logged)).asText()) {
      assertEquals("keyvalue\nend\n", new String(in.readAllBytes(), US_ASCII));
      assertEquals(Optional.empty(), in.damage());
    }
  }

  /** The file's buffer is 64 KiB; a hole of 32 bytes or more ends a line wherever a read ends. */
  @Test
  void aHoleEndsALineWhateverReadsItIsSpreadOver() throws IOException {
    for (int hole : new int[] {32, 100, 200_000}) {
      byte[] holed = ("one" + "\0".repeat(hole) + "two\n").getBytes(US_ASCII);
      for (int size : new int[] {5, 35, 64 * 1024}) {
        try (Unpacked in = Unpacked.of(new ByteArrayInputStream(holed)).asText()) {
          assertEquals("one\ntwo\n", readBy(size, in), hole + " zero bytes, read by " + size);
          assertEquals(
              Optional.of(
                  "it holds "
                      + Numbers.count(hole)
                      + " zero bytes; what was written there is lost"),
              in.damage());
        }
      }
    }
  }

  private static String readBy(int size, InputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    byte[] buffer = new byte[size];
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      text.append(new String(buffer, 0, read, US_ASCII));
    }
    return text.toString();
  }

  @Test
  void aTextThatBeginsWithAHoleBeginsBehindIt() throws IOException {
    byte[] truncated = ("\0".repeat(200_000) + "one\n").getBytes(US_ASCII);
    try (Unpacked in = Unpacked.of(new ByteArrayInputStream(truncated)).asText()) {
      assertEquals("one\n", new String(in.readAllBytes(), US_ASCII));
    }
  }

  @Test
  void aTextInUtf16KeepsItsZeroBytes() throws IOException {
    byte[] wide = "one two".getBytes(UTF_16LE);
    try (Unpacked in = Unpacked.of(new ByteArrayInputStream(wide)).asText()) {
      assertArrayEquals(wide, in.readAllBytes());
      assertEquals(Optional.empty(), in.damage());
    }
  }
}
