package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Analysis;
import io.gcdiag.fixtures.Incidents;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets planted in the texts of every kind of input, looked for in every format. */
@Tag("slow")
class PlantedSecretsTest {

  private static final String SECRET = "hunter2plantedhere";

  @TempDir private Path folder;

  /** An incident whose thread names, metric names, log lines and file names hold a secret. */
  private Path planted() throws IOException {
    Path incident =
        Incidents.all().stream()
            .filter(path -> path.endsWith("login-slo-missed"))
            .findFirst()
            .orElseThrow();
    Path copy = Files.createDirectory(folder.resolve("incident"));
    try (Stream<Path> files = Files.list(incident)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".jfr") || name.endsWith(".jfr.gz")) {
          Files.copy(file, copy.resolve("password=" + SECRET + "-" + name));
        } else {
          Files.write(copy.resolve("token=" + SECRET + "-" + name), plant(read(file)));
        }
      }
    }
    return copy;
  }

  private static byte[] read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      InputStream text = file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      text.transferTo(bytes);
      return bytes.toByteArray();
    }
  }

  /** In names of threads, of frames' files and of series; what makes a format stays as it is. */
  private static byte[] plant(byte[] content) {
    String text = new String(content, StandardCharsets.UTF_8);
    return text.replace("http-nio-8080-exec-", "http password=" + SECRET + " exec-")
        .replace("hikaricp", "hikaricp_password=" + SECRET + "_")
        .replace("HikariPool-1", "jdbc:postgresql://app:" + SECRET + "@db/shop")
        .replace("G1 Evacuation Pause", "G1 token=" + SECRET + " Evacuation Pause")
        .replace("http_req_duration{", "http_req_duration{secret=" + SECRET + ",")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String run(List<String> args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Main.run(
        args.toArray(String[]::new),
        Analysis::run,
        Terminal.NONE,
        new PrintWriter(out),
        new PrintWriter(err));
    return out.toString() + err;
  }

  @Test
  void aPlantedSecretReachesNoFormat() throws IOException {
    String incident = planted().toString();
    List<String> analyze = new ArrayList<>(List.of("analyze", incident, "--verbose"));
    List<Path> reports = new ArrayList<>();
    for (String ending : List.of("txt", "md", "html", "json", "xml")) {
      Path report = folder.resolve("report." + ending);
      reports.add(report);
      analyze.addAll(List.of("--report", report.toString()));
    }
    String printed = run(analyze);
    assertFalse(printed.contains(SECRET), printed);
    assertTrue(printed.contains("Hidden"), printed);
    for (Path report : reports) {
      String text = Files.readString(report);
      assertFalse(text.contains(SECRET), report.toString());
      assertTrue(text.contains("[hidden 1]") || text.contains("\\[hidden 1\\]"), report.toString());
    }
    assertFalse(run(List.of("compare", incident, incident)).contains(SECRET));
    assertFalse(run(List.of("correlate", incident)).contains(SECRET));
    assertFalse(run(List.of("slo", incident, "--p99", "100ms")).contains(SECRET));
    assertFalse(run(List.of("littles-law", "--from", incident)).contains(SECRET));
  }

  /** The name of a folder, too, and those of the files that are written. */
  @Test
  void aPlantedSecretReachesNoResultOfAFleet() throws IOException {
    Path fleet = Files.createDirectory(folder.resolve("fleet"));
    Files.move(planted(), fleet.resolve("password=" + SECRET));
    Path results = folder.resolve("results");
    String printed = run(List.of("fleet", fleet.toString(), "--out", results.toString()));
    assertFalse(printed.contains(SECRET), printed);
    try (Stream<Path> written = Files.walk(results)) {
      for (Path file : written.filter(Files::isRegularFile).toList()) {
        assertFalse(file.toString().contains(SECRET), file.toString());
        assertFalse(Files.readString(file).contains(SECRET), file.toString());
      }
    }
    assertTrue(Files.readString(results.resolve("cases.jsonl")).contains("[hidden 1]"), printed);
  }

  @Test
  void itIsThereForWhoeverAsksForIt() throws IOException {
    String printed = run(List.of("analyze", planted().toString(), "--verbose", "--no-redact"));
    assertTrue(printed.contains(SECRET), printed);
    assertFalse(printed.contains("[hidden"), printed);
  }
}
