package io.gcdiag.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The changelog is for users: released versions, known kinds of change, one line an entry. */
class ChangelogTest {

  private static final int LONGEST_ENTRY = 142;
  private static final Set<String> KINDS =
      Set.of("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security");
  private static final String RELEASE = "## \\[\\d+\\.\\d+\\.\\d+] - \\d{4}-\\d{2}-\\d{2}";

  private static List<String> lines() throws IOException {
    return Files.readAllLines(Pages.ROOT.resolve("CHANGELOG.md"));
  }

  @Test
  void everyEntryIsOneLineBelowItsKind() throws IOException {
    List<String> wrong = new ArrayList<>();
    boolean inKind = false;
    boolean begun = false;
    for (String line : lines()) {
      if (line.startsWith("## ")) {
        begun = true;
        inKind = false;
        if (!line.equals("## [Unreleased]") && !line.matches(RELEASE)) {
          wrong.add("no version with a date: " + line);
        }
      } else if (line.startsWith("### ")) {
        inKind = true;
        if (!KINDS.contains(line.substring(4))) {
          wrong.add("no kind of change: " + line);
        }
      } else if (begun && !line.isBlank()) {
        if (!inKind || !line.startsWith("- ")) {
          wrong.add("neither an entry nor below a kind of change: " + line);
        } else if (line.length() > LONGEST_ENTRY) {
          wrong.add(line.length() + " characters: " + line);
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void noKindStandsTwiceInAVersion() throws IOException {
    Set<String> seen = new TreeSet<>();
    String version = "";
    for (String line : lines()) {
      version = line.startsWith("## ") ? line : version;
      if (line.startsWith("### ")) {
        assertTrue(seen.add(version + line), version + " has two sections " + line);
      }
    }
  }

  @Test
  void theVersionOfTheBuildIsThere() throws IOException {
    String pom = Files.readString(Pages.ROOT.resolve("pom.xml"));
    // A development version is described under "Unreleased".
    String version = versionOf(pom);
    String heading = version.endsWith("-SNAPSHOT") ? "## [Unreleased]" : "## [" + version + "] - ";
    assertTrue(
        lines().stream().anyMatch(line -> line.startsWith(heading)),
        "CHANGELOG.md has no section " + heading);
  }

  private static String versionOf(String pom) {
    String written =
        pom.replaceFirst("(?s).*?<artifactId>gcdiag(-parent)?</artifactId>\\s*<version>", "")
            .replaceFirst("(?s)</version>.*", "");
    return written.equals("${revision}")
        ? pom.replaceFirst("(?s).*?<revision>", "").replaceFirst("(?s)</revision>.*", "")
        : written;
  }
}
