package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tables that tests make: those of a page between two marks, and rows too many for a page below
 * {@code target/tables}.
 */
final class TablePage {

  private static final String START = "<!-- tables:start -->\n";
  private static final String END = "<!-- tables:end -->";

  private TablePage() {}

  /** A page below {@code docs}. */
  static Path docs(String name) {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null && !Files.isDirectory(folder.resolve("docs"))) {
      folder = folder.getParent();
    }
    return (folder == null ? Path.of("") : folder).resolve("docs").resolve(name);
  }

  /** Asks that the page has these tables, or writes them with {@code -Dapprove}. */
  static void check(String name, String tables) throws IOException {
    Path file = docs(name);
    String page = Files.readString(file);
    int from = page.indexOf(START) + START.length();
    String renewed = page.substring(0, from) + tables + page.substring(page.indexOf(END));
    if (System.getProperty("approve") != null) {
      Files.writeString(file, renewed);
      return;
    }
    assertEquals(
        page, renewed, () -> file + " is stale; read the change, then ./mvnw -B verify -Dapprove");
  }

  /** Leaves a text for who wants to read row by row. */
  static void write(String name, String text) throws IOException {
    Path folder = Files.createDirectories(Path.of("target", "tables"));
    Files.writeString(folder.resolve(name), text);
  }
}
