package io.gcdiag.read.jfr.reader;

import io.gcdiag.evidence.time.Window;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The chunks of a recording file, found by following the sizes in their headers.
 *
 * @param chunks in file order; the last one may not be intact
 * @param intact whether the headers show no damage
 */
public record ChunkScan(List<Chunk> chunks, boolean intact) {

  public static ChunkScan of(Path path) throws IOException {
    List<Chunk> chunks = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      ChunkWalk walk = new ChunkWalk(Content.of(channel));
      for (Optional<Chunk> chunk = walk.next(); chunk.isPresent(); chunk = walk.next()) {
        chunks.add(chunk.get());
      }
      return new ChunkScan(List.copyOf(chunks), walk.intact());
    }
  }

  /** When the recorded events may have ended. */
  public Window plausibleTime() {
    PlausibleTime time = new PlausibleTime();
    chunks.forEach(time::add);
    return time.window();
  }

  /**
   * When events of a recording's chunks may have ended. A flipped bit can move an event by
   * centuries, and a single one would stretch the recording's span.
   */
  static final class PlausibleTime {

    /** Longest duration of a chunk whose length is not stated, on an idle JVM. */
    private static final Duration LONGEST_CHUNK = Duration.ofDays(30);

    /** Tolerance, because chunk headers and events use two different clocks of the JVM. */
    private static final Duration CLOCK_ROOM = Duration.ofMinutes(1);

    /** Ticks that exceed the stated length by up to a hundredth of it are not corrected. */
    private static final int DRIFT = 100;

    private Instant from = Instant.MAX;
    private Instant to = Instant.MIN;

    void add(Chunk chunk) {
      Instant end =
          chunk.lengthIsKnown()
              ? chunk.start().plus(chunk.length()).plus(chunk.length().dividedBy(DRIFT))
              : chunk.start().plus(LONGEST_CHUNK);
      from = chunk.start().isBefore(from) ? chunk.start() : from;
      to = end.isAfter(to) ? end : to;
    }

    /** From the first chunk's beginning to the last one's end. */
    Window window() {
      return new Window(from.minus(CLOCK_ROOM), to.plus(CLOCK_ROOM));
    }
  }
}
