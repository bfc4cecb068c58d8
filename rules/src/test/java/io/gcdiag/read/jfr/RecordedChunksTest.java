package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.read.jfr.RecordingFormat.RecordedChunks;
import io.gcdiag.read.jfr.reader.Chunk;
import io.gcdiag.read.jfr.reader.ReadChunk;
import io.gcdiag.read.jfr.reader.ReadChunk.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecordedChunksTest {

  private static final Instant START = Instant.parse("2026-11-22T13:07:00Z");

  private static ReadChunk second(int second, Outcome outcome) {
    Chunk chunk =
        new Chunk(1_000L * second, 1_000, true, START.plusSeconds(second), Duration.ofSeconds(1));
    return new ReadChunk(chunk, outcome);
  }

  @Test
  void chunksThatFollowOneAnotherHaveNoGap() {
    assertEquals(
        Optional.empty(),
        RecordedChunks.gaps(List.of(second(0, Outcome.WHOLE), second(1, Outcome.KNOWN))));
  }

  @Test
  void whatIsMissingBetweenChunksIsSaidInTime() {
    assertEquals(
        Optional.of("13:07:01.000 to 13:07:03.000, 13:07:04.000 to 13:07:05.000 UTC"),
        RecordedChunks.gaps(
            List.of(
                second(0, Outcome.WHOLE),
                second(2, Outcome.BROKEN),
                second(3, Outcome.WHOLE),
                second(5, Outcome.WHOLE))));
  }

  @Test
  void aChunkThatWasReadWholeIsKnown() {
    RecordedChunks chunks = new RecordedChunks();
    List<ReadChunk> parts = List.of(second(0, Outcome.WHOLE), second(1, Outcome.BROKEN));
    chunks.add("a.jfr", parts);

    assertTrue(chunks.isKnown(parts.get(0).chunk()));
    assertFalse(chunks.isKnown(parts.get(1).chunk()));
    assertEquals(
        Optional.of("1 of its 2 chunks is in a.jfr and counts once"),
        chunks.known(List.of(second(0, Outcome.KNOWN), second(1, Outcome.WHOLE))));
  }
}
