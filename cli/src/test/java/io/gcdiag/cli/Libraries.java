package io.gcdiag.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;

/** The libraries of others that go into the merged jar, as the build resolved them. */
final class Libraries {

  /** The build writes it: the run-time class path, a line each. */
  private static final Path RESOLVED = Path.of("target", "libraries.txt");

  private Libraries() {}

  /**
   * One library.
   *
   * @param artifact its name in the repository, such as {@code jackson-core}
   * @param version its version there
   * @param file the jar
   */
  record Library(String artifact, String version, Path file) {

    private static Library of(Path jar) {
      Path version = jar.getParent();
      return new Library(
          version.getParent().getFileName().toString(), version.getFileName().toString(), jar);
    }

    /** The licences and notices in its own jar. */
    List<String> legalTexts() throws IOException {
      try (JarFile jar = new JarFile(file.toFile())) {
        return jar.stream()
            .map(entry -> entry.getName())
            .filter(name -> name.matches("(META-INF/)?[^/]*(LICEN[CS]E|NOTICE|COPYING)[^/]*"))
            .toList();
      }
    }

    byte[] bytes(String entry) throws IOException {
      try (JarFile jar = new JarFile(file.toFile())) {
        return jar.getInputStream(jar.getEntry(entry)).readAllBytes();
      }
    }
  }

  /** All of them; what this project builds itself lies in a {@code target} and is none. */
  static List<Library> all() throws IOException {
    return Files.readAllLines(RESOLVED).stream()
        .filter(line -> line.endsWith(".jar"))
        .map(Path::of)
        .filter(jar -> !jar.getParent().endsWith("target"))
        .map(Library::of)
        .toList();
  }
}
