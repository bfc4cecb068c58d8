package io.gcdiag.ingest.text;

import java.io.BufferedInputStream;
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
 * The bytes of a file, out of its packing if it has one. A packed file that is cut or damaged ends
 * where nothing more comes out of it, and one that unpacks to more than any real file does ends
 * there; both are told by {@link #damage()}.
 */
public final class Unpacked extends FilterInputStream {

  /** Logs shrink to a twentieth, dumps to a fiftieth; only a bomb shrinks to less than this. */
  public static final int MOST_SHRUNK = 500;

  /** Below this even a bomb is read in no time, in bytes. */
  public static final long HARMLESS_SIZE = 256L << 20;

  private static final int BUFFER = 64 * 1024;
  private static final int MAGIC = 8;

  private final Counted packed;

  /** In bytes when it was opened; 0 if it is not known. */
  private final long sizeOfFile;

  private long size;
  private String damage;

  private Unpacked(InputStream in, Counted packed, long sizeOfFile) {
    super(in);
    this.packed = packed;
    this.sizeOfFile = sizeOfFile;
  }

  /** Opens a file. */
  public static Unpacked open(Path path) throws IOException {
    return open(Stored.in(path));
  }

  /** Opens a file. */
  public static Unpacked open(Stored file) throws IOException {
    return open(file, any -> {});
  }

  /**
   * Opens a file.
   *
   * @param progress hears how many of its bytes, as they lie there, have been taken
   */
  public static Unpacked open(Stored stored, LongConsumer progress) throws IOException {
    // What lies in an archive cannot change, and may be less than the archive says.
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
  public static Unpacked of(InputStream file) throws IOException {
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

  /** What kept the rest from being read, as a note; empty while all is well. */
  public Optional<String> damage() {
    return Optional.ofNullable(damage);
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
    try {
      int read = super.read(buffer, offset, length);
      size += Math.max(0, read);
      if (read < 0 && packed.ended && packed.count < sizeOfFile) {
        // Rotating logs by copying them cuts the one that is written to.
        damage = "the file became shorter while it was read; what was read before that counts";
      }
      if (size > HARMLESS_SIZE && size / MOST_SHRUNK > packed.count) {
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

  /** Counts what is taken out of the file itself. */
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
}
