package io.gcdiag.read.bytes;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/**
 * A file inside an archive, read from the archive's bytes: a file of a truncated zip, as far as it
 * can be unpacked, or one of a tar.
 *
 * @param at offset of the file's bytes in the archive
 * @param deflated whether they are compressed
 * @param size size of the file in bytes
 */
record ArchiveEntry(Path archive, long at, boolean deflated, long size) implements Stored {

  private static final int BUFFER = 64 * 1024;

  /** A path without steps that lead nowhere, or out of the archive: nothing is written by it. */
  static String path(String name) {
    List<String> steps =
        Arrays.stream(name.split("/"))
            .filter(step -> !step.isEmpty() && !step.equals(".") && !step.equals(".."))
            .toList();
    return steps.isEmpty() ? "?" : String.join("/", steps);
  }

  @Override
  public InputStream open() throws IOException {
    InputStream in = packed();
    return new Beginning(deflated ? new Inflated(in) : in, size);
  }

  /** The archive from the offset of the compressed bytes. */
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

  /** A raw deflate stream, as in zip: without the header of gzip. */
  static final class Inflated extends InflaterInputStream {

    Inflated(InputStream in) {
      super(in, new Inflater(true), BUFFER);
    }

    /** How many compressed bytes were used. */
    long used() {
      return inf.getBytesRead();
    }

    @Override
    public void close() throws IOException {
      inf.end();
      super.close();
    }
  }

  /** The first bytes of a stream, up to a number; others or damage may follow. */
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
