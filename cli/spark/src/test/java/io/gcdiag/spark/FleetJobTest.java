package io.gcdiag.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.apache.spark.sql.functions.expr;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Analysis;
import io.gcdiag.cli.Main;
import io.gcdiag.cli.Terminal;
import io.gcdiag.cli.fleet.RowJson;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fleet.CaseOutcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each case has one row, whatever came before; the row is that of the command. */
@Tag("slow")
class FleetJobTest {

  private static final String DAMAGED = "mill/damaged";
  private static final String GC_LINE =
      "[2026-03-01T10:30:00.000+0000][1.5s][info][gc] GC(0) Pause Young (Normal)"
          + " (G1 Evacuation Pause) 24M->4M(256M) 3.5ms\n";

  private static final String SWAPPED = "fleet/depot-stock-swapped/recording.jfr.gz";
  private static final String THREADS = "fleet/desk-threads-kept-fixed/recording.jfr.gz";

  private static SparkSession spark;

  @TempDir Path root;

  @BeforeAll
  static void start() {
    spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", false)
            .config("spark.sql.shuffle.partitions", 2)
            .config("spark.driver.host", "localhost")
            .getOrCreate();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @BeforeEach
  void fleet() throws IOException {
    for (String name : List.of("depot-stock-swapped", "desk-threads-kept-fixed")) {
      Path folder = Files.createDirectories(root.resolve("fleet").resolve(name));
      try (Stream<Path> files = Files.list(Incidents.folder(name))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Files.copy(file, folder.resolve(file.getFileName()));
        }
      }
    }
    Path damaged = Files.createDirectories(root.resolve("fleet").resolve(DAMAGED));
    Files.write(damaged.resolve("recording.jfr"), new byte[] {'F', 'L', 'R', 0, 0, 2, 0, 1, 9, 9});
  }

  /** How many folders were visited. */
  private long analyse(String... more) throws IOException {
    return job(root.resolve("results").toString(), root.resolve("fleet").toString(), more);
  }

  private static long job(String out, String folder, String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.addAll(List.of(folder, "--out", out));
    return FleetJob.of(arguments.toArray(String[]::new)).run(spark);
  }

  /** The last row of each case, as docs/fleet.md reads them. */
  private static Dataset<Row> rows(String results) {
    return spark
        .read()
        .schema(
            "`case` STRING, digest STRING, service STRING, host STRING, conclusion STRING,"
                + " primarySuspect STRING, error STRING, folder STRING, stamp STRING, job BIGINT")
        .json(results + "/" + FleetJob.ROWS)
        .groupBy("case")
        .agg(expr("max_by(struct(*), job)").as("last"))
        .select("last.*")
        .where("conclusion <> 'replaced'");
  }

  private Dataset<Row> rows() {
    return rows(root.resolve("results").toString());
  }

  private static List<String> cases(Dataset<Row> rows) {
    return rows.select("case").collectAsList().stream()
        .map(row -> row.getString(0))
        .sorted()
        .toList();
  }

  private List<String> cases() {
    return cases(rows());
  }

  private String only(String id, String column) {
    List<Row> found = rows().filter("`case` = '" + id + "'").select(column).collectAsList();
    assertEquals(1, found.size());
    return found.get(0).getString(0);
  }

  /** Two processes in one folder are two cases, and the settings beside them are of both. */
  private void putTwoProcessesIntoOneFolder() throws IOException {
    Path both = Files.createDirectories(root.resolve("fleet/both"));
    Path packed = Incidents.folder("depot-stock-swapped").resolve("recording.jfr.gz");
    Files.copy(packed, both.resolve("a.jfr.gz"));
    Path other = Incidents.folder("desk-threads-kept-fixed").resolve("recording.jfr.gz");
    try (InputStream in = new GZIPInputStream(Files.newInputStream(other))) {
      Files.copy(in, both.resolve("b.jfr"));
    }
    Files.writeString(both.resolve("gcdiag.properties"), "pool-size = 10\n");
  }

  private String command(String... arguments) {
    StringWriter out = new StringWriter();
    Main.run(arguments, Analysis::run, Terminal.NONE, new PrintWriter(out), new PrintWriter(out));
    return out.toString();
  }

  /** The rows of all jobs, one file after another, are what the command sums up. */
  @Test
  void rowsAreThoseOfTheCommand() throws IOException {
    putTwoProcessesIntoOneFolder();
    Files.writeString(Files.createDirectories(root.resolve("fleet/notes")).resolve("a.md"), "-");
    assertEquals(5, analyse());
    Path one = root.resolve("one");
    Path fleet = root.resolve("fleet");
    command("fleet", fleet.toString(), "--out", one.toString(), "--reports", "none", "--quiet");
    Path joined = Files.createDirectories(root.resolve("joined")).resolve("cases.jsonl");
    for (Path part : parts()) {
      Files.write(joined, Files.readAllBytes(part), CREATE, APPEND);
    }
    assertEquals(5, lines(one.resolve("cases.jsonl")).size());
    assertEquals(lines(one.resolve("cases.jsonl")), lines(joined));
    assertEquals(
        command("fleet", "--out", one.toString()),
        command("fleet", "--out", joined.getParent().toString()));
  }

