package io.gcdiag.read.jfr.reader;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Positions of the constants of a chunk. Read once per chunk and then immutable, so that each lane
 * can decode what it needs in its own thread ({@link Constants}). Its memory is reused for the next
 * chunk.
 */
final class ConstantIndex {

  private static final String TEXT = "java.lang.String";

  private final Metadata types;

  /** By the index of the type. */
  private final Pool[] pools;

  /** The bytes of the events with constants, and the number of these events. */
  private final List<byte[]> blocks = new ArrayList<>();

  private int blockCount;
  private boolean compressed;
  private boolean whole = true;
  private long holes;
  final Optional<Type> texts;

  ConstantIndex(Metadata types) {
    this.types = types;
    this.pools = new Pool[types.types.size()];
    Arrays.fill(pools, Pool.NONE);
    texts = types.types.values().stream().filter(type -> type.name.equals(TEXT)).findFirst();
  }

  /**
   * Reads the constants of a chunk. Each event with constants has the distance to the previous one;
   * the first has 0.
   *
   * @param last where the last of them begins
   * @param search finds all of them if one cannot be read, so that the chain is broken
   */
  void read(ChunkFile file, long last, Search search) throws IOException {
    clear();
    compressed = file.compressed();
    Set<Long> read = new HashSet<>();
    try {
      long at = last;
      for (long distance = last; distance != 0; at += distance) {
        distance = block(file, at);
        read.add(at);
      }
    } catch (DamagedChunkException | IndexOutOfBoundsException e) {
      whole = false;
      for (long at : search.places()) {
        if (read.add(at)) {
          blockIfSound(file, at);
        }
      }
      if (blockCount == 0) {
        throw new DamagedChunkException("no constants");
      }
    }
  }

  /** Finds where the events with constants of a chunk begin. */
  interface Search {
    /** In any order. */
    List<Long> places() throws IOException;
  }

  private void blockIfSound(ChunkFile file, long at) throws IOException {
    try {
      block(file, at);
    } catch (DamagedChunkException | IndexOutOfBoundsException e) {
      // Constants in it are then absent.
      whole = false;
    }
  }

  /**
   * Reads one event with constants.
   *
   * @return the distance to the previous one; 0 if there is none
   */
  private long block(ChunkFile file, long at) throws IOException {
    if (blockCount == blocks.size()) {
      blocks.add(new byte[0]);
    }
    ChunkFile.Whole event = file.event(at, ChunkHeader.TYPE_CONSTANTS, blocks.get(blockCount));
    ChunkBytes in = event.bytes();
    blocks.set(blockCount, in.data());
    holes += in.hole(in.at(), event.end());
    // Skips time and duration.
    in.readLong();
    in.readLong();
    long distance = in.readLong();
    // Skips the reason why the JVM wrote it.
    in.readByte();
    if (distance > 0) {
      throw new DamagedChunkException("constants that refer to later ones");
    }
    int block = blockCount++;
    try {
      add(in, event.end(), block);
    } catch (DamagedChunkException | IndexOutOfBoundsException e) {
      // Damage inside the event makes the rest of it unreadable.
      whole = false;
    }
    return distance;
  }

  private void clear() {
    blockCount = 0;
    whole = true;
    holes = 0;
    for (Pool pool : pools) {
      pool.clear();
    }
  }

  private void add(ChunkBytes in, int end, int block) throws DamagedChunkException {
    int count = in.readLength();
    for (int i = 0; i < count; i++) {
      Type type = types.types.get(in.readLong());
      if (type == null) {
        throw new DamagedChunkException("constants of a type that is not declared");
      }
      if (pools[type.index] == Pool.NONE) {
        pools[type.index] = new Pool();
      }
      Pool pool = pools[type.index];
      int values = in.readLength();
      boolean text = type.name.equals(TEXT);
      for (int j = 0; j < values; j++) {
        long key = in.readLong();
        int from = in.at();
        if (text) {
          in.skipText();
        } else {
          type.skip(in);
        }
        if (in.at() > end) {
          throw new DamagedChunkException("constants beyond the end of their event");
        }
        pool.put(key, block, from, in.at());
      }
    }
  }

  /** Whether all events with constants were found and could be read to their ends. */
  boolean isWhole() {
    return whole;
  }

  long holes() {
    return holes;
  }

  int typeCount() {
    return pools.length;
  }

  Pool constantsOf(Type type) {
    return pools[type.index];
  }

  /** The bytes of all events with constants, each with a position of its own, for one reader. */
  ChunkBytes[] bytes() {
    ChunkBytes[] bytes = new ChunkBytes[blockCount];
    for (int i = 0; i < blockCount; i++) {
      bytes[i] = new ChunkBytes(blocks.get(i), compressed);
    }
    return bytes;
  }
}
