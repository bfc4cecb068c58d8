package io.gcdiag.read.jfr.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChunkBytesTest {

  private static ChunkBytes compressed(String hex) {
    return new ChunkBytes(HexFormat.ofDelimiter(" ").parseHex(hex), true);
  }

  private static ChunkBytes plain(String hex) {
    return new ChunkBytes(HexFormat.ofDelimiter(" ").parseHex(hex), false);
  }

  @Test
  void compressedNumbersHaveSevenBitsAByteTheLowestFirst() {
    assertEquals(5, compressed("05").readLong());
    assertEquals(300, compressed("ac 02").readLong());
    assertEquals(16_384, compressed("80 80 01").readInt());
    // Padded, as the JVM writes sizes that it fills in later.
    assertEquals(5, compressed("85 80 80 00").readInt());
  }

  @Test
  void theNinthByteOfACompressedNumberHasEightBits() {
    assertEquals(-1, compressed("ff ff ff ff ff ff ff ff ff").readLong());
    assertEquals(Long.MIN_VALUE, compressed("80 80 80 80 80 80 80 80 80").readLong());
    assertEquals(-1, compressed("ff ff ff ff 0f").readInt());
  }

  @Test
  void plainNumbersAreBigEndian() {
    ChunkBytes in = plain("00 00 01 2c ff ff ff ff ff ff ff fe 01 00");
    assertEquals(300, in.readInt());
    assertEquals(-2, in.readLong());
    assertEquals(256, in.readShort());
  }

  @Test
  void compressedNumbersAreSkippedWhateverTheirLength() {
    ChunkBytes in = compressed("05 ac 02 ff ff ff ff ff ff ff ff ff 07");
    in.readLong();
    in.readShort();
    in.readLong();
    assertEquals(7, in.readLong());
  }

  @Test
  void fractionsAreBigEndianEvenBetweenCompressedNumbers() {
    assertEquals(1.5f, compressed("3f c0 00 00").readFloat());
    assertEquals(-2.0, compressed("c0 00 00 00 00 00 00 00").readDouble());
  }

  @Test
  void textsAreReadInEachOfTheirForms() {
    // Nothing, empty, the constant 9, "é" as UTF-8, "hi" as characters, "é" as ISO 8859-1.
    ChunkBytes in = compressed("00 01 02 09 03 02 c3 a9 04 02 68 69 05 01 e9 2a");
    assertEquals(Optional.empty(), text(in));
    assertEquals(Optional.of(""), text(in));
    assertEquals(Optional.of("constant 9"), text(in));
    assertEquals(Optional.of("é"), text(in));
    assertEquals(Optional.of("hi"), text(in));
    assertEquals(Optional.of("é"), text(in));
    assertEquals(42, in.readByte());
    in.at(0);
    for (int i = 0; i < 6; i++) {
      in.skipText();
    }
    assertEquals(42, in.readByte());
  }

  private static Optional<String> text(ChunkBytes in) {
    return in.readText(key -> Optional.of("constant " + key));
  }

  @Test
  void lengthsBeyondTheEndAreDamageNotMemory() {
    // 2,147,483,647 bytes of text, of which none is there.
    ChunkBytes in = compressed("03 ff ff ff ff 07");
    assertThrows(IndexOutOfBoundsException.class, () -> text(in));
    assertThrows(IndexOutOfBoundsException.class, () -> compressed("09").readText(k -> null));
    assertThrows(IndexOutOfBoundsException.class, () -> compressed("80").readLong());
  }
}
