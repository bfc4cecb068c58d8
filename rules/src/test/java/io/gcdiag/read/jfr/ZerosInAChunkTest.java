package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.jfr.reader.ChunkBytes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages of zeros that swallow many events of a chunk: the events behind them are read as well. */
@Tag("slow")
class ZerosInAChunkTest {

  private static final int PARKS = 2_000;
  private static final int PAGE = 4096;
  private static final int HEADER = 68;
  private static final int CONSTANTS = 1;

  @TempDir static Path folder;
  private static byte[] sound;
  private static long all;

  /** The sizes of the events of a type, and where they begin. */
  private record Place(int at, int size) {
    boolean isIn(int from, int to) {
      return at < to && at + size > from;
    }
  }

  @BeforeAll
  static void record() {
    Path file =
        Recordings.record(
            folder.resolve("sound.jfr"),
            recording -> recording.enable("jdk.ThreadPark").withoutThreshold(),
            () -> {
              for (int i = 0; i < PARKS; i++) {
                LockSupport.parkNanos(100_000);
              }
            });
    sound = Recordings.bytes(file);
    assertEquals(1, Recordings.chunks(file).size());
    all = parks(Recordings.read(file));
    assertTrue(all >= PARKS, all + " parks");
  }

  private static long parks(Timeline timeline) {
    Window always =
        new Window(Instant.parse("2000-01-01T00:00:00Z"), Instant.parse("2200-01-01T00:00:00Z"));
    return timeline.waits().stream()
        .map(series -> series.within(always))
        .mapToLong(WaitSeries.Totals::count)
        .sum();
  }

  private static long typeOfParks() throws IOException {
    try (RecordingFile file = new RecordingFile(folder.resolve("sound.jfr"))) {
      return file.readEventTypes().stream()
          .filter(type -> type.getName().equals("jdk.ThreadPark"))
          .findFirst()
          .orElseThrow()
          .getId();
    }
  }

  private static List<Place> places(long wanted) {
    List<Place> places = new ArrayList<>();
    int at = HEADER;
    while (at < sound.length) {
      ChunkBytes event = new ChunkBytes(sound, true);
      event.at(at);
      int size = event.readInt();
      if (event.readLong() == wanted) {
        places.add(new Place(at, size));
      }
      at += size;
    }
    return places;
  }

  /** The first of parks that follow one another for two pages, from one of them on. */
  private static Place inARow(List<Place> parks, int from) {
    int first = from;
    for (int i = from; i + 1 < parks.size(); i++) {
      Place park = parks.get(i);
      if (park.at() + park.size() != parks.get(i + 1).at()) {
        first = i + 1;
      } else if (park.at() > parks.get(first).at() + 2 * PAGE) {
        return parks.get(first);
      }
    }
    throw new AssertionError("parks from " + from + " on are not in a row for two pages");
  }

  private static Timeline withZeros(int... from) {
    byte[] damaged = sound.clone();
    for (int at : from) {
      Arrays.fill(damaged, at, at + PAGE, (byte) 0);
    }
    return read(damaged);
  }

  private static Timeline read(byte[] damaged) {
    return Recordings.read(Recordings.write(folder.resolve("damaged.jfr"), damaged));
  }

  @Test
  void theEventsBeforeAndBehindThemAreRead() throws IOException {
    List<Place> parks = places(typeOfParks());
    // Two pages, the first in the middle of an event.
    int first = inARow(parks, PARKS / 4).at() + 5;
    int second = inARow(parks, PARKS / 2).at();
    Timeline timeline = withZeros(first, second);
    long lost =
        parks.stream()
            .filter(park -> park.isIn(first, first + PAGE) || park.isIn(second, second + PAGE))
            .count();
    assertTrue(lost > 100, lost + " events lie in two pages");
    long kept = parks(timeline);
    // Zeros are values, too: of the events that a page cuts into, each may still be one.
    int cut = 4;
    assertTrue(kept >= all - lost && kept <= all - lost + cut, kept + " of " + all + " - " + lost);
  }