  private List<Path> parts() throws IOException {
    try (Stream<Path> all = Files.walk(root.resolve("results").resolve(FleetJob.ROWS))) {
      return all.filter(file -> file.getFileName().toString().startsWith("part-"))
          .sorted()
          .toList();
    }
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .flatMap(line -> RowJson.row(line).stream())
        .map(RowJson::text)
        .sorted()
        .toList();
  }

  @Test
  void aSecondJobAnalysesWhatIsNewOrChangedOnly() throws IOException {
    assertEquals(3, analyse());
    assertEquals(List.of(SWAPPED, THREADS, "fleet/" + DAMAGED), cases());
    assertEquals(0, analyse());
    Files.writeString(
        Files.createDirectories(root.resolve("fleet/new")).resolve("gc.log"), GC_LINE);
    String before = only(SWAPPED, "digest");
    Files.writeString(root.resolve("fleet/depot-stock-swapped/README.md"), "changed");
    assertEquals(2, analyse());
    assertEquals(4, cases().size());
    assertNotEquals(before, only(SWAPPED, "digest"));
    assertEquals(0, analyse());
    assertEquals(4, analyse("--redact-hosts"));
  }

  /** A job that was killed leaves the rows of the tasks that were over: the rest is missing. */
  @Test
  void aSecondJobAnalysesWhatAKilledOneDidNot() throws IOException {
    analyse();
    List<String> all = cases();
    Path lost =
        parts().stream().filter(file -> file.toFile().length() > 0).findFirst().orElseThrow();
    int folders =
        spark.read().json(lost.toString()).select("folder").distinct().collectAsList().size();
    Files.delete(lost);
    assertEquals(folders, analyse());
    assertEquals(all, cases());
  }

  @Test
  void recordingsAndResultsMayBeInHdfs() throws Exception {
    Configuration configuration = new Configuration();
    configuration.set("dfs.namenode.http-address", "127.0.0.1:0");
    configuration.set("dfs.permissions.enabled", "false");
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(configuration, root.resolve("hdfs").toFile())
            .numDataNodes(1)
            .build()) {
      cluster.waitActive();
      String fleet = cluster.getURI() + "/data/fleet";
      cluster
          .getFileSystem()
          .copyFromLocalFile(
              new org.apache.hadoop.fs.Path(root.resolve("fleet").toUri()),
              new org.apache.hadoop.fs.Path(fleet));
      assertEquals(3, job(fleet + "/results", fleet));
      assertEquals(0, job(fleet + "/results", fleet, fleet + "/mill"));
      assertEquals(List.of(SWAPPED, THREADS, "fleet/" + DAMAGED), cases(rows(fleet + "/results")));
    }
  }

  @Test
  void aCaseThatFailsIsARowThatSaysWhy() throws IOException {
    analyse("--timeout", "1ms");
    assertEquals(3, cases().size());
    assertEquals(CaseOutcome.FAILED.id(), only(SWAPPED, "conclusion"));
    assertTrue(only(SWAPPED, "error").contains("within 1 ms"), only(SWAPPED, "error"));
    assertEquals(0, analyse());
    assertEquals(3, analyse("--retry-failed"));
    assertEquals(CaseOutcome.PRIMARY_SUSPECT.id(), only(SWAPPED, "conclusion"));
    assertTrue(only("fleet/" + DAMAGED, "error").contains("recording.jfr"));
    assertEquals(1, analyse("--retry-failed"));
  }

  @Test
  void aFolderThatCannotBeFetchedIsAFailedRow() throws IOException {
    Path file = root.resolve("fleet").resolve(DAMAGED).resolve("recording.jfr");
    // Hadoop checks what it reads from a local disk.
    Files.write(file.resolveSibling(".recording.jfr.crc"), "crc\0\0\0\2\0abcd".getBytes(UTF_8));
    assertEquals(3, analyse());
    assertEquals(CaseOutcome.FAILED.id(), only("fleet/" + DAMAGED, "conclusion"));
    assertTrue(only("fleet/" + DAMAGED, "error").contains("--retry-failed"));
    Files.delete(file.resolveSibling(".recording.jfr.crc"));
    assertEquals(1, analyse("--retry-failed"));
    assertEquals(3, cases().size());
  }
}
