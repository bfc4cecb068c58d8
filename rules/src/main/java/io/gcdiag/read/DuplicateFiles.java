package io.gcdiag.read;

import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.Stored;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Files of the same content: counted twice, they would double every figure. */
final class DuplicateFiles {

  /** Files of one size and beginning are compared in pieces of so many bytes. */
  private static final int COMPARED = 64 * 1024;

  /** By what tells files apart at once: thousands of them may have one size. */
  private final Map<Look, List<InputFile>> byLook = new HashMap<>();

  /** The size of a file and a hash of its beginning. */
  private record Look(long size, int head) {}

  /** The file asked for before that has the same content as this one; else this one is kept. */
  Optional<InputFile> of(InputFile file, FileHead head) {
    try {
      Look look = new Look(file.bytes().size(), Arrays.hashCode(head.bytes()));
      List<InputFile> alike = byLook.computeIfAbsent(look, any -> new ArrayList<>());
      for (InputFile earlier : alike) {
        if (isSame(file.bytes(), earlier.bytes())) {
          return Optional.of(earlier);
        }
      }
      alike.add(file);
    } catch (IOException e) {
      // What cannot be read is no twin; reading it will say why.
      return Optional.empty();
    }
    return Optional.empty();
  }

  private static boolean isSame(Stored one, Stored other) throws IOException {
    try (InputStream first = one.open();
        InputStream second = other.open()) {
      byte[] some = first.readNBytes(COMPARED);
      while (some.length > 0 && Arrays.equals(some, second.readNBytes(COMPARED))) {
        some = first.readNBytes(COMPARED);
      }
      return some.length == 0 && second.read() < 0;
    }
  }
}
