package io.gcdiag.read.jfr.reader;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * Positions of the tables of a chunk, found by going through its events. Used if the chunk's header
 * does not state them, or states a damaged position.
 *
 * @param metadata where types are declared, in file order
 * @param constants where constants are, in file order
 * @param types the numbers of its event types, up to the first damage
 * @param end where the last complete event ends
 */
record ChunkTables(List<Long> metadata, List<Long> constants, Set<Long> types, long end) {

  /**
   * Finds them, also after damage.
   *
   * @param declared tests whether a number is that of an event type; if empty, the types seen
   *     before the damage are used
   * @param times when its events may have begun
   */
  static ChunkTables of(ChunkFile file, Optional<LongPredicate> declared, EventTimes times)
      throws IOException {
    Set<Long> seen = new HashSet<>();
    SoundEvents sound = new SoundEvents(file, declared, times::isInTime, false);
    EventWindow events = new EventWindow(file, new EventWindow.OneMemory(), sound);
    List<Long> metadata = new ArrayList<>();
    List<Long> constants = new ArrayList<>();
    long end = Chunk.HEADER_SIZE;
    while (events.next()) {
      long type = events.type();
      if (type == ChunkHeader.TYPE_METADATA) {
        metadata.add(events.position());
      } else if (type == ChunkHeader.TYPE_CONSTANTS) {
        constants.add(events.position());
      }
      if (events.lost() == 0) {
        seen.add(type);
        sound.see(type);
      }
      end = events.endPosition();
    }
    return new ChunkTables(List.copyOf(metadata), List.copyOf(constants), Set.copyOf(seen), end);
  }
}
