package io.gcdiag.ingest;

import io.gcdiag.ingest.text.Unpacked;
import io.gcdiag.units.Numbers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * A zip archive whose end is missing, and with it the list of its files. Each file in it has a
 * header of its own: they are unpacked one after another, up to the cut, into a temporary folder.
 */
final class CutZip {

  private static final int BUFFER = 64 * 1024;

  /** Larger files exist; who packed one knows how to unpack it. */
  private static final long LARGEST_UNPACKED = 16L << 30;

  private final InputFile archive;
  private final Path folder;
  private final long packedSize;

  /** The names that the files have in the archive. */
  private final Map<Path, String> names = new LinkedHashMap<>();

  private Optional<String> unfinished = Optional.empty();
  private long unpacked;

  private CutZip(InputFile archive, Path folder, long packedSize) {
    this.archive = archive;
    this.folder = folder;
    this.packedSize = packedSize;
  }

  /**
   * Unpacks what there is.
   *
   * @param most files are looked at
   * @throws IOException if not even one file is there
   */
  static CutZip unpack(InputFile archive, int most) throws IOException {
    CutZip zip =
        new CutZip(archive, Files.createTempDirectory("gcdiag-zip"), Files.size(archive.path()));
    try (InputStream in = Files.newInputStream(archive.path());
        ZipInputStream entries = new ZipInputStream(in)) {
      zip.unpack(entries, most);
    } catch (IOException | IllegalArgumentException e) {
      // What has come out so far is all there is.
      zip.unfinished = zip.unfinished.or(() -> Optional.of("a file"));
    }
    if (zip.unpacked == 0) {
      zip.delete();
      throw new IOException(
          "the archive is cut or damaged, and nothing can be unpacked from its beginning");
    }
    return zip;
  }

  private void unpack(ZipInputStream entries, int most) throws IOException {
    byte[] buffer = new byte[BUFFER];
    for (ZipEntry entry = entries.getNextEntry();
        entry != null && names.size() < most;
        entry = entries.getNextEntry()) {
      if (entry.isDirectory()) {
        continue;
      }
      Path file = folder.resolve(Integer.toString(names.size()));
      names.put(file, entry.getName());
      unfinished = Optional.of(entry.getName());
      try (OutputStream out = Files.newOutputStream(file)) {
        for (int read = entries.read(buffer); read > 0; read = entries.read(buffer)) {
          unpacked += read;
          if (isTooMuch()) {
            throw new IOException("unpacks to far more than any log or dump");
          }
          out.write(buffer, 0, read);
        }
      }
      unfinished = Optional.empty();
    }
  }

  private boolean isTooMuch() {
    boolean bomb =
        unpacked > Unpacked.HARMLESS_SIZE && unpacked / Unpacked.MOST_SHRUNK > packedSize;
    return bomb || unpacked > LARGEST_UNPACKED;
  }

  InputFile archive() {
    return archive;
  }

  Path folder() {
    return folder;
  }

  /** The unpacked files, the last of which may be cut. */
  List<Path> files() {
    return new ArrayList<>(names.keySet());
  }

  /** A file's name: that of the archive, and its own. */
  String name(Path file) {
    return archive.name() + "/" + names.get(file);
  }

  /** What was lost, as a note. */
  String loss() {
    int whole = names.size() - (unfinished.isPresent() ? 1 : 0);
    return "the archive is cut or damaged: "
        + Numbers.count(whole)
        + (whole == 1 ? " file of it is" : " files of it are")
        + " whole"
        + unfinished
            .map(name -> ", of " + InputFile.printable(name) + " what came before the damage")
            .orElse("")
        + "; what stood behind is lost";
  }

  /** Removes the unpacked files. */
  void delete() {
    try {
      for (Path file : names.keySet()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      // They lie where the system clears up.
      return;
    }
  }
}
