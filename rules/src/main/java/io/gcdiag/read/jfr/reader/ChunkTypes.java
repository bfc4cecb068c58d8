package io.gcdiag.read.jfr.reader;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * The types of one chunk after another, and the constants that values of them refer to. Most chunks
 * declare the same ones as the chunk before: then these are kept.
 */
final class ChunkTypes {

  private Optional<Metadata> metadata = Optional.empty();
  private Optional<ConstantIndex> constants = Optional.empty();

  /** The bytes that declared them. */
  private byte[] declaration = {};

  /** Whether the present chunk's types are those that it declares in the end. */
  private boolean declared;

  /**
   * What the chunk declares. Where that is damaged, what it had declared before; else what the
   * chunk before declared, if each event is of one of those types: a JVM keeps their numbers.
   */
  Metadata of(ChunkHeader header) throws IOException {
    declared = true;
    try {
      return read(header.file(), header.metadataAt());
    } catch (DamagedChunkException | RuntimeException e) {
      declared = false;
      ChunkTables tables = header.tables(known(header.file(), 0));
      for (long at : tables.metadata()) {
        try {
          return read(header.file(), at);
        } catch (DamagedChunkException | RuntimeException again) {
          // The next one may be whole.
        }
      }
      if (metadata.isPresent() && tables.types().stream().allMatch(numbers(metadata.get())::test)) {
        return metadata.get();
      }
      throw e;
    }
  }

  boolean areDeclared() {
    return declared;
  }

  /** The constants of a chunk whose types were read last. */
  ConstantIndex constants(ChunkHeader header, Metadata types) throws IOException {
    ConstantIndex index = constants.get();
    index.read(
        header.file(),
        header.constantsAt(),
        () -> header.tables(Optional.of(numbers(types))).constants());
    return index;
  }

  /**
   * Whether a number is that of a type of events, by what a chunk declares at a place, or by the
   * chunk before; empty if neither can be read.
   */
  Optional<LongPredicate> known(ChunkFile file, long metadataAt) {
    try {
      return Optional.of(numbers(read(file, metadataAt)));
    } catch (IOException | RuntimeException e) {
      // Damaged, or of a chunk that is not finished and was never flushed.
      return metadata.map(ChunkTypes::numbers);
    }
  }

  /** The numbers of events, and of the tables among them. */
  static LongPredicate numbers(Metadata types) {
    return id ->
        id == ChunkHeader.TYPE_METADATA || id == ChunkHeader.TYPE_CONSTANTS || types.isEvent(id);
  }

  private Metadata read(ChunkFile file, long at) throws IOException {
    ChunkBytes event = file.event(at, ChunkHeader.TYPE_METADATA);
    // Time, duration and a running number.
    event.readLong();
    event.readLong();
    event.readLong();
    byte[] data = event.data();
    int from = event.at();
    boolean same = Arrays.equals(data, from, data.length, declaration, 0, declaration.length);
    if (metadata.isEmpty() || !same) {
      if (event.hole(from, data.length) > 0) {
        throw new DamagedChunkException("a hole in what declares the types");
      }
      metadata = Optional.of(Metadata.read(event));
      declaration = Arrays.copyOfRange(data, from, data.length);
      constants = metadata.map(ConstantIndex::new);
    }
    return metadata.get();
  }
}
