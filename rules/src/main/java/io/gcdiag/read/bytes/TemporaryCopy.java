package io.gcdiag.read.bytes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file with the bytes of a stream, for what cannot be opened again: standard input, or a tar
 * archive inside of its packing. Only its owner may read it (where the file system knows owners).
 * It is deleted when it is closed, and when the process ends before that, as by Ctrl-C; only a
 * process that is killed leaves it behind.
 */
public final class TemporaryCopy implements AutoCloseable {

  private static final int BUFFER = 64 * 1024;

  /** The free space of the disk is asked for each time so many bytes were written. */
  private static final long STEP = 1L << 20;

  /** What is left to other programs: a host that runs short must not get a full disk as well. */
  private static final long LEFT_FREE = 256L << 20;

  /** On a small disk, such as one in memory, the part of it that is left to others. */
  private static final int PART_LEFT_FREE = 20;

  private final Path path;
  private final Thread deletion;
  private final long size;

  private TemporaryCopy(InputStream in) throws IOException {
    path = create();
    deletion = new Thread(this::delete, "gcdiag-temporary-copy");
    Runtime.getRuntime().addShutdownHook(deletion);
    try {
      size = fill(in);
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Copies a stream to its end.
   *
   * @throws IOException if it cannot be read, or there is no room for it; the message says where
   *     room was wanted
   */
  public static TemporaryCopy of(InputStream in) throws IOException {
    return new TemporaryCopy(in);
  }

  private static Path create() throws IOException {
    try {
      return Files.createTempFile("gcdiag-", ".tmp");
    } catch (IOException e) {
      throw new IOException("no temporary file can be written to " + folder() + elsewhere(), e);
    }
  }

  private long fill(InputStream in) throws IOException {
    FileStore disk = Files.getFileStore(path);
    byte[] buffer = new byte[BUFFER];
    long leftFree = Math.min(LEFT_FREE, disk.getTotalSpace() / PART_LEFT_FREE);
    long written = 0;
    long asked = 0;
    try (OutputStream out = Files.newOutputStream(path)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (written >= asked) {
          if (disk.getUsableSpace() < leftFree) {
            throw new IOException("too large for the free space of " + folder() + elsewhere());
          }
          asked = written + STEP;
        }
        out.write(buffer, 0, read);
        written += read;
      }
    }
    return written;
  }

  private static String folder() {
    return System.getProperty("java.io.tmpdir");
  }

  private static String elsewhere() {
    return "; name another folder: GCDIAG_JAVA_OPTS=-Djava.io.tmpdir=FOLDER";
  }

  public Path path() {
    return path;
  }

  /** How many bytes it has. */
  public long size() {
    return size;
  }

  private void delete() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // Windows keeps a file that is mapped; it stays in the folder for such files.
      return;
    }
  }

  @Override
  public void close() {
    delete();
    try {
      Runtime.getRuntime().removeShutdownHook(deletion);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook runs.
      return;
    }
  }
}
