package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Analysis;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets inside of a recording: arguments, properties, environment, threads and classes. */
@Tag("slow")
class PlantedRecordingTest {

  private static final String SECRET = "hunter2plantedhere";
  private static final String KEY = "AKIAIOSFODNN7EXAMPLE";

  @TempDir private static Path folder;
  private static Path recording;

  @BeforeAll
  static void record() throws Exception {
    recording = folder.resolve("r.jfr");
    ProcessBuilder java =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Dshop.password=" + SECRET,
            "-Dspring.datasource.url=jdbc:postgresql://app:" + SECRET + "@db.example.org/shop",
            "-XX:StartFlightRecording=settings=profile,filename=" + recording,
            "-cp",
            System.getProperty("java.class.path"),
            PlantedService.class.getName(),
            SECRET,
            "--token",
            SECRET);
    java.environment().put("SHOP_API_KEY", SECRET);
    Process process =
        java.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue());
  }

  private static String run(List<String> args) {
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out);
    Main.run(args.toArray(String[]::new), Analysis::run, Terminal.NONE, writer, writer);
    return out.toString();
  }

  /** What the command prints and all the reports it writes. */
  private static List<String> texts(String... options) throws Exception {
    List<String> args = new ArrayList<>(List.of("analyze", recording.toString(), "--verbose"));
    args.addAll(List.of(options));
    List<Path> reports = new ArrayList<>();
    for (String ending : List.of("txt", "md", "html", "json", "xml")) {
      reports.add(folder.resolve("report." + ending));
      args.addAll(List.of("--report", folder.resolve("report." + ending).toString()));
    }
    args.add("--force");
    List<String> texts = new ArrayList<>();
    texts.add(run(args));
    for (Path report : reports) {
      texts.add(Files.readString(report));
    }
    return texts;
  }

  @Test
  void noSecretOfTheRecordedProcessReachesAnyFormat() throws Exception {
    for (String text : texts()) {
      assertFalse(text.contains(SECRET), text);
      assertFalse(text.contains(KEY), text);
    }
  }

  @Test
  void theyWouldIfNobodyHidThem() throws Exception {
    List<String> texts = texts("--no-redact");
    // The key is the class whose lock is waited for and whose methods are on the stacks.
    texts.forEach(text -> assertTrue(text.contains(KEY), text));
  }

  @Test
  void otherCommandsHideThemAsWell() {
    String file = recording.toString();
    for (List<String> command :
        List.of(
            List.of("compare", file, file),
            List.of("correlate", file),
            List.of("slo", file, "--p99", "100ms"),
            List.of("littles-law", "--from", file, "--rps", "10", "--hold", "1ms"))) {
      String text = run(command);
      assertFalse(text.contains(SECRET), text);
      assertFalse(text.contains(KEY), text);
    }
  }
}
