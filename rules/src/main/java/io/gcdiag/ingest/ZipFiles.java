package io.gcdiag.ingest;

import io.gcdiag.ingest.text.Unpacked;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.ProviderNotFoundException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipException;

/** Zip archives, whose files are read where they lie. They stay open until all is read. */
final class ZipFiles {

  /** An archive of one incident holds some dozen files; this many are looked at. */
  static final int MOST_FILES = 1_000;

  /** Folders inside folders; rotated logs lie in the first or second. */
  private static final int DEEPEST = 16;

  /** What the JDK says of names that lead out of the archive, or that two files have. */
  private static final String LEADING_OUT = "entry name";

  private final Map<FileSystem, Archive> archives = new HashMap<>();

  /** Archives without a list of their files, by the folder into which they were unpacked. */
  private final Map<Path, CutZip> cut = new HashMap<>();

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
    FileSystem system;
    try {
      system = system(file.path());
    } catch (ProviderNotFoundException | ZipException e) {
      if (String.valueOf(e.getMessage()).contains(LEADING_OUT)) {
        throw new IOException("the archive cannot be opened: " + e.getMessage(), e);
      }
      return openCut(file);
    }
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

  /** The list of an archive's files stands at its end: a cut one is read from its beginning. */
  private List<Path> openCut(InputFile file) throws IOException {
    CutZip salvaged = CutZip.unpack(file, MOST_FILES);
    cut.put(salvaged.folder(), salvaged);
    return salvaged.files();
  }

  /** What was lost of an archive that was cut, as a note; empty if it is whole. */
  Optional<String> loss(InputFile archive) {
    return cut.values().stream()
        .filter(one -> one.archive().equals(archive))
        .map(CutZip::loss)
        .findFirst();
  }

  private static FileSystem system(Path archive) throws IOException {
    try {
      return FileSystems.newFileSystem(archive, (ClassLoader) null);
    } catch (InvalidPathException e) {
      throw new IOException("a file in the archive has a name that no file can have", e);
    }
  }

  /** Whether a file lies in an archive. */
  boolean holds(Path path) {
    return archives.containsKey(path.getFileSystem()) || cut.containsKey(path.getParent());
  }

  /** The name of a file in an archive: that of the archive, and its own. */
  InputFile name(Path path) {
    CutZip salvaged = cut.get(path.getParent());
    if (salvaged != null) {
      return new InputFile(path, InputFile.printable(salvaged.name(path)));
    }
    String archive = archives.get(path.getFileSystem()).name();
    return new InputFile(path, InputFile.printable(archive + path.toAbsolutePath()));
  }

  /** Whether unpacking the file would take longer than any real one needs. */
  boolean isBomb(Path path) throws IOException {
    Archive archive = archives.get(path.getFileSystem());
    long size = Files.size(path);
    // Of a cut archive a bomb was not unpacked in the first place.
    return archive != null
        && size > Unpacked.HARMLESS_SIZE
        && size / Unpacked.MOST_SHRUNK > archive.size();
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
    cut.values().forEach(CutZip::delete);
  }
}
