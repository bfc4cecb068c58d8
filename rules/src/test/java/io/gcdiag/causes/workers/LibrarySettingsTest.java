package io.gcdiag.causes.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each setting of a library that an edit names is in the page of those that were looked up. */
class LibrarySettingsTest {

  private static final Path SOURCES = Path.of("src/main/java/io/gcdiag");
  private static final Path SETTINGS =
      Path.of("src/main/resources/io/gcdiag/causes/workers/library-settings.txt");
  private static final Path PAGE = Path.of("../docs/reference/library-settings.md");

  /** Properties of frameworks, setters, and constructors, as literals of the sources. */
  private static final Pattern SETTING =
      Pattern.compile(
          "\"((?:spring|quarkus|server|micronaut|datasources|dubbo|log4j2)(?:\\.[\\w-]+){1,6}"
              + "|(?:[A-Z]\\w+\\.)+(?:set[A-Z]\\w+|maxSize)|new [A-Z]\\w+|[\\w ]+ (?:task-)?max-?[tT]hreads)\"");

  @Test
  void eachSettingThatAnEditNamesIsOnThePage() throws IOException {
    Set<String> named = new TreeSet<>();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path file :
          files
              .filter(file -> file.toString().matches(".*(Cause|Edits|Settings?)\\.java"))
              .toList()) {
        Matcher matcher = SETTING.matcher(Files.readString(file));
        while (matcher.find()) {
          named.add(matcher.group(1));
        }
      }
    }
    for (String line : Files.readAllLines(SETTINGS)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        Stream.of(line.split("\t")).skip(3).map(one -> one.split("=")[0]).forEach(named::add);
      }
    }
    assertTrue(named.size() > 40, () -> "settings were found: " + named);
    String page = Files.readString(PAGE);
    named.removeIf(setting -> page.contains("`" + setting + "`"));
    assertEquals(Set.of(), named);
  }
}
