package io.gcdiag.read.jfr.reader;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.read.jfr.reader.ChunkReader.StreamContent;
import io.gcdiag.read.jfr.reader.ChunkWalk.HeldTooMuchException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StreamContentTest {

  private static final int LENGTH = 5 * StreamContent.SEGMENT + 12_345;
  private static final byte[] BYTES = new byte[LENGTH];

  static {
    new Random(1).nextBytes(BYTES);
  }

  private static StreamContent content(int segments) {
    return new StreamContent(
        new ByteArrayInputStream(BYTES), (long) segments * StreamContent.SEGMENT);
  }

  private static byte[] read(Content content, int from, int to) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(to - from);
    int count = content.fill(into, from);
    return Arrays.copyOf(into.array(), count);
  }

  @Test
  void anyPlaceThatIsHeldCanBeRead() throws IOException {
    StreamContent content = content(6);
    int border = 2 * StreamContent.SEGMENT;
    for (int from : new int[] {border - 3, 0, LENGTH - 7, 100}) {
      int to = Math.min(LENGTH, from + StreamContent.SEGMENT + 6);
      assertArrayEquals(Arrays.copyOfRange(BYTES, from, to), read(content, from, to));
    }
    assertEquals(0, read(content, LENGTH, LENGTH + 1).length);
    assertTrue(content.reaches(LENGTH));
    assertFalse(content.reaches(LENGTH + 1));
    assertEquals(LENGTH, content.end());
  }

  @Test
  void whatIsReleasedMakesRoom() throws IOException {
    StreamContent content = content(2);
    for (int from = 0; from < LENGTH; from += 1000) {
      content.release(from);
      int to = Math.min(LENGTH, from + 1000);
      assertArrayEquals(Arrays.copyOfRange(BYTES, from, to), read(content, from, to));
    }
    assertThrows(IllegalStateException.class, () -> read(content, 0, 1));
  }

  @Test
  void moreThanMayBeHeldIsRefusedInASentence() throws IOException {
    StreamContent content = content(2);
    assertTrue(content.reaches(2 * StreamContent.SEGMENT));
    IOException refusal = assertThrows(HeldTooMuchException.class, content::end);
    assertEquals(
        "has a chunk of more than 2 MiB, too much to hold in memory while it is unpacked; unpack"
            + " the file first, or allow more memory (GCDIAG_JAVA_OPTS=-Xmx4g)",
        refusal.getMessage());
  }

  @Test
  void whatIsHeldStaysWhenTheStreamGoesOn() throws IOException {
    StreamContent content = content(4);
    assertTrue(content.reaches(1500));
    Content held = content.held(1500);
    content.release(StreamContent.SEGMENT * 2);
    assertEquals(LENGTH, content.drain());
    assertArrayEquals(Arrays.copyOfRange(BYTES, 10, 1500), read(held, 10, 2000));
    assertFalse(held.reaches(1501));
  }
}
