package io.gcdiag.read.bytes;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The bytes of a file, wherever they lie. Can be opened again and again. */
public interface Stored {

  /** Opens it at its beginning. */
  InputStream open() throws IOException;

  /** How many bytes there are. */
  long size() throws IOException;

  /** The file of the disk that holds these bytes and nothing else; empty if there is none. */
  default Optional<Path> onDisk() {
    return Optional.empty();
  }

  /** Those of a file on the disk, or inside of an archive that is open. */
  static Stored in(Path path) {
    return new InPath(path);
  }

  /** What a path leads to. */
  record InPath(Path path) implements Stored {

    /**
     * A file without a size is never read: those of the kernel, as in {@code /proc}, have none and
     * lie on a store without space. One of them waits for its next message.
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
    public Optional<Path> onDisk() {
      return Optional.of(path).filter(any -> any.getFileSystem().equals(FileSystems.getDefault()));
    }
  }
}
