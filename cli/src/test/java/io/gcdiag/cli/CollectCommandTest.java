package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gcdiag.evidence.time.Signal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gcdiag collect}: a script for the machine of the service, and what it brings back. */
@Tag("slow")
class CollectCommandTest extends PlainRuns {

  private static final String PARTS = "parts='%s'";
  private static final String SECRET = "gr8-$ecret/42[x]";

  @TempDir Path folder;

  @Test
  void theUsualScriptTakesAllButHistograms() {
    run("collect");

    assertTrue(
        out.toString().contains(PARTS.formatted("recording dumps flags heap cgroup machine logs")));
    assertTrue(
        out.toString().contains("<event name=\"jdk.ThreadPark\">"), "the settings are in it");
  }

  @Test
  void forACauseItTakesWhatThatCauseNeeds() {
    run("collect", "--cause", "deadlock");

    assertTrue(out.toString().contains(PARTS.formatted("dumps")), "dumps alone show a deadlock");
    assertFalse(out.toString().contains("jdk.ThreadPark"), "no settings without a recording");
  }

  @Test
  void afterAReportItTakesWhatTheReportLacked() throws IOException {
    Path report = folder.resolve("report.json");
    Files.writeString(
        report,
        "{\"hypotheses\": [{\"id\": \"memory-leak\", \"missing\": [{\"signal\": \"%s\"}]}]}"
            .formatted(Signal.CLASS_HISTOGRAMS.id()));

    run("collect", "--next-time", report.toString());

    assertTrue(out.toString().contains(PARTS.formatted("histogram")), out.toString());
  }

  @Test
  void aFileThatIsNoReportIsOneLine() throws IOException {
    Path log = Files.writeString(folder.resolve("gc.log"), "[0.1s][info][gc] Using G1\n");

    assertEquals(2, run("collect", "--next-time", log.toString()));

    assertEquals(
        "gcdiag: " + log + " is no report: name what 'gcdiag analyze --format json' printed\n",
        err.toString().replace("\r\n", "\n"));
  }

  /**
   * A JVM with a secret in its environment and one among its options, collected for two seconds.
   */
  @Test
  void whatItCollectsIsReadAndHoldsNoSecret() throws Exception {
    assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "the script reads /proc");
    run("collect");
    Path script = Files.writeString(folder.resolve("collect.sh"), out.toString());
    Process service = service();
    try {
      Process collected =
          new ProcessBuilder(
                  "sh", script.toString(), "-d", "2", "-o", "files.tar.gz", "" + service.pid())
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .start();
      String said = new String(collected.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertEquals(0, collected.waitFor(), said);
      assertTrue(said.contains("./recording.jfr"), said);
      assertTrue(said.contains("./threads-1.txt ./threads-2.txt ./threads-3.txt"), said);
    } finally {
      service.destroy();
    }
    out.getBuffer().setLength(0);
    assertEquals(0, run("analyze", folder.resolve("files.tar.gz").toString(), "--verbose"));
    assertTrue(out.toString().contains("recording.jfr"), out.toString());
    new ProcessBuilder("tar", "-xzf", "files.tar.gz").directory(folder.toFile()).start().waitFor();
    try (Stream<Path> files = Files.list(folder.resolve("incident"))) {
      for (Path file : files.toList()) {
        String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
        assertFalse(
            bytes.contains(SECRET) || bytes.contains("tok-31415"), file + " holds a secret");
      }
    }
  }

  private Process service() throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-Dapi.token=tok-31415",
            "-cp",
            System.getProperty("java.class.path"),
            Service.class.getName());
    builder.environment().put("DB_PASSWORD", SECRET);
    Process service = builder.start();
    assertEquals('.', service.getInputStream().read(), "it has started");
    return service;
  }

  /** Waits to be ended. */
  public static final class Service {

    public static void main(String[] args) throws InterruptedException {
      System.out.print('.');
      System.out.flush();
      TimeUnit.MINUTES.sleep(5);
    }
  }
}
