package io.gcdiag.read.jfr.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SoundEventsTest {

  private static final int TYPE = 50;
  private static final int COUNT = 20;

  /** 1,000,000 in the recorder's variable length: 64 + 4 * 128 + 61 * 128^2. */
  private static final int[] TIME = {0xC0, 0x84, 0x3D};

  /**
   * Size, type and time of an event, then a field that holds its size, and one that holds the
   * number of its type: these lead to those of the next event as the head does.
   */
  private static final int[] EVENT = {12, TYPE, TIME[0], TIME[1], TIME[2], 12, TYPE, 1, 1, 1, 1, 1};

  private static byte[] events() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < COUNT; i++) {
      for (int value : EVENT) {
        out.write(value);
      }
    }
    return out.toByteArray();
  }

  private static OptionalLong after(long place, long earliest) throws IOException {
    byte[] bytes = events();
    Content content =
        new Content() {
          @Override
          public int read(ByteBuffer into, long at) {
            int length = (int) Math.min(into.remaining(), bytes.length - at);
            into.put(bytes, (int) at, length);
            return length;
          }

          @Override
          public boolean reaches(long place) {
            return place <= bytes.length;
          }

          @Override
          public long end() {
            return bytes.length;
          }
        };
    ChunkFile file = new ChunkFile(content, 0, bytes.length, true);
    return new SoundEvents(
            file, Optional.of(type -> type == TYPE), ticks -> ticks >= earliest, true)
        .after(place);
  }

  @Test
  void fieldsThatLeadFromEventToEventAreNoEvents() throws IOException {
    assertEquals(OptionalLong.of(12), after(0, 1_000));
  }

  @Test
  void twoEventsThatEndWithTheChunkAreEnough() throws IOException {
    assertEquals(OptionalLong.of(18 * 12), after(17 * 12, 1_000));
    assertEquals(OptionalLong.empty(), after(18 * 12, 1_000));
  }

  @Test
  void eventsOfAnotherTimeAreNone() throws IOException {
    assertEquals(OptionalLong.empty(), after(0, 1_000_001));
  }
}
