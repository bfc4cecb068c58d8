package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.cli.Libraries.Library;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The licence and the notice of each library that is shipped are shipped with it. */
class LicencesTest {

  private static final Path LICENCES = Path.of("src", "main", "resources", "META-INF", "licenses");

  @Test
  void everyLibraryHasItsLicenceAndNoOther() throws Exception {
    Set<String> shipped =
        Libraries.all().stream()
            .map(Library::artifact)
            .collect(Collectors.toCollection(TreeSet::new));

    assertTrue(shipped.contains("jackson-core"), shipped::toString);
    assertEquals(shipped, names(LICENCES));
    for (String library : shipped) {
      assertTrue(
          names(LICENCES.resolve(library)).stream().anyMatch(name -> name.startsWith("LICENSE")),
          library + " has no licence in " + LICENCES);
    }
  }

  @Test
  void licencesAndNoticesAreThoseInTheLibraries() throws Exception {
    for (Library library : Libraries.all()) {
      for (String text : library.legalTexts()) {
        Path copy =
            LICENCES.resolve(library.artifact()).resolve(text.substring(text.lastIndexOf('/') + 1));
        assertTrue(Files.exists(copy), copy + " is missing; copy it from " + library.file());
        assertArrayEquals(
            library.bytes(text),
            Files.readAllBytes(copy),
            copy + " differs from the one in " + library.file());
      }
    }
  }

  @Test
  void theProjectItselfIsUnderTheApacheLicence() throws Exception {
    String licence = Files.readString(Path.of("..", "LICENSE"));

    assertTrue(licence.contains("Apache License"), licence);
    assertTrue(licence.contains("Version 2.0, January 2004"), licence);
    assertTrue(licence.contains("END OF TERMS AND CONDITIONS"), licence);
    assertTrue(
        Files.readString(Path.of("..", "pom.xml")).contains("<name>Apache-2.0</name>"),
        "the pom names another licence");
  }

  private static Set<String> names(Path folder) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
