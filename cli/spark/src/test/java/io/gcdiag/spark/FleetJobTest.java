package io.gcdiag.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Analysis;
import io.gcdiag.cli.Main;
import io.gcdiag.cli.Terminal;
import io.gcdiag.cli.fleet.RowJson;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fleet.CaseOutcome;
import io.gcdiag.fleet.CaseRow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructField;
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

  private final ByteArrayOutputStream told = new ByteArrayOutputStream();

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

  private String job(String... more) throws IOException {
    return jobTo(root.resolve("results").toString(), more);
  }

  private String jobTo(String out, String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.add("--out");
    arguments.add(out);
    PrintStream err = new PrintStream(told, true, StandardCharsets.UTF_8);
    return new FleetJob(spark, JobOptions.of(arguments.toArray(String[]::new)), err).run();
  }

  private String analyse(String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.add(root.resolve("fleet").toString());
    return job(arguments.toArray(String[]::new));
  }

  private Path parquet() {
    return root.resolve("results").resolve(RowLog.PARQUET);
  }

  private Dataset<Row> rows() {
    return spark.read().parquet(parquet().toString());
  }

  private List<String> cases() {
    return rows().select("case").collectAsList().stream()
        .map(row -> row.getString(0))
        .sorted()
        .toList();
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

  @Test
  void rowsAreThoseOfTheCommand() throws IOException {
    putTwoProcessesIntoOneFolder();
    analyse();
    StringWriter out = new StringWriter();
    Main.run(
        new String[] {
          "fleet",
          root.resolve("fleet").toString(),
          "--out",
          root.resolve("one").toString(),
          "--quiet"
        },
        Analysis::run,
        Terminal.NONE,
        new PrintWriter(out),
        new PrintWriter(out));
    List<CaseRow> expected =
        Files.readAllLines(root.resolve("one/cases.jsonl")).stream()
            .map(line -> RowJson.row(line).orElseThrow())
            .sorted(Comparator.comparing(row -> row.key().id()))
            .toList();
    assertEquals(5, expected.size());
    List<CaseRow> found =
        rows().toJSON().collectAsList().stream()
            .map(line -> RowJson.row(line).orElseThrow())
            .sorted(Comparator.comparing(row -> row.key().id()))
            .toList();
    assertEquals(lines(expected), lines(found));
    for (CaseRow row : found) {
      assertTrue(Files.exists(root.resolve("results").resolve(row.report())), row.report());
    }
  }

  /** Times as Spark writes them into JSON: to the millisecond. */
  private static List<String> lines(List<CaseRow> rows) {
    return rows.stream()
        .map(
            row ->
                new CaseRow(
                    row.key(),
                    row.origin(),
                    row.time()
                        .map(
                            time ->
                                new Window(
                                    time.from().truncatedTo(ChronoUnit.MILLIS),
                                    time.to().truncatedTo(ChronoUnit.MILLIS))),
                    row.outcome(),
                    row.suspects(),
                    row.lostSeconds(),
                    row.notes(),
                    row.error(),
                    row.report()))
        .map(RowJson::text)
        .toList();
  }

  @Test
  void aSecondJobAnalysesWhatIsNewOrChangedOnly() throws IOException {
    String first = analyse();
    assertEquals(List.of(SWAPPED, THREADS, "fleet/" + DAMAGED), cases());
    told.reset();
    assertEquals(first, analyse());
    assertEquals("", told.toString(StandardCharsets.UTF_8));
    assertEquals(3, cases().size());
    Files.writeString(
        Files.createDirectories(root.resolve("fleet/new")).resolve("gc.log"), GC_LINE);
    String before = only(SWAPPED, "digest");
    Files.writeString(root.resolve("fleet/depot-stock-swapped/README.md"), "changed");
    analyse();
    assertTrue(told.toString(StandardCharsets.UTF_8).contains("2 of 2 folders"));
    assertEquals(4, cases().size());
    assertFalse(before.equals(only(SWAPPED, "digest")));
    assertTrue(
        Files.readString(root.resolve("results/index.html")).contains(only("fleet/new", "report")));
  }

  @Test
  void inAFolderThatChangedTheOtherCaseIsNotAnalysedAgain() throws IOException {
    putTwoProcessesIntoOneFolder();
    analyse();
    Path report = root.resolve("results").resolve(only("fleet/both/a.jfr.gz", "report"));
    Files.writeString(report, "as it was");
    String before = only("fleet/both/b.jfr", "digest");
    Path other = Incidents.folder("desk-reentrant-fixed").resolve("recording.jfr.gz");
    try (InputStream in = new GZIPInputStream(Files.newInputStream(other))) {
      Files.copy(in, root.resolve("fleet/both/b.jfr"), StandardCopyOption.REPLACE_EXISTING);
    }
    analyse();
    assertEquals("as it was", Files.readString(report));
    assertFalse(before.equals(only("fleet/both/b.jfr", "digest")));
    assertEquals(5, cases().size());
  }

  /** Names do not depend on the storage, nor on which folder of a known one is asked for. */
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
      FileSystem storage = cluster.getFileSystem();
      org.apache.hadoop.fs.Path fleet =
          new org.apache.hadoop.fs.Path(cluster.getURI() + "/data/fleet");
      storage.copyFromLocalFile(
          new org.apache.hadoop.fs.Path(root.resolve("fleet").toUri()), fleet);
      org.apache.hadoop.fs.Path results = new org.apache.hadoop.fs.Path("/data/fleet/results");
      String out = cluster.getURI() + results.toString();
      String first = jobTo(out, fleet.toString());
      assertEquals(first, jobTo(out, fleet + "/mill", fleet.toString()));
      List<String> found =
          spark.read().parquet(out + "/" + RowLog.PARQUET).select("case").collectAsList().stream()
              .map(row -> row.getString(0))
              .sorted()
              .toList();
      assertEquals(List.of(SWAPPED, THREADS, "fleet/" + DAMAGED), found);
      assertTrue(storage.exists(new org.apache.hadoop.fs.Path(results, "index.html")));
      assertEquals(2, storage.listStatus(new org.apache.hadoop.fs.Path(results, "cases")).length);
    }
  }

  @Test
  void aRowThatAnInterruptedJobLeftTwiceIsRemoved() throws IOException {
    analyse("--reports", "none");
    List<String> once = cases();
    List<Path> files;
    try (Stream<Path> all = Files.walk(parquet())) {
      files = all.filter(file -> file.toString().endsWith(".parquet")).toList();
    }
    for (Path file : files) {
      Files.copy(file, file.resolveSibling("part-again-" + file.getFileName()));
    }
    assertEquals(2 * once.size(), cases().size());
    job();
    assertEquals(once, cases());
  }

  @Test
  void aCaseThatFailsIsARowThatSaysWhy() throws IOException {
    analyse("--timeout", "1ms", "--reports", "none");
    assertEquals(3, cases().size());
    assertEquals(CaseOutcome.FAILED.id(), only(SWAPPED, "conclusion"));
    assertTrue(only(SWAPPED, "error").contains("within 1 ms"), only(SWAPPED, "error"));
    analyse("--reports", "none");
    assertEquals(CaseOutcome.FAILED.id(), only(SWAPPED, "conclusion"));
    analyse("--reports", "none", "--retry-failed");
    assertEquals(CaseOutcome.PRIMARY_SUSPECT.id(), only(SWAPPED, "conclusion"));
    assertTrue(only("fleet/" + DAMAGED, "error").contains("recording.jfr"));
  }

  @Test
  void theSchemaIsTheDocumentedOne() throws IOException {
    String page = Files.readString(Path.of("../../docs/fleet.md"));
    analyse("--reports", "none");
    for (StructField column : rows().schema().fields()) {
      String row = "| `" + column.name() + "` | `" + column.dataType().sql() + "` |";
      assertTrue(page.contains(row), row);
    }
    assertEquals(
        page.lines().filter(line -> line.matches("\\| `\\w+` \\| `?[A-Z<].*")).count(),
        rows().schema().length());
  }
}
