package io.gcdiag.read;

import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.bytes.Unpacked;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** What fuzzing starts from: small cuts of the sample files. */
public final class Seeds {

  /** Short inputs are mutated most often where it matters, and libFuzzer's own limit is 4,096. */
  private static final int LENGTH = 3_000;

  private Seeds() {}

  /** The beginnings of all samples of a folder whose names contain one of the words. */
  static Stream<byte[]> of(String folder, String... words) {
    return samples(folder, words).map(sample -> head(unpacked(sample)));
  }

  /** The files of a folder of samples whose names contain one of the words; all without words. */
  static Stream<Path> samples(String folder, String... words) {
    Path readme = SampleFiles.file("README.md");
    try (Stream<Path> files = Files.list(readme.resolveSibling(folder))) {
      List<Path> found =
          files
              .filter(
                  file ->
                      words.length == 0
                          || Arrays.stream(words).anyMatch(file.getFileName().toString()::contains))
              .sorted()
              .toList();
      if (found.isEmpty()) {
        throw new IllegalArgumentException("no sample in " + folder + " " + List.of(words));
      }
      return found.stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The content of a file, out of its gzip wrapping if it has one. */
  public static byte[] unpacked(Path file) {
    try (InputStream in = Unpacked.open(file)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] head(byte[] content) {
    return Arrays.copyOf(content, Math.min(LENGTH, content.length));
  }

  public static byte[] gzip(byte[] content) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  public static byte[] zip(String name, byte[] content) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(packed)) {
      zip.putNextEntry(new ZipEntry(name));
      zip.write(content);
      zip.closeEntry();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }
}
