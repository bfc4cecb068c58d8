package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.read.bytes.JfrReader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Bytes that differ from what the JVM wrote: a state and a note, never a hang. */
@Tag("slow")
class FlippedBytesTest extends DamageScene {

  /** Where a chunk's header says where the last event with constants begins. */
  private static final int CONSTANT_POOL_AT = 16;

  private static final String NONE =
      "damaged: none of its 1 chunk can be read; if the JVM is alive, dump it again with jcmd PID"
          + " JFR.dump";

  @Test
  void flippedBitsNeverHangOrThrow() {
    Random random = new Random(20_011);
    for (int i = 0; i < 60; i++) {
      byte[] damaged = all.clone();
      int at = HEADER + random.nextInt(all.length - HEADER);
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      Timeline timeline = read("flipped.jfr", damaged);
      assertEquals("jfr", report(timeline).format());
      assertTrue(
          timeline.span().length().compareTo(Duration.ofDays(40)) < 0,
          () -> "one byte dates the recording over " + timeline.span());
    }
  }

  @Test
  void randomBytesInTheMiddleNeverHangOrThrow() {
    Random random = new Random(4_711);
    for (int i = 0; i < 40; i++) {
      byte[] damaged = all.clone();
      byte[] noise = new byte[1 + random.nextInt(200)];
      random.nextBytes(noise);
      System.arraycopy(noise, 0, damaged, random.nextInt(all.length - 200), noise.length);
      assertEquals(1, read("noise.jfr", damaged).inputs().size());
    }
  }

  /** One byte of the metadata is enough for it: the number of a field's type. */
  @Test
  void aTypeThatContainsItselfIsDamage() {
    assertEquals(NONE, note(HandWrittenChunk.ofTypeInItself()));
  }

  /** Each level doubles the fields to go over, without a byte of data: 40 would take days. */
  @Test
  void typesThatMultiplyInsideOfTypesAreDamage() {
    assertEquals(NONE, note(HandWrittenChunk.ofDoublingTypes(40)));
    assertEquals("", note(HandWrittenChunk.ofDoublingTypes(4)));
  }

  private static String note(byte[] chunk) {
    return report(read("types.jfr", chunk)).note();
  }

  /** Of a pool without any constants the JDK's reader throws an error, and no exception. */
  @Test
  void aPoolWithoutConstantsIsNoStackTraceOfEitherReader() {
    byte[] damaged = chunks.get(0).clone();
    int at = (int) ByteBuffer.wrap(damaged).getLong(CONSTANT_POOL_AT);
    // Size, type, time, duration and the distance to the event before; what made the JVM write it.
    for (int number = 0; number < 5; number++) {
      at = afterNumber(damaged, at);
    }
    at++;
    // The number of pools, and the type of the first; then its number of constants.
    at = afterNumber(damaged, afterNumber(damaged, at));
    for (int end = afterNumber(damaged, at); at < end; at++) {
      damaged[at] = (byte) (at < end - 1 ? 0x80 : 0);
    }
    Path file = Recordings.write(folder.resolve("pools.jfr"), damaged, chunks.get(1));
    for (JfrReader reader : JfrReader.values()) {
      assertEquals(
          "",
          report(Recordings.read(file, reader))
              .note()
              .replaceFirst("^(damaged|--jfr-reader=api reads neither).*", ""));
    }
  }

  /** Seven bits a byte, the last of which is positive. */
  private static int afterNumber(byte[] bytes, int at) {
    int place = at;
    while (bytes[place] < 0) {
      place++;
    }
    return place + 1;
  }
}
