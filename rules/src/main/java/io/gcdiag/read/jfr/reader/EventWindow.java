package io.gcdiag.read.jfr.reader;

import java.io.IOException;
import java.util.OptionalLong;

/** Iterates over a chunk's events in file order, with a part of them in memory. */
public final class EventWindow {

  /** Large enough to make system calls negligible, small enough for the CPU's caches. */
  public static final int SIZE = 1 << 18;

  /** Few events are larger, so checking the time of these is cheap. */
  private static final int LARGE = 128;

  /** Waits that may have begun before the chunk contain less text than this. */
  private static final int HUGE = 4096;

  private final ChunkFile file;
  private final Memory memory;
  private ChunkBytes bytes;

  /** Offset of the window, and how much of it is filled. */
  private long base;

  private int filled;

  /** Where the present event and the next one begin, in the window. */
  private int at;

  private int next;

  /** Where the present event begins in the chunk. */
  private long position;

  private long type;

  /** Finds the next event after damage. */
  private final SoundEvents sound;

  private long lost;

  EventWindow(ChunkFile file, Memory memory, SoundEvents sound) {
    this.file = file;
    this.base = Chunk.HEADER_SIZE;
    this.bytes = new ChunkBytes(memory.data(), file.compressed());
    this.memory = memory;
    this.sound = sound;
  }

  /** Provides the memory for consecutive windows. */
  public interface Memory {
    byte[] data();

    /** Memory of at least that size for the next window; may be the same. */
    public byte[] next(int size) throws IOException;
  }

  /** The same memory for all windows of all chunks. */
  static final class OneMemory implements Memory {
    private byte[] data = new byte[SIZE];

    @Override
    public byte[] data() {
      return data;
    }

    @Override
    public byte[] next(int size) {
      if (size > data.length) {
        data = new byte[Math.max(size, clamp(Math.min(2L * data.length, 1 << 30)))];
      }
      return data;
    }
  }

  /**
   * Moves to the next event.
   *
   * @return false at the end, or if no complete event follows
   */
  boolean next() throws IOException {
    long from = base + next;
    while (!stepIfSound()) {
      OptionalLong again = from < file.end() ? sound.after(from) : OptionalLong.empty();
      if (again.isEmpty()) {
        // The last attempt found no event.
        goTo(from);
        return false;
      }
      lost += again.getAsLong() - from;
      from = again.getAsLong();
      goTo(from);
    }
    return true;
  }

  private boolean stepIfSound() throws IOException {
    try {
      return step();
    } catch (DamagedChunkException e) {
      return false;
    }
  }

  private boolean step() throws IOException {
    at = next;
    position = base + at;
    int head = Math.min(SoundEvents.HEAD, clamp(file.end() - base - at));
    if (head == 0) {
      return false;
    }
    if (at + head > filled) {
      fill(head);
    }
    int size;
    try {
      bytes.at(at);
      size = bytes.readInt();
      type = bytes.readLong();
    } catch (IndexOutOfBoundsException e) {
      // Cut inside the event's head.
      return false;
    }
    if (size <= 0 || bytes.at() - at > size) {
      throw new DamagedChunkException("an event shorter than its head");
    }
    if (size > file.end() - base - at) {
      return false;
    }
    if (!isCredible(size)) {
      throw new DamagedChunkException("an event of no type, or of another time");
    }
    if (at + size > filled) {
      if (type == ChunkHeader.TYPE_METADATA || type == ChunkHeader.TYPE_CONSTANTS) {
        goBeyond(size);
        return true;
      }
      int inside = bytes.at() - at;
      fill(size);
      bytes.at(at + inside);
    }
    next = at + size;
    return true;
  }

  /** Damaged data may also look like an event, with a huge size that leads far away. */
  private boolean isCredible(int size) throws IOException {
    boolean known = sound.canDeclare(type);
    if (known && size < LARGE) {
      return true;
    }
    int behind = bytes.at();
    boolean inTime = sound.isInTime(bytes.readLong());
    bytes.at(behind);
    return known && inTime
        || known && type == ChunkHeader.TYPE_CONSTANTS && followsOthers()
        || size < HUGE && sound.leadsOn(base + at + size);
  }

  /**
   * Constants may be older than the chunk; each of these events has the distance to the previous
   * one.
   */
  private boolean followsOthers() throws IOException {
    int inside = bytes.at() - at;
    if (at + LARGE > filled) {
      fill(LARGE);
      bytes.at(at + inside);
    }
    // Skips time and duration.
    bytes.readLong();
    bytes.readLong();
    long distance = bytes.readLong();
    bytes.at(at + inside);
    return distance <= 0 && base + at + distance >= (distance == 0 ? 0 : Chunk.HEADER_SIZE);
  }

  /**
   * Skips an event that is not completely in the window and has no handler. Declarations of a chunk
   * are read separately, and may be a quarter of a recording.
   */
  private void goBeyond(int size) {
    goTo(base + at + size);
  }

  private void goTo(long place) {
    base = place;
    at = 0;
    next = 0;
    filled = 0;
  }

  private static int clamp(long value) {
    return (int) Math.min(Integer.MAX_VALUE, value);
  }

  /**
   * Moves the present event to the beginning of the window, and makes space for that many bytes of
   * it.
   */
  private void fill(int needed) throws IOException {
    byte[] old = memory.data();
    byte[] data = memory.next(needed);
    if (data != bytes.data()) {
      bytes = new ChunkBytes(data, file.compressed());
    }
    System.arraycopy(old, at, data, 0, filled - at);
    filled -= at;
    base += at;
    at = 0;
    next = 0;
    int more = clamp(Math.min(data.length - filled, file.end() - base - filled));
    file.read(base + filled, data, filled, more);
    filled += more;
  }

  long type() {
    return type;
  }

  /** The bytes, positioned after the present event's type. */
  ChunkBytes bytes() {
    return bytes;
  }

  /** Where the present event ends in those bytes. */
  int eventEnd() {
    return next;
  }

  /** Where the present event begins in the chunk. */
  long position() {
    return position;
  }

  long endPosition() {
    return base + next;
  }

  /** Number of bytes skipped because of damage. */
  long lost() {
    return lost;
  }
}
