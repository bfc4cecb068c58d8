package io.gcdiag.read.bytes;

import io.gcdiag.units.Numbers;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The unpacked bytes of a file. A packed file that is truncated or damaged ends at the damage, and
 * one that unpacks to more than any real file does ends there; {@link #damage()} reports both.
 */
public final class Unpacked extends FilterInputStream {

  /**
   * Logs shrink to a twentieth, dumps to a fiftieth; only a bomb shrinks to less than this. The
   * weakest level of gzip brings zero bytes to a 229th.
   */
  private static final int MOST_SHRUNK = 200;

  /** Below this size, in bytes, even a zip bomb is read at once. */
  private static final long HARMLESS_SIZE = 256L << 20;

  /** Headers of binary formats have fewer zero bytes in a row, and so has a flipped byte or two. */
  public static final int SHORTEST_HOLE = 32;

  private static final int BUFFER = 64 * 1024;
  private static final int MAGIC = 8;

  private final Counted packed;

  /** In bytes when it was opened; 0 if it is not known. */
  private final long sizeOfFile;

  private long size;
  private String damage;

  /**
   * Whether it is a text, in which zero bytes mean nothing; not yet known before the first read.
   */
  private boolean text;

  private boolean probed;

  /** Whether a byte other than zero was read. */
  private boolean begun;

  /** A hole may continue from one read to the next. */
  private long zerosInARow;

  /** Zero bytes of holes; a few in a row may be part of what was logged. */
  private long lost;

  private Unpacked(InputStream in, Counted packed, long sizeOfFile) {
    super(in);
    this.packed = packed;
    this.sizeOfFile = sizeOfFile;
  }

  public static Unpacked open(Path path) throws IOException {
    return open(Stored.in(path));
  }

  public static Unpacked open(Stored file) throws IOException {
    return open(file, any -> {});
  }

  /**
   * Opens a file.
   *
   * @param progress hears how many of its bytes, as they lie there, have been taken
   */
  static Unpacked open(Stored stored, LongConsumer progress) throws IOException {
    // A file in an archive cannot grow, and may be shorter than the archive states.
    long size = stored.onDisk().isPresent() ? stored.size() : 0;
    InputStream file = stored.open();
    try {
      return of(file, progress, size);
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Reads from the bytes of a file.
   *
   * @throws IOException if not even the header of the packing is there
   */
  static Unpacked of(InputStream file) throws IOException {
    return of(file, any -> {}, 0);
  }

  private static Unpacked of(InputStream file, LongConsumer progress, long size)
      throws IOException {
    Counted counted = new Counted(file, progress);
    BufferedInputStream raw = new BufferedInputStream(counted, BUFFER);
    raw.mark(MAGIC);
    byte[] head = raw.readNBytes(MAGIC);
    raw.reset();
    Optional<FileCompression> packing =
        FileCompression.of(head).filter(FileCompression::isUnpacked);
    if (packing.isEmpty()) {
      return new Unpacked(raw, counted, size);
    }
    try {
      InputStream content =
          packing.get() == FileCompression.GZIP
              ? new GZIPInputStream(raw, BUFFER)
              : new Lz4Frames(raw);
      return new Unpacked(content, counted, size);
    } catch (EOFException e) {
      throw new IOException("the " + packing.get().label() + " file is cut inside its header", e);
    }
  }

  /**
   * Leaves zero bytes out, and counts those of holes: a log that was truncated while the JVM wrote
   * on begins with one, and a disk that failed leaves them anywhere. A text in UTF-16 keeps them.
   * To be called before the first read.
   */
  public Unpacked asText() {
    text = true;
    return this;
  }

  /** What kept some of it from being read, as a note; empty while all is well. */
  public Optional<String> damage() {
    return Optional.ofNullable(damage)
        .or(() -> Optional.of(lost).filter(count -> count > 0).map(Unpacked::lost));
  }

  private static String lost(long bytes) {
    return "it holds " + Numbers.count(bytes) + " zero bytes; what was written there is lost";
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (damage != null) {
      return -1;
    }
    int read = content(buffer, offset, length);
    while (text && read > 0) {
      int kept = withoutZeros(buffer, offset, read);
      if (kept > 0) {
        return kept;
      }
      read = damage == null ? content(buffer, offset, length) : -1;
    }
    return read;
  }

  /** Number of bytes other than zero, moved together. */
  private int withoutZeros(byte[] buffer, int offset, int length) {
    if (!probed) {
      probed = true;
      text = !isWide(buffer, offset, length);
    }
    int end = offset + length;
    if (!text || Line.findBelow(buffer, offset, end, 0, 1) == end) {
      zerosInARow = 0;
      begun = true;
      return length;
    }
    int to = offset;
    for (int i = offset; i < end; i++) {
      if (buffer[i] != 0) {
        zerosInARow = 0;
        begun = true;
        buffer[to++] = buffer[i];
        continue;
      }
      zerosInARow++;
      if (zerosInARow > SHORTEST_HOLE) {
        lost++;
      } else if (zerosInARow == SHORTEST_HOLE) {
        lost += SHORTEST_HOLE;
        // The text before and after a hole is not one line, so one zero byte remains between them.
        if (begun) {
          buffer[to++] = '\n';
        }
      }
    }
    return to - offset;
  }

  /** Whether a text begins like one in UTF-16: with a mark, or with every second byte zero. */
  private static boolean isWide(byte[] bytes, int from, int length) {
    if (length < 2) {
      return false;
    }
    int first = bytes[from] & 0xff;
    int second = bytes[from + 1] & 0xff;
    boolean marked = first == 0xff && second == 0xfe || first == 0xfe && second == 0xff;
    if (marked || length < 4) {
      return marked;
    }
    boolean little = first != 0 && second == 0 && bytes[from + 2] != 0 && bytes[from + 3] == 0;
    boolean big = first == 0 && second != 0 && bytes[from + 2] == 0 && bytes[from + 3] != 0;
    return little || big;
  }

  /** Whether this ratio of unpacked to packed bytes is impossible for a real file. */
  static boolean isBomb(long size, long packed) {
    return size > HARMLESS_SIZE && size / MOST_SHRUNK > packed;
  }

  private int content(byte[] buffer, int offset, int length) throws IOException {
    try {
      int read = super.read(buffer, offset, length);
      size += Math.max(0, read);
      if (read < 0 && packed.ended && packed.count < sizeOfFile) {
        // Log rotation by copying truncates the file that is being written.
        damage = "the file became shorter while it was read; what was read before that counts";
      }
      if (isBomb(size, packed.count)) {
        damage = "unpacks to far more than any log or dump; what came out first was read";
      }
      return read;
    } catch (EOFException e) {
      damage = "the packed file is cut; what came out of it before was read";
    } catch (ZipException e) {
      damage = "the packed file is damaged; what came out of it before was read";
    }
    return -1;
  }

  @Override
  public long skip(long count) throws IOException {
    return Math.max(0, read(new byte[(int) Math.min(BUFFER, Math.max(0, count))]));
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  /** Counts the bytes read from the file itself. */
  private static final class Counted extends FilterInputStream {
    private final LongConsumer progress;
    private long count;
    private boolean ended;

    Counted(InputStream in, LongConsumer progress) {
      super(in);
      this.progress = progress;
    }

    @Override
    public int read() throws IOException {
      int value = super.read();
      count += value < 0 ? 0 : 1;
      ended |= value < 0;
      return value;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int read = super.read(buffer, offset, length);
      count += Math.max(0, read);
      ended |= read < 0;
      progress.accept(count);
      return read;
    }
  }

  /**
   * Unpacks the frame format of LZ4 (version 1), one frame after another. Checksums are not
   * checked, because damage shows in the result.
   *
   * <p>A frame is a magic number, flags, block size, then blocks of a length and data until a
   * length of 0; numbers are little-endian. Written from the published description of the format.
   */
  private static final class Lz4Frames extends InputStream {

    private static final int MAGIC = 0x184D2204;

    /** Frames with other programs' data, which are skipped: 0x184D2A50 to 0x184D2A5F. */
    private static final int SKIPPABLE = 0x184D2A50;

    private static final int SKIPPABLE_MASK = 0xFFFFFFF0;

    private static final int VERSION_MASK = 0xC0;
    private static final int VERSION_1 = 0x40;
    private static final int BLOCK_CHECKSUMS = 0x10;
    private static final int CONTENT_SIZE = 0x08;
    private static final int CONTENT_CHECKSUM = 0x04;
    private static final int DICTIONARY = 0x01;
    private static final int STORED = 0x80000000;
    private static final int SMALLEST_BLOCK_CODE = 4;
    private static final int LARGEST_BLOCK_CODE = 7;

    /** Largest distance of a match. */
    private static final int HISTORY = 64 * 1024;

    private static final int LEAST_MATCH = 4;
    private static final int NIBBLE = 0x0f;
    private static final int BYTE = 0xff;

    private final DataInputStream in;
    private boolean blockChecksums;
    private boolean contentChecksum;
    private boolean inFrame;
    private int blockSize;
    private byte[] packed = {};

    /** The latest unpacked data, after the history that the next block may refer to. */
    private byte[] window = {};

    private int next;
    private int end;

    Lz4Frames(InputStream in) throws IOException {
      this.in = new DataInputStream(in);
      header(littleEndian());
    }

    @Override
    public int read() throws IOException {
      return fill() ? window[next++] & BYTE : -1;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (!fill()) {
        return -1;
      }
      int count = Math.min(length, end - next);
      System.arraycopy(window, next, buffer, offset, count);
      next += count;
      return count;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }

    /** Whether there is a byte to return. */
    private boolean fill() throws IOException {
      while (next == end) {
        if (inFrame) {
          block();
        } else {
          int first = in.read();
          if (first < 0) {
            return false;
          }
          header(first | in.readUnsignedByte() << 8 | Short.reverseBytes(in.readShort()) << 16);
        }
      }
      return true;
    }

    private int littleEndian() throws IOException {
      return Integer.reverseBytes(in.readInt());
    }

    private void header(int magic) throws IOException {
      if ((magic & SKIPPABLE_MASK) == SKIPPABLE) {
        in.skipNBytes(Integer.toUnsignedLong(littleEndian()));
        return;
      }
      int flags = in.readUnsignedByte();
      int sizeCode = in.readUnsignedByte() >> 4;
      if (magic != MAGIC
          || (flags & VERSION_MASK) != VERSION_1
          || (flags & DICTIONARY) != 0
          || sizeCode < SMALLEST_BLOCK_CODE
          || sizeCode > LARGEST_BLOCK_CODE) {
        throw new ZipException("no frame of lz4");
      }
      in.skipNBytes((flags & CONTENT_SIZE) == 0 ? 1 : Long.BYTES + 1);
      blockChecksums = (flags & BLOCK_CHECKSUMS) != 0;
      contentChecksum = (flags & CONTENT_CHECKSUM) != 0;
      // Codes 4 to 7 stand for 64 KiB, 256 KiB, 1 MiB and 4 MiB.
      blockSize = 1 << 2 * sizeCode + 8;
      packed = new byte[blockSize];
      window = new byte[HISTORY + blockSize];
      next = 0;
      end = 0;
      inFrame = true;
    }

    private void block() throws IOException {
      int head = littleEndian();
      int length = head & ~STORED;
      if (head == 0) {
        in.skipNBytes(contentChecksum ? Integer.BYTES : 0);
        inFrame = false;
        return;
      }
      if (length > blockSize) {
        throw new ZipException("a block larger than its frame allows");
      }
      in.readFully(packed, 0, length);
      in.skipNBytes(blockChecksums ? Integer.BYTES : 0);
      int kept = Math.min(HISTORY, end);
      System.arraycopy(window, end - kept, window, 0, kept);
      next = kept;
      end = kept;
      if ((head & STORED) != 0) {
        System.arraycopy(packed, 0, window, kept, length);
        end += length;
      } else {
        expand(length);
      }
    }

    /**
     * A block is a sequence of literals to copy, each except the last followed by a match further
     * back.
     */
    private void expand(int length) throws IOException {
      int at = 0;
      int limit = Math.min(window.length, end + blockSize);
      while (at < length) {
        int token = packed[at++] & BYTE;
        int literals = token >> 4;
        if (literals == NIBBLE) {
          int more;
          do {
            more = byteAt(at++, length);
            literals += more;
          } while (more == BYTE && literals <= blockSize);
        }
        if (literals > length - at || literals > limit - end) {
          throw new ZipException("literals beyond the end of a block");
        }
        System.arraycopy(packed, at, window, end, literals);
        at += literals;
        end += literals;
        if (at == length) {
          return;
        }
        int back = byteAt(at, length) | byteAt(at + 1, length) << 8;
        at += 2;
        int match = (token & NIBBLE) + LEAST_MATCH;
        if ((token & NIBBLE) == NIBBLE) {
          int more;
          do {
            more = byteAt(at++, length);
            match += more;
          } while (more == BYTE && match <= blockSize);
        }
        if (back == 0 || back > end || match > limit - end) {
          throw new ZipException("a match outside of what was unpacked");
        }
        // Byte by byte, because a match may overlap with its own output.
        for (int i = 0; i < match; i++) {
          window[end] = window[end - back];
          end++;
        }
      }
    }

    private int byteAt(int at, int length) throws IOException {
      if (at >= length) {
        throw new ZipException("a block ends too early");
      }
      return packed[at] & BYTE;
    }
  }
}
