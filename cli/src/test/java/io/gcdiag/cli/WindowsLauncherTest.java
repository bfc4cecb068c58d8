package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The bytes of {@code gcdiag.cmd}: what Windows' command interpreter stumbles over. */
class WindowsLauncherTest {

  /** The interpreter's limit for a line, with all variables in it replaced. */
  private static final int MOST_IN_A_LINE = 8_191;

  private static String script() throws Exception {
    return Files.readString(Path.of("..", "gcdiag.cmd"), StandardCharsets.US_ASCII);
  }

  private static Set<String> found(String pattern) throws Exception {
    return Pattern.compile(pattern, Pattern.MULTILINE)
        .matcher(script())
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toSet());
  }

  /** With line feeds alone it looks for labels at the wrong places. */
  @Test
  void linesEndAsOnWindows() throws Exception {
    String script = script();
    assertFalse(script.replace("\r\n", "").matches("(?s).*[\r\n].*"));
    assertTrue(script.endsWith("\r\n"));
    assertTrue(script.lines().allMatch(line -> line.length() < MOST_IN_A_LINE / 2));
  }

  /** A character beyond ASCII is another one in each code page. */
  @Test
  void itIsAscii() throws Exception {
    for (byte one : Files.readAllBytes(Path.of("..", "gcdiag.cmd"))) {
      assertTrue(one > 0);
    }
  }

  @Test
  void eachLabelThatIsCalledIsThereOnce() throws Exception {
    Set<String> called = found("(?:goto |call :)([a-z]+)");
    assertEquals(found("^:([a-z]+)"), called);
    assertEquals(called.size(), script().lines().filter(line -> line.startsWith(":")).count());
  }

  /** A path with "&" or a bracket would be cut in two outside of quotes. */
  @Test
  void pathsStandInQuotes() throws Exception {
    Pattern path =
        Pattern.compile("%(?:HOME_DIR|JAR|JAVA_EXE|JAVAC_EXE|LOG|LOG_DIR|HISTORY|LOCALAPPDATA)%");
    for (String line : script().lines().filter(line -> !line.startsWith("rem ")).toList()) {
      Matcher named = path.matcher(line);
      while (named.find()) {
        long quotes = line.substring(0, named.start()).chars().filter(c -> c == '"').count();
        assertEquals(1, quotes % 2, line);
      }
      assertFalse(line.contains("echo gcdiag: %"), line);
    }
  }

  /** What it tells the program is what the program asks for. */
  @Test
  void itsPropertiesAreThoseOfTheProgram() throws Exception {
    String main =
        Files.readString(Path.of("src", "main", "java", "io", "gcdiag", "cli", "Main.java"));
    for (String property : found("-D(gcdiag[a-z.]+)")) {
      assertTrue(main.contains('"' + property + '"'), property);
    }
  }
}
