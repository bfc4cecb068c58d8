package io.gcdiag.ingest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Zip archives, whose files are read where they lie. They stay open until all is read. */
final class ZipFiles {

  /** An archive of one incident holds some dozen files; this many are looked at. */
  static final int MOST_FILES = 1_000;

  /** Folders inside folders; rotated logs lie in the first or second. */
  private static final int DEEPEST = 16;

  /** Logs shrink to a twentieth, dumps to a fiftieth; only a bomb shrinks to less than this. */
  private static final int MOST_SHRUNK = 500;

  /** Below this even a bomb is read in no time. */
  private static final long HARMLESS_SIZE = 256L << 20;

  private final Map<FileSystem, Archive> archives = new HashMap<>();

  private record Archive(String name, long size) {}

  /** Whether a file is a zip archive, which begins with its first file or, if empty, its end. */
  static boolean isZip(Head head) {
    return head.startsWith('P', 'K', 3, 4) || head.startsWith('P', 'K', 5, 6);
  }

  /**
   * Opens an archive.
   *
   * @param file the archive
   * @return its files by name, none of them hidden
   * @throws IOException if it cannot be read
   */
  List<Path> open(InputFile file) throws IOException {
    FileSystem system = FileSystems.newFileSystem(file.path(), (ClassLoader) null);
    archives.put(system, new Archive(file.name(), Files.size(file.path())));
    List<Path> found = new ArrayList<>();
    for (Path root : system.getRootDirectories()) {
      try (Stream<Path> entries = Files.walk(root, DEEPEST)) {
        entries.filter(Files::isRegularFile).limit(MOST_FILES).forEach(found::add);
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
    found.sort(null);
    return found;
  }

  /** Whether a file lies in an archive. */
  boolean holds(Path path) {
    return archives.containsKey(path.getFileSystem());
  }

  /** The name of a file in an archive: that of the archive, and its own. */
  InputFile name(Path path) {
    String archive = archives.get(path.getFileSystem()).name();
    return new InputFile(path, InputFile.printable(archive + path.toAbsolutePath()));
  }

  /** Whether unpacking the file would take longer than any real one needs. */
  boolean isBomb(Path path) throws IOException {
    long size = Files.size(path);
    return size > HARMLESS_SIZE && size / MOST_SHRUNK > archives.get(path.getFileSystem()).size();
  }

  /** Closes the archives; their files can no longer be read. */
  void close() {
    for (FileSystem system : archives.keySet()) {
      try {
        system.close();
      } catch (IOException e) {
        // All that was wanted of it has been read.
        continue;
      }
    }
  }
}
