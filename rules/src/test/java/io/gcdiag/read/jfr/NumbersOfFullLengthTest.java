package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.time.InputReport.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A chunk's header says whether its numbers are compressed; both kinds say the same. */
class NumbersOfFullLengthTest {

  @TempDir Path folder;

  private Path file(boolean compressed) {
    return Recordings.write(
        folder.resolve(compressed + ".jfr"), HandWrittenChunk.bytes(compressed));
  }

  @Test
  void compressedOrNotEveryFieldIsTheSame() throws IOException {
    List<String> compressed = EventTexts.of(file(true), Readers.own());
    assertEquals(compressed, EventTexts.of(file(false), Readers.own(), file(true)));
    String event = compressed.get(0);
    assertTrue(
        event.startsWith("demo.Event 2026-11-21T12:00:00.000002Z 2026-11-21T12:00:00.000003500Z"),
        event);
    for (String value : List.of("[seven]", "na\u00efve", "-123456", "-2.25", "-100", "1.5")) {
      assertTrue(event.contains(value), () -> value + " is not in " + event);
    }
  }

  /** The JDK's reader takes all numbers for compressed, as those of every JVM are. */
  @Test
  void theReaderOfTheJdkSaysTheSameOfCompressedOnes() throws IOException {
    Path file = file(true);
    assertEquals(EventTexts.of(file, Readers.api()), EventTexts.of(file, Readers.own()));
  }

  @Test
  void anEventOfATypeThatNobodyKnowsIsNoDamage() {
    assertEquals(Status.OK, Recordings.read(file(false)).inputs().get(0).status());
  }

  @Test
  void anUnfinishedChunkIsReadAsWell() {
    for (boolean compressed : new boolean[] {true, false}) {
      byte[] whole = HandWrittenChunk.bytes(compressed);
      byte[] unfinished = Arrays.copyOf(whole, whole.length + 3);
      unfinished[Recordings.STATE_AT] = 1;
      String note =
          Recordings.read(Recordings.write(folder.resolve("unfinished.jfr"), unfinished))
              .inputs()
              .get(0)
              .note();
      assertTrue(note.contains("nothing after 12:00:00 UTC"), note);
    }
  }
}
