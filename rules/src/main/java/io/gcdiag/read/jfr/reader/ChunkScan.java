package io.gcdiag.read.jfr.reader;

import io.gcdiag.evidence.time.Window;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
}
