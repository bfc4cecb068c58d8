package io.gcdiag.read.bytes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tar archives. Files of an uncompressed archive on disk are read in place. A compressed one is
 * unpacked into a temporary copy first, because each of its files is opened several times and gzip
 * can be read only from its beginning.
 */
public final class TarFiles {

  private final List<TemporaryCopy> copies = new ArrayList<>();
  private final Map<InputFile, String> losses = new HashMap<>();

  /** Whether a file is a tar archive, compressed or not. */
  public static boolean isTar(FileHead head) {
    return TarHeader.begins(head.bytes());
  }

  /**
   * Opens an archive.
   *
   * @param packed whether it is compressed as a whole
   * @param progress receives the progress of unpacking
   * @return its files by name
   * @throws IOException if it cannot be read
   */
  public List<TarIndex.Entry> open(InputFile archive, Path path, boolean packed, Progress progress)
      throws IOException {
    Optional<String> damage = Optional.empty();
    Path tar = path;
    if (packed) {
      try (Unpacked in = archive.open(progress)) {
        TemporaryCopy copy = TemporaryCopy.of(in);
        copies.add(copy);
        tar = copy.path();
        damage = in.damage();
      }
    }
    TarIndex index = TarIndex.of(tar, ZipFiles.MOST_FILES);
    loss(index.loss(), damage).ifPresent(loss -> losses.put(archive, loss));
    return List.copyOf(index.entries());
  }

  private static Optional<String> loss(Optional<String> ofFiles, Optional<String> ofPacking) {
    return ofFiles
        .map(files -> files + ofPacking.map(packing -> " (" + packing + ")").orElse(""))
        .or(() -> ofPacking);
  }

  /** What could not be read of an archive, as a note; empty if nothing is missing. */
  public Optional<String> loss(InputFile archive) {
    return Optional.ofNullable(losses.get(archive));
  }

  /** Deletes the copies; files of compressed archives can no longer be read. */
  public void close() {
    copies.forEach(TemporaryCopy::close);
  }
}
