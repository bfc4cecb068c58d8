package io.gcdiag.read.bytes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.ProviderNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipException;

/** Zip archives, whose files are read where they lie. They stay open until all is read. */
public final class ZipFiles {

  /** An archive of one incident holds some dozen files; this many are looked at. */
  static final int MOST_FILES = 1_000;

  /** Folders inside folders; rotated logs lie in the first or second. */
  private static final int DEEPEST = 16;

  /** What the JDK says of names that lead out of the archive, or that two files have. */
  private static final String LEADING_OUT = "entry name";

  /**
   * What it says of the names {@code .} and {@code ..}; they lead nowhere where nothing is written.
   */
  private static final String STEP = "element in its name";

  private final List<FileSystem> archives = new ArrayList<>();

  private final List<CutZip> cut = new ArrayList<>();

  /**
   * A file in an archive.
   *
   * @param file the file, by the archive's name and its own
   * @param bomb whether unpacking it would take longer than any real one needs
   */
  public record Member(InputFile file, boolean bomb) {}

  /** Whether a file is a zip archive, which begins with its first file or, if empty, its end. */
  public static boolean isZip(FileHead head) {
    return head.startsWith('P', 'K', 3, 4) || head.startsWith('P', 'K', 5, 6);
  }

  /**
   * Opens an archive.
   *
   * @return its files by name
   * @throws IOException if it cannot be read
   */
  public List<Member> open(InputFile archive, Path path) throws IOException {
    FileSystem system;
    try {
      system = system(path);
    } catch (ProviderNotFoundException | ZipException e) {
      if (String.valueOf(e.getMessage()).contains(LEADING_OUT)) {
        throw new IOException("the archive cannot be opened: " + e.getMessage(), e);
      }
      // The list of files is at the archive's end; a truncated archive is read from its beginning.
      CutZip salvaged = CutZip.of(archive, path, MOST_FILES);
      boolean stepsAlone = String.valueOf(e.getMessage()).contains(STEP) && salvaged.isWhole();
      if (!stepsAlone) {
        cut.add(salvaged);
      }
      return salvaged.files.stream().map(file -> new Member(file, false)).toList();
    }
    archives.add(system);
    List<Path> found = new ArrayList<>();
    for (Path root : system.getRootDirectories()) {
      try (Stream<Path> entries = Files.walk(root, DEEPEST)) {
        entries.filter(Files::isRegularFile).limit(MOST_FILES).forEach(found::add);
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
    found.sort(null);
    List<Member> members = new ArrayList<>();
    for (Path one : found) {
      String name = InputFile.printable(archive.name() + one.toAbsolutePath());
      members.add(
          new Member(new InputFile(one, name), Unpacked.isBomb(Files.size(one), Files.size(path))));
    }
    return members;
  }

  /** What a truncated archive lost, as a note; empty if it is complete. */
  public Optional<String> loss(InputFile archive) {
    return cut.stream().filter(one -> one.archive.equals(archive)).map(CutZip::loss).findFirst();
  }

  private static FileSystem system(Path archive) throws IOException {
    try {
      return FileSystems.newFileSystem(archive, (ClassLoader) null);
    } catch (InvalidPathException e) {
      throw new IOException("a file in the archive has a name that no file can have", e);
    } catch (ProviderNotFoundException e) {
      throw e;
    } catch (RuntimeException e) {
      // The JDK's own reader of archives, which checks less than it relies on.
      throw new IOException("the archive cannot be opened: " + e.getMessage(), e);
    }
  }

  /** Closes the archives; their files can no longer be read. */
  public void close() {
    for (FileSystem system : archives) {
      try {
        system.close();
      } catch (IOException e) {
        // All that was wanted of it has been read.
        continue;
      }
    }
  }
}
