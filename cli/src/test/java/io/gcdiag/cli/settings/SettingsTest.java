package io.gcdiag.cli.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gcdiag.cli.settings.Settings.Folders;
import io.gcdiag.cli.settings.Settings.Setting;
import io.gcdiag.cli.settings.Settings.SettingsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which settings files are read, what may stand in them, and which value counts. */
class SettingsTest {

  @TempDir Path folder;

  private Path incident;
  private Path working;
  private Path user;

  @BeforeEach
  void makeFolders() throws IOException {
    incident = Files.createDirectory(folder.resolve("incident"));
    working = Files.createDirectory(folder.resolve("working"));
    user = Files.createDirectory(folder.resolve("user"));
  }

  private static void write(Path where, String... lines) {
    try {
      Files.write(where.resolve("gcdiag.properties"), List.of(lines));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> read(Path... inputs) {
    return Settings.read(List.of(inputs), new Folders(Optional.of(working), Optional.of(user)))
        .all()
        .stream()
        .map(Setting::text)
        .toList();
  }

  private String failure() {
    return assertThrows(SettingsException.class, () -> read(incident)).getMessage();
  }

  @Test
  void theNearestFileWinsKeyByKey() {
    write(user, "pool-size = 10", "hold = 5ms", "format = json");
    write(working, "pool-size = 20", "hold = 6ms");
    write(incident, "pool-size = 30");
    assertEquals(List.of("format = json", "hold = 6ms", "pool-size = 30"), read(incident));
    assertEquals(List.of("format = json", "hold = 6ms", "pool-size = 20"), read());
  }

  @Test
  void withoutFilesNothingIsSet() {
    assertEquals(List.of(), read(incident, folder.resolve("missing"), Path.of("-")));
  }

  @Test
  void commentsBlankLinesMarksAndLineEndsAreNoIncident() throws IOException {
    Files.writeString(
        incident.resolve("gcdiag.properties"),
        "\uFEFF# sizes\r\n\r\n   pool-size=10   \r\n#hold = 5ms\r\n"
            + "map = a=pool-pending\r\nmap=b\\c = pool-active");
    assertEquals(
        List.of("map = a=pool-pending, b\\c = pool-active", "pool-size = 10"), read(incident));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '"',
      value = {
        "pool-sise = 10 # unknown key 'pool-sise'; did you mean pool-size? accepted are ascii, color",
        "pool_size = 10 # did you mean pool-size?",
        "output = x.html # unknown key 'output'; accepted are",
        "report = x.html # unknown key 'report'; accepted are",
        "force = true # unknown key 'force'",
        "zzzzzzzz = 1 # unknown key 'zzzzzzzz'; accepted are",
        "pool-size # 'pool-size' has no '='; write it like pool-size = 10",
        "hold = # hold has no value",
        "redact-hosts = yes # 'yes' is neither true nor false for redact-hosts",
        "no-redact = true # may not stand in a settings file of the folder of an incident; give"
            + " --no-redact on the command line",
        "p95 = 10h # p95 may not stand in a settings file of the folder of an incident",
        "frames = missing.txt # there is no file",
        "frames = ../user # may name only a file of the incident's folder",
        "frames = /etc/passwd # may name only a file of the incident's folder",
      })
  void whatMayNotStandThereIsNamedWithFileAndLine(String line, String message) {
    write(incident, "# what came with the incident", line);
    String file = incident.resolve("gcdiag.properties").toString();
    assertTrue(failure().startsWith(file + ", line 2: "), failure());
    assertTrue(failure().contains(message), failure());
    assertEquals(1, failure().lines().count());
  }

  @Test
  void aKeyStandsOnceOnly() {
    write(incident, "hold = 5ms", "hold = 6ms");
    assertTrue(failure().endsWith("line 2: hold stands in line 1 already"), failure());
  }

  @Test
  void anythingButATextIsRefused() throws IOException {
    Path file = incident.resolve("gcdiag.properties");
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
    assertEquals(file + " is not a text in UTF-8", failure());
    Files.write(file, "#".repeat(70_000).getBytes(StandardCharsets.US_ASCII));
    assertEquals(file + " is too large for a settings file", failure());
  }

  @Test
  void aFolderOrPipeOfThatNameIsNoSettingsFile() throws Exception {
    Files.createDirectory(incident.resolve("gcdiag.properties"));
    assertEquals(List.of(), read(incident));
    Path pipe = working.resolve("gcdiag.properties");
    Process mkfifo = new ProcessBuilder("mkfifo", pipe.toString()).start();
    assumeTrue(mkfifo.waitFor(10, TimeUnit.SECONDS) && mkfifo.exitValue() == 0);
    assertEquals(List.of(), read(incident));
  }

  @Test
  void aLinkOutOfTheIncidentIsRefused() throws IOException {
    Path secret = Files.writeString(folder.resolve("secret"), "password\n");
    Files.createSymbolicLink(incident.resolve("gcdiag.properties"), secret);
    assertTrue(failure().endsWith("is a link that leads out of the incident's folder"), failure());
  }

  @Test
  void aFileIsSoughtBesideTheSettings() throws IOException {
    Path frames = Files.writeString(incident.resolve("frames.txt"), "");
    write(incident, "frames = frames.txt");
    assertEquals(List.of("frames = " + frames.toAbsolutePath()), read(incident));
    Files.delete(incident.resolve("gcdiag.properties"));
    write(user, "frames = ../incident/frames.txt");
    assertEquals(1, read().size());
  }

  @Test
  void whatAnyFileHidesStaysHidden() {
    write(user, "no-redact = true");
    assertEquals(List.of("no-redact = true"), read(incident));
    write(incident, "redact-hosts = true");
    assertEquals(List.of("redact-hosts = true"), read(incident));
    write(user, "redact-hosts = true");
    write(working, "redact-hosts = false");
    write(incident, "redact-hosts = false");
    assertEquals(List.of("redact-hosts = true"), read(incident));
  }

  @Test
  void secretsAreShownByTheUsersOwnFileAlone() {
    write(working, "no-redact = true");
    assertTrue(failure().contains("settings file of the working directory"), failure());
  }

  @Test
  void theFolderOfAnIncidentIsNotTrustedAsWorkingDirectory() {
    write(working, "p95 = 200ms");
    assertEquals(List.of("p95 = 200ms"), read(incident));
    assertThrows(SettingsException.class, () -> read(working));
  }

  @Test
  void foldersThatAreEquallyNearMustAgree() throws IOException {
    Path other = Files.createDirectory(folder.resolve("other"));
    for (Path one : List.of(incident, other)) {
      Files.writeString(one.resolve("frames.txt"), "[pool]\n");
      write(one, "frames = frames.txt", "pool-size = 10");
    }
    assertEquals(2, read(incident, other).size());
    write(other, "pool-size = 20");
    SettingsException e = assertThrows(SettingsException.class, () -> read(incident, other));
    assertTrue(
        e.getMessage().contains(" set pool-size to different values; give --pool-size on the"),
        e.getMessage());
  }

  @Test
  void theUsersFolderFollowsTheConventionOfDesktops() {
    assertEquals(
        Optional.of(Path.of("/home/u/.config/gcdiag")), Folders.of(Map.of(), "/home/u").user());
    assertEquals(
        Optional.of(Path.of("/cfg/gcdiag")),
        Folders.of(Map.of("XDG_CONFIG_HOME", "/cfg"), "/home/u").user());
    // A relative path is to be ignored.
    assertEquals(
        Optional.of(Path.of("/home/u/.config/gcdiag")),
        Folders.of(Map.of("XDG_CONFIG_HOME", "cfg"), "/home/u").user());
    assertEquals(Optional.empty(), Folders.of(Map.of(), "?").user());
  }
}
