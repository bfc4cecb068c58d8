package io.gcdiag.read.bytes;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** The bytes of a file, wherever they are stored. Can be opened repeatedly. */
public interface Stored {

  InputStream open() throws IOException;

  /** Size in bytes. */
  long size() throws IOException;

  /** The file on disk that contains exactly these bytes; empty if there is none. */
  default Optional<Path> onDisk() {
    return Optional.empty();
  }

  /** When it was last written, by the file system or the archive; empty if neither says so. */
  default Optional<Instant> written() {
    return Optional.empty();
  }

  /** A file on disk, or inside an open archive. */
  static Stored in(Path path) {
    return new InPath(path);
  }

  record InPath(Path path) implements Stored {

    /**
     * Files without a size are never read. The kernel's files, as in {@code /proc}, have none and
     * are on a file store without space; reading one of them waits for its next message.
     */
    @Override
    public InputStream open() throws IOException {
      if (size() > 0) {
        return Files.newInputStream(path);
      }
      if (onDisk().isPresent() && Files.getFileStore(path).getTotalSpace() == 0) {
        throw new IOException("not a regular file; save its content to a file first");
      }
      return InputStream.nullInputStream();
    }

    @Override
    public long size() throws IOException {
      return Files.size(path);
    }

    @Override
    public Optional<Instant> written() {
      try {
        return Optional.of(Files.getLastModifiedTime(path).toInstant())
            .filter(at -> at.isAfter(Instant.EPOCH) && CredibleTime.is(at));
      } catch (IOException e) {
        return Optional.empty();
      }
    }

    @Override
    public Optional<Path> onDisk() {
      return Optional.of(path).filter(any -> any.getFileSystem().equals(FileSystems.getDefault()));
    }
  }
}
