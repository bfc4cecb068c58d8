package io.gcdiag.read.bytes;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/**
 * A file inside of an archive, read from the archive's own bytes: one of a zip that is cut, as far
 * as it could be unpacked, or one of a tar.
 *
 * @param archive the archive
 * @param at where the file's bytes begin in the archive
 * @param deflated whether they are packed
 * @param size how many bytes the file has
 */
record ArchiveEntry(Path archive, long at, boolean deflated, long size) implements Stored {

  private static final int BUFFER = 64 * 1024;

  @Override
  public InputStream open() throws IOException {
    InputStream in = packed();
    return new Beginning(deflated ? new Inflated(in) : in, size);
  }

  /** The archive from where the packed bytes begin. */
  private InputStream packed() throws IOException {
    InputStream in = Files.newInputStream(archive);
    try {
      in.skipNBytes(at);
      return in;
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /** Bytes packed as zip does it: without the header that gzip has. */
  static final class Inflated extends InflaterInputStream {

    Inflated(InputStream in) {
      super(in, new Inflater(true), BUFFER);
    }

    /** How many packed bytes were used. */
    long used() {
      return inf.getBytesRead();
    }

    @Override
    public void close() throws IOException {
      inf.end();
      super.close();
    }
  }

  /** So many bytes of a stream, behind which there may be others or damage. */
  private static final class Beginning extends FilterInputStream {
    private long left;

    Beginning(InputStream in, long length) {
      super(in);
      left = length;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      if (left == 0 && length > 0) {
        return -1;
      }
      int read = super.read(buffer, offset, (int) Math.min(left, length));
      left -= Math.max(0, read);
      return read;
    }

    @Override
    public long skip(long count) throws IOException {
      long skipped = super.skip(Math.min(left, count));
      left -= skipped;
      return skipped;
    }

    @Override
    public boolean markSupported() {
      return false;
    }
  }
}
