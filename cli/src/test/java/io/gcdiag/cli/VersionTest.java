package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.cli.report.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class VersionTest {

  private static final Path ROOT = Path.of("..");

  @Test
  void namesVersionCommitAndJvm() {
    List<String> lines = Version.lines();

    assertEquals(3, lines.size());
    assertEquals("gcdiag " + Version.number(), lines.get(0));
    assertTrue(
        lines.get(1).matches("commit [0-9a-f]{12,40}(-dirty)?|unknown commit"), lines.get(1));
    assertTrue(
        lines.get(2).startsWith("JVM " + System.getProperty("java.vm.version")), lines.get(2));
  }

  @Test
  void isThatOfTheParentPom() throws Exception {
    Matcher revision =
        Pattern.compile("<revision>(.*)</revision>")
            .matcher(Files.readString(ROOT.resolve("pom.xml")));

    assertTrue(revision.find());
    assertEquals(revision.group(1), Version.number());
  }

  @Test
  void standsInNoOtherBuildFileAndNoLauncher() throws Exception {
    for (Path file :
        Stream.of("cli/pom.xml", "rules/pom.xml", "fixtures/pom.xml", "gcdiag", "gcdiag.cmd")
            .map(ROOT::resolve)
            .toList()) {
      assertTrue(!Files.readString(file).contains(Version.number()), file + " repeats the version");
    }
  }
}
