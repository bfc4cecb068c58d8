package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gcdiag.cli.Libraries.Library;
import io.gcdiag.cli.report.Version;
import io.gcdiag.fixtures.Incidents;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What lies in the merged jar; run behind the packaging. */
class ContentsOfTheJarTest {

  private static final Path JAR = Path.of("target", "gcdiag.jar");

  @Test
  void holdsTheLicenceOfEachLibraryAndItsOwn() throws Exception {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      assertArrayEquals(
          Files.readAllBytes(Path.of("..", "LICENSE")), bytes(jar, "META-INF/LICENSE"));
      assertArrayEquals(Files.readAllBytes(Path.of("..", "NOTICE")), bytes(jar, "META-INF/NOTICE"));
      Set<String> names = names(jar);
      for (Library library : Libraries.all()) {
        String folder = "META-INF/licenses/" + library.artifact() + "/";
        assertTrue(names.stream().anyMatch(name -> name.startsWith(folder + "LICENSE")), folder);
        for (String text : library.legalTexts()) {
          assertArrayEquals(
              library.bytes(text), bytes(jar, folder + text.substring(text.lastIndexOf('/') + 1)));
        }
      }
      assertNotNull(jar.getEntry("io/gcdiag/cli/render/uPlot.LICENSE.txt"));
    }
  }

  @Test
  void holdsEveryClassOfEachLibrary() throws Exception {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      Set<String> names = names(jar);
      for (Library library : Libraries.all()) {
        try (JarFile merged = new JarFile(library.file().toFile())) {
          assertEquals(
              List.of(),
              names(merged).stream()
                  .filter(name -> name.endsWith(".class") && !name.endsWith("module-info.class"))
                  .filter(name -> !names.contains(name))
                  .toList(),
              library.artifact());
        }
      }
    }
  }

  @Test
  void leavesNoLambdaOfOursToBeLinkedAtEachStart() throws Exception {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      for (String name : names(jar)) {
        if (name.startsWith("io/gcdiag/") && name.endsWith(".class")) {
          String code = new String(bytes(jar, name), StandardCharsets.ISO_8859_1);
          assertFalse(code.contains("LambdaMetafactory"), name);
        }
      }
    }
  }

  @Test
  void startsByItself() throws Exception {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      Attributes manifest = jar.getManifest().getMainAttributes();
      assertEquals("io.gcdiag.cli.Main", manifest.getValue(Attributes.Name.MAIN_CLASS));
      assertEquals(Version.number(), manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION));
    }
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                JAR.toString(),
                "--version")
            .redirectErrorStream(true)
            .start();
    String answer = new String(process.getInputStream().readAllBytes());

    assertEquals(0, process.waitFor(), answer);
    assertEquals(Version.lines().subList(0, 2), answer.lines().limit(2).toList());
  }

  /** Without the launcher, which would ask the terminal for it. */
  @Test
  void knowsTheScreenByItself() throws Exception {
    assumeTrue(LauncherCheckout.onPath("script").isPresent(), "script is not installed");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Path log = Incidents.folder("orders-small-heap").resolve("gc.log.gz").toAbsolutePath();
    String command = "'%s' -jar '%s' analyze '%s' --color never".formatted(java, JAR, log);
    String whole = saidBy("sh", "-c", command + " 2> /dev/null");
    String screen =
        saidBy("script", "-qec", "stty rows 24 cols 80; " + command + " --no-progress", "/dev/null")
            .replace("\r", "");
    assertTrue(whole.lines().count() > 24, whole);
    assertTrue(screen.lines().count() <= 22, screen);
    assertTrue(screen.lines().allMatch(line -> line.length() <= 80), screen);
    assertEquals(whole.lines().findFirst(), screen.lines().findFirst());
  }

  private static String saidBy(String... command) throws Exception {
    Process process = new ProcessBuilder(command).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said;
  }

  private static Set<String> names(JarFile jar) {
    try (Stream<String> names = jar.stream().map(entry -> entry.getName())) {
      return names.collect(Collectors.toSet());
    }
  }

  private static byte[] bytes(JarFile jar, String name) throws Exception {
    assertNotNull(jar.getEntry(name), name);
    return jar.getInputStream(jar.getEntry(name)).readAllBytes();
  }
}
