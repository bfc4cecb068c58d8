package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.cli.Libraries.Library;
import io.gcdiag.cli.report.Version;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What lies in the packages, where the profile {@code dist} made them. */
@EnabledIfSystemProperty(named = "gcdiag.dist", matches = "true")
class PackagesOfTheJarTest {

  private static final Path DIST = Path.of("target", "dist");
  private static final String NAME = "gcdiag-" + Version.number();

  @Test
  void theBillOfMaterialsListsEveryLibraryInTheJarAndNoOther() throws Exception {
    Map<String, String> expected = new TreeMap<>(Map.of("gcdiag-core", Version.number()));
    for (Library library : Libraries.all()) {
      expected.put(library.artifact(), library.version());
    }
    String script =
        Files.readString(Path.of("src/main/resources/io/gcdiag/cli/render/uPlot.iife.min.js"));
    expected.put("uPlot", script.substring(script.indexOf("(v") + 2, script.indexOf(')')));

    Map<String, String> listed = new TreeMap<>();
    JsonNode bom = new ObjectMapper().readTree(entry("gcdiag.cdx.json"));
    bom.get("components")
        .forEach(part -> listed.put(part.get("name").asText(), part.get("version").asText()));

    assertEquals(expected, listed);
    assertEquals(Version.number(), bom.at("/metadata/component/version").asText());
  }

  @Test
  void everyLibraryHasItsLicence() throws Exception {
    Set<String> names = names();

    for (Library library : Libraries.all()) {
      String folder = NAME + "/licenses/" + library.artifact() + "/LICENSE";
      assertTrue(names.stream().anyMatch(name -> name.startsWith(folder)), folder);
    }
    assertTrue(names.contains(NAME + "/licenses/uPlot/LICENSE"), names::toString);
    assertEquals(
        Files.readString(Path.of("..", "LICENSE")),
        new String(entry("LICENSE"), StandardCharsets.UTF_8));
  }

  @Test
  void thePackageHoldsWhatItsReadMePromises() throws Exception {
    Set<String> names = names();

    for (String file :
        Set.of(
            "gcdiag",
            "gcdiag.cmd",
            "README.md",
            "NOTICE",
            "lib/gcdiag.jar",
            "man/man1/gcdiag.1",
            "man/man1/gcdiag-analyze.1",
            "completions/gcdiag.bash",
            "completions/_gcdiag",
            "completions/gcdiag.fish",
            "examples/pool-queue-small-heap/recording.jfr")) {
      assertTrue(names.contains(NAME + "/" + file), file);
    }
  }

  @Test
  void checksumsAreThoseOfThePackages() throws Exception {
    for (String line : Files.readAllLines(DIST.resolve("SHA256SUMS"))) {
      String[] parts = line.split("  ");
      byte[] sum =
          MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(DIST.resolve(parts[1])));
      assertEquals(parts[0], HexFormat.of().formatHex(sum), parts[1]);
    }
  }

  private static Set<String> names() throws IOException {
    try (ZipFile zip = zip()) {
      Set<String> names = new TreeSet<>();
      zip.stream().map(ZipEntry::getName).forEach(names::add);
      return names;
    }
  }

  private static byte[] entry(String name) {
    try (ZipFile zip = zip()) {
      return zip.getInputStream(zip.getEntry(NAME + "/" + name)).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ZipFile zip() throws IOException {
    return new ZipFile(DIST.resolve(NAME + ".zip").toFile());
  }
}
