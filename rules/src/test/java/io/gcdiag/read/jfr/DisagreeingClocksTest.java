package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.read.jfr.reader.Chunk;
import io.gcdiag.read.jfr.reader.ChunkScan;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings whose events have other times by their ticks than their chunk by its header. */
class DisagreeingClocksTest {

  private static final int TICKS_PER_SECOND_AT = 56;

  /** Two clocks of one JVM are read at two moments, and nothing is corrected more closely. */
  private static final double A_HUNDREDTH = 0.01;

  @TempDir static Path folder;
  private static byte[] sound;

  /** 1,500 parks of 1 ms: 1.5 s and more. */
  @BeforeAll
  static void record() {
    Path file =
        Recordings.record(
            folder.resolve("sound.jfr"),
            recording -> recording.enable("jdk.ThreadPark").withThreshold(Duration.ZERO),
            () -> {
              for (int i = 0; i < 1_500; i++) {
                LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
              }
            });
    List<byte[]> chunks = Recordings.chunks(file);
    sound = chunks.get(chunks.size() - 1);
  }

  private static long stated(int at) {
    return ByteBuffer.wrap(sound).getLong(at);
  }

  private static Path with(String name, int at, long value) {
    byte[] changed = sound.clone();
    ByteBuffer.wrap(changed).putLong(at, value);
    return Recordings.write(folder.resolve(name), changed);
  }

  private record Span(Instant start, Duration length) {}

  private static List<Span> parks(Path file) throws IOException {
    List<Span> parks = new ArrayList<>();
    EventSink sink =
        new EventSink() {
          @Override
          public void types(Map<Long, String> nameById) {}

          @Override
          public Optional<Consumer<Event>> reader(String type) {
            return type.equals("jdk.ThreadPark")
                ? Optional.of(event -> parks.add(new Span(event.start(), event.duration())))
                : Optional.empty();
          }

          @Override
          public void span(Instant firstEnd, Instant lastEnd) {}
        };
    Readers.own().read(file, ChunkScan.of(file), () -> sink);
    return parks;
  }

  /**
   * Three times as slow as the counter is: 1.5 s are 4.5 s by the ticks, more on a busy machine.
   */
  @Test
  void aFrequencyThatIsStatedTooLowIsCorrectedAndSaid() throws IOException {
    Path file = with("slow-clock.jfr", TICKS_PER_SECOND_AT, stated(TICKS_PER_SECOND_AT) / 3);
    Timeline timeline = Recordings.read(file);
    assertEquals(Status.OK, timeline.inputs().get(0).status());
    String note = String.join("\n", timeline.coverage().notes());
    assertTrue(note.contains("slow-clock.jfr: its clocks disagree: 1 of 1 chunks last "), note);

    List<Span> expected = parks(Recordings.write(folder.resolve("as-recorded.jfr"), sound));
    List<Span> corrected = parks(file);
    assertTrue(expected.size() >= 1_500, () -> expected.size() + " parks");
    assertEquals(expected.size(), corrected.size());
    Instant begin = Instant.ofEpochSecond(0, stated(Chunk.START_NANOS_AT));
    Instant end = begin.plusNanos(stated(Chunk.DURATION_NANOS_AT));
    for (int i = 0; i < expected.size(); i++) {
      near(expected.get(i).length(), corrected.get(i).length());
      near(
          Duration.between(begin, expected.get(i).start()),
          Duration.between(begin, corrected.get(i).start()));
      assertTrue(corrected.get(i).start().isBefore(end.plusMillis(50)));
    }
  }

  private static void near(Duration expected, Duration actual) {
    double most = Math.max(1e6, expected.toNanos() * A_HUNDREDTH * 5);
    assertEquals(expected.toNanos(), actual.toNanos(), most);
  }

  /** A busy JVM ends a chunk and writes its last events later; nothing is wrong with its clock. */
  @Test
  void eventsBehindTheStatedEndAreNoDamage() throws IOException {
    long duration = stated(Chunk.DURATION_NANOS_AT);
    for (long late : List.of(1_000_000L, 10_000_000L, 100_000_000L, 1_000_000_000L)) {
      Path file = with("late.jfr", Chunk.DURATION_NANOS_AT, duration - late);
      Timeline timeline = Recordings.read(file);
      assertEquals(Status.OK, timeline.inputs().get(0).status(), () -> late + " ns late");
      assertTrue(timeline.coverage().notes().stream().noneMatch(note -> note.contains("clocks")));
      assertEquals(parks(Recordings.write(folder.resolve("plain.jfr"), sound)), parks(file));
    }
  }

  /** What follows a corrected chunk and was never finished has the same counter. */
  @Test
  void anUnfinishedChunkHasTheClockOfTheOneBefore() throws IOException {
    byte[] slow =
        Recordings.bytes(with("first.jfr", TICKS_PER_SECOND_AT, stated(TICKS_PER_SECOND_AT) / 3));
    byte[] unfinished = slow.clone();
    unfinished[Recordings.STATE_AT] = 1;
    long later = stated(Chunk.START_NANOS_AT) + Duration.ofSeconds(10).toNanos();
    // The JVM writes copies of the header into the chunk.
    ByteBuffer bytes = ByteBuffer.wrap(unfinished);
    for (int i = 0; i + Long.BYTES <= unfinished.length; i++) {
      if (bytes.getLong(i) == stated(Chunk.START_NANOS_AT)) {
        bytes.putLong(i, later);
      }
    }
    Path both = Recordings.write(folder.resolve("both.jfr"), slow, unfinished);
    List<Span> parks = parks(both);
    int half = parks(Recordings.write(folder.resolve("one.jfr"), slow)).size();
    assertEquals(2 * half, parks.size());
    List<Duration> first = parks.subList(0, half).stream().map(Span::length).toList();
    List<Duration> second = parks.subList(half, parks.size()).stream().map(Span::length).toList();
    // Lengths end at two rounded instants.
    for (int i = 0; i < half; i++) {
      assertEquals(first.get(i).toNanos(), second.get(i).toNanos(), 2);
    }
  }

  @Test
  void packedOrNotTheCorrectionIsTheSame() throws IOException {
    Path plain = with("plain-3.jfr", TICKS_PER_SECOND_AT, stated(TICKS_PER_SECOND_AT) / 3);
    byte[] bytes = Recordings.bytes(plain);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(bytes);
    }
    Path gz = Recordings.write(folder.resolve("packed-3.jfr.gz"), packed.toByteArray());
    assertEquals(Recordings.read(plain).span(), Recordings.read(gz).span());
  }
}
