package io.gcdiag.read.bytes;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipException;

/**
 * Unpacks the frame format of LZ4 (version 1), one frame after another. Checksums are not checked,
 * because damage shows in the result.
 *
 * <p>A frame is a magic number, flags, block size, then blocks of a length and data until a length
 * of 0; numbers are little-endian. Written from the published description of the format.
 */
final class Lz4Frames extends InputStream {

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