  @Test
  void theReportSaysThatTheChunkIsIncompleteAndFromWhenToWhen() throws IOException {
    Timeline timeline = withZeros(inARow(places(typeOfParks()), PARKS / 2).at());
    assertEquals(Status.PARTIAL, timeline.inputs().get(0).status());
    String note = timeline.inputs().get(0).note();
    assertTrue(
        note.matches(
            "damaged or cut off: read 0 of 1 chunk whole and [\\d,]+ of [\\d,]+ bytes, and of 1"
                + " chunk what stands beside the damage, incomplete from [\\d:.]+ to [\\d:.]+ UTC"),
        note);
  }

  /** Constants that are lost cost what refers to them, not the chunk. */
  @Test
  void constantsThatAreHitDoNotCostTheChunk() {
    List<Place> constants = places(CONSTANTS);
    Place large =
        constants.stream()
            .filter(place -> place.size() > 2 * PAGE)
            .findFirst()
            .orElseThrow(() -> new AssertionError("no event with constants is large enough"));
    Timeline timeline = withZeros(large.at() + PAGE / 2);
    assertEquals(Status.PARTIAL, timeline.inputs().get(0).status());
    assertTrue(parks(timeline) > all / 2, parks(timeline) + " of " + all);
  }

  /** The header leads to the last of them: without it, the others are found by going over all. */
  @Test
  void theLastConstantsAreLostAndThoseBeforeServe() {
    List<Place> constants = places(CONSTANTS);
    assertTrue(constants.size() > 1, "constants are written more than once");
    Place last = constants.get(constants.size() - 1);
    byte[] damaged = sound.clone();
    Arrays.fill(damaged, last.at(), last.at() + last.size(), (byte) 0);
    Timeline timeline = read(damaged);
    assertEquals(Status.PARTIAL, timeline.inputs().get(0).status());
    assertTrue(parks(timeline) > all / 2, parks(timeline) + " of " + all);
  }

  /** A killed JVM leaves a chunk without an end; what stands behind the zeros is its last part. */
  @Test
  void anUnfinishedChunkIsReadBehindThemAsWell() throws IOException {
    List<Place> parks = places(typeOfParks());
    int at = inARow(parks, PARKS / 2).at();
    byte[] damaged = Arrays.copyOf(sound, sound.length - 10);
    damaged[Recordings.STATE_AT] = 3;
    Arrays.fill(damaged, at, at + PAGE, (byte) 0);
    Timeline timeline = read(damaged);
    long lost = parks.stream().filter(park -> park.isIn(at, at + PAGE)).count();
    assertEquals(Status.PARTIAL, timeline.inputs().get(0).status());
    assertTrue(parks(timeline) >= all - lost, parks(timeline) + " of " + all + " - " + lost);
    String note = timeline.inputs().get(0).note();
    assertTrue(note.contains("of 1 chunk what stands beside the damage"), note);
  }

  /**
   * Other bytes than zeros lead on at random, now and then to events behind some that are sound.
   */
  @Test
  void eventsBehindJunkAreRead() throws IOException {
    List<Place> parks = places(typeOfParks());
    int at = inARow(parks, PARKS / 2).at();
    long sum = 0;
    long most = 0;
    for (int seed = 0; seed < 20; seed++) {
      int from = at + seed;
      byte[] junk = new byte[PAGE];
      new Random(seed).nextBytes(junk);
      byte[] damaged = sound.clone();
      System.arraycopy(junk, 0, damaged, from, PAGE);
      Timeline timeline = read(damaged);
      assertEquals(Status.PARTIAL, timeline.inputs().get(0).status());
      sum += parks(timeline);
      most += all - parks.stream().filter(park -> park.isIn(from, from + PAGE)).count();
    }
    // Of the events that junk cuts into, each may still be one, and junk itself now and then: of
    // 4,096 places each 256th has the type of a park, and some of these a size that leads on.
    assertTrue(sum >= 0.9 * most && sum <= most + 20 * 8, sum + " of " + most);
  }
}
