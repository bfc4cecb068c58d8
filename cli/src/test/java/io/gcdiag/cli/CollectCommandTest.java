package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.CpuSample.ThrottleCount;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    run("collect", "--for", "deadlock");

    assertTrue(out.toString().contains(PARTS.formatted("dumps")), "dumps alone show a deadlock");
    assertFalse(out.toString().contains("jdk.ThreadPark"), "no settings without a recording");
  }

  @Test
  void afterAReportItTakesWhatTheReportLacked() throws IOException {
    Path report = folder.resolve("report.json");
    Files.writeString(report, lacking(Signal.CLASS_HISTOGRAMS.id()));

    run("collect", "--next-time", report.toString());

    assertTrue(out.toString().contains(PARTS.formatted("histogram")), out.toString());
  }

  /** Signals that need no recording, and one that needs it. */
  @ParameterizedTest
  @CsvSource({
    "flags, flags",
    "cpu-throttling, cgroup",
    "machine-memory, machine",
    "request-stats, logs",
    "thread-dumps, dumps",
    "thread-parks, recording",
    "gc-pauses, recording logs",
  })
  void whatIsKnownWithoutARecordingIsNotRecorded(String lacked, String parts) throws IOException {
    Path report = Files.writeString(folder.resolve("report.json"), lacking(lacked));

    assertEquals(0, run("collect", "--next-time", report.toString()), err.toString());

    assertTrue(out.toString().contains(PARTS.formatted(parts)), out.toString());
  }

  @Test
  void whereNothingThatWasLackingCanBeCollectedItSaysSo() throws IOException {
    Path report = Files.writeString(folder.resolve("report.json"), lacking("pool-size"));

    assertEquals(2, run("collect", "--next-time", report.toString()));

    assertTrue(err.toString().contains("nothing that this report lacks"), err.toString());
  }

  private static String lacking(String signal) {
    return "{\"hypotheses\": [{\"id\": \"x\", \"missing\": [{\"signal\": \"%s\"}]}]}"
        .formatted(signal);
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
    Process service = service(SECRET);
    try {
      String said = collected(service);

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

  /** {@code name} stands in the metadata of each recording: masked there, nothing could read it. */
  @Test
  void aSecretThatIsAPlainWordCostsTheRecording() throws Exception {
    assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "the script reads /proc");
    Process service = service("name");
    try {
      String said = collected(service);

      assertTrue(said.contains("is a short plain word"), said);
      assertFalse(said.contains("./recording.jfr"), said);
      assertTrue(said.contains("./threads-3.txt"), "all else is there: " + said);
    } finally {
      service.destroy();
    }
  }

  /**
   * In a folder that others write to, another user could have laid a link at a name known before.
   */
  @Test
  void whatTheJvmWritesLiesInAFolderOfItsOwn() throws Exception {
    assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "the script reads /proc");
    Path shared = Files.createDirectory(folder.resolve("shared"));
    Process service = service(SECRET);
    try {
      Process collecting = collecting(service, "-t", shared.toString());
      List<Path> own = list(shared);
      while (own.isEmpty() && collecting.isAlive()) {
        TimeUnit.MILLISECONDS.sleep(20);
        own = list(shared);
      }
      assertEquals(1, own.size());
      assertEquals(
          "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(own.get(0))));
      assertTrue(Files.isDirectory(own.get(0)), own.toString());

      String said = saidBy(collecting);

      assertTrue(said.contains("./recording.jfr"), said);
      assertEquals(List.of(), list(shared), "nothing is left");
    } finally {
      service.destroy();
    }
  }

  /** The files of a control group, where the script finds them, in both versions. */
  @ParameterizedTest
  @CsvSource({
    "'cpu.max=150000 100000', memory.max=1073741824, throttled_usec 5000000",
    "cpu.cfs_quota_us=150000 cpu.cfs_period_us=100000, memory.limit_in_bytes=1073741824,"
        + " throttled_time 5000000000",
  })
  void whatItCollectsOfAControlGroupIsUsed(String quota, String memory, String throttled)
      throws Exception {
    assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "the script reads /proc");
    Path group = Files.createDirectory(folder.resolve("group"));
    for (String file : (quota.replace(" cpu", ";cpu") + ";" + memory).split(";")) {
      Files.writeString(group.resolve(file.split("=")[0]), file.split("=")[1] + "\n");
    }
    Files.writeString(
        group.resolve("cpu.stat"), "nr_periods 1000\nnr_throttled 100\n" + throttled + "\n");
    run("collect", "--for", "cpu-throttling");
    Path script =
        Files.writeString(
            folder.resolve("collect.sh"),
            out.toString()
                .replaceFirst("parts='.*'", "parts='cgroup'")
                .replace("/sys/fs/cgroup", group.toString()));
    Process other = new ProcessBuilder("sleep", "60").start();
    try {
      saidBy(
          new ProcessBuilder(
                  "sh", script.toString(), "-d", "1", "-o", "files.tar.gz", "" + other.pid())
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .start());
    } finally {
      other.destroy();
    }

    Timeline timeline =
        Ingest.read(
            List.of(
                new Ingest.Request(
                    folder.resolve("files.tar.gz"), Optional.empty(), Optional.empty())),
            OperatorFacts.none(),
            Redactor.hiding(),
            ReadOptions.STANDARD);

    assertEquals(
        List.of("cgroup-1.txt", "cgroup-2.txt"),
        timeline.inputs().stream().map(input -> input.file().replaceFirst(".*/", "")).toList());
    assertEquals(
        Optional.of(Duration.ofMillis(150)), timeline.samples(CpuQuota.class).get(0).quota());
    assertEquals(
        Duration.ofSeconds(5), timeline.samples(ThrottleCount.class).get(1).throttledTime());
    assertEquals(
        1024.0 * 1024 * 1024,
        timeline.metrics(MetricMeaning.MEMORY_LIMIT).get(0).points().get(0).value());
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  /** What the script says of two seconds of a service. */
  private String collected(Process service) throws Exception {
    return saidBy(collecting(service));
  }

  private Process collecting(Process service, String... options) throws IOException {
    out.getBuffer().setLength(0);
    run("collect");
    Path script = Files.writeString(folder.resolve("collect.sh"), out.toString());
    List<String> words =
        new ArrayList<>(List.of("sh", script.toString(), "-d", "2", "-o", "files.tar.gz"));
    words.addAll(List.of(options));
    words.add("" + service.pid());
    return new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true).start();
  }

  private static String saidBy(Process collected) throws Exception {
    String said = new String(collected.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, collected.waitFor(), said);
    return said;
  }

  private Process service(String secret) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-Dapi.token=tok-31415",
            "-cp",
            System.getProperty("java.class.path"),
            Service.class.getName());
    builder.environment().put("DB_PASSWORD", secret);
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
