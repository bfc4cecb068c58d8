package io.gcdiag.read.jfr.reader;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * Where the tables of a chunk begin, as its events lead from one to the next: for a chunk whose
 * header does not say so, or says where damage is.
 *
 * @param metadata where types are declared, in the order of the file
 * @param constants where constants stand, in the order of the file
 * @param types the numbers of the types of its events, as far as there is no damage
 * @param end where the last whole event ends
 */
record ChunkTables(List<Long> metadata, List<Long> constants, Set<Long> types, long end) {

  /**
   * Looks for them, behind damage as well.
   *
   * @param declared whether a number is that of a type of events; empty if no types are known, so
   *     that those that come before the damage have to serve
   * @param times when its events can have begun
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
