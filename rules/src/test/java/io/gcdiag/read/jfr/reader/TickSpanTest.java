package io.gcdiag.read.jfr.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.read.jfr.reader.ChunkHeader.TickSpan;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** A second has 1,000 ticks; the chunk begins at tick 0 and lasts 60 s by the system clock. */
class TickSpanTest {

  private static final long TICKS_PER_SECOND = 1_000;

  /** An event is its size, its type and its time, each as an integer or long of full length. */
  private static final int SIZE = Integer.BYTES + 2 * Long.BYTES;

  private final ByteArrayOutputStream chunk = new ByteArrayOutputStream();

  TickSpanTest() {
    chunk.writeBytes(new byte[Chunk.HEADER_SIZE]);
  }

  private void events(int number, long ticks) {
    for (int i = 0; i < number; i++) {
      chunk.writeBytes(ByteBuffer.allocate(SIZE).putInt(SIZE).putLong(50).putLong(ticks).array());
    }
  }

  private TickSpan span() throws IOException {
    // The last event's head is looked at with room for the longest one.
    chunk.writeBytes(new byte[SoundEvents.HEAD]);
    byte[] bytes = chunk.toByteArray();
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
    ChunkFile file = new ChunkFile(content, 0, bytes.length, false);
    return TickSpan.of(file, Duration.ofSeconds(60), 0, TICKS_PER_SECOND);
  }

  @Test
  void manyEventsBehindTheEndAreAFasterCounter() throws IOException {
    events(100, 30_000);
    events(8, 77_100);
    // 77.1 / 60.
    assertEquals(OptionalDouble.of(1.285), span().ratio());
  }

  @Test
  void aFewEventsBehindTheEndAreDamage() throws IOException {
    events(100, 59_000);
    events(7, 77_100);
    assertEquals(OptionalDouble.of(1), span().ratio());
  }

  @Test
  void eventsThatAreWrittenLateSayNothingOfTheCounter() throws IOException {
    events(100, 61_900);
    assertEquals(OptionalDouble.empty(), span().ratio());
  }

  @Test
  void eventsThatEndEarlySayNothingOfTheCounter() throws IOException {
    events(100, 47_000);
    assertEquals(OptionalDouble.of(1), span().ratio());
  }

  @Test
  void eventsBeyondAllCountersAreDamage() throws IOException {
    events(100, 59_000);
    events(100, 250_000);
    assertEquals(OptionalDouble.of(1), span().ratio());
  }

  @Test
  void ofFewEventsNothingIsKnown() throws IOException {
    events(7, 77_100);
    assertEquals(OptionalDouble.empty(), span().ratio());
  }
}
