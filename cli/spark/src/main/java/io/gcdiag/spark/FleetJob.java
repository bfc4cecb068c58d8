package io.gcdiag.spark;

import io.gcdiag.cli.report.Version;
import io.gcdiag.cli.fleet.CaseList;
import io.gcdiag.cli.fleet.CaseSpool;
import io.gcdiag.cli.fleet.CaseTask;
import io.gcdiag.cli.fleet.FleetFolder;
import io.gcdiag.cli.fleet.FleetStore;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.report.FleetDocument;
import io.gcdiag.fleet.FleetSummary;
import io.gcdiag.fleet.CaseRoots;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.Redactor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine;

/**
 * {@code gcdiag fleet} as a job of Apache Spark, for {@code spark-submit}: the driver lists
 * folders, executors find and analyse the cases in them, rows are kept as lines and as Parquet.
 */
public final class FleetJob {

  /** What a shell knows as wrong usage. */
  private static final int USAGE = 2;

  private final SparkSession spark;
  private final JobOptions options;
  private final FileSystem storage;
  private final Path results;
  private final PrintStream err;

  /** A job that tells of its progress and of problems there. */
  FleetJob(SparkSession spark, JobOptions options, PrintStream err) throws IOException {
    this.spark = spark;
    this.options = options;
    Path out = new Path(options.out());
    this.storage = out.getFileSystem(spark.sparkContext().hadoopConfiguration());
    this.results = storage.makeQualified(out);
    this.err = err;
  }

  /** Runs the job that the arguments describe; without folders it sums up only. */
  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    JobOptions options;
    try {
      options = JobOptions.of(arguments);
    } catch (CommandLine.ParameterException e) {
      System.err.println("gcdiag: " + e.getMessage());
      System.exit(USAGE);
      return;
    }
    SparkConf conf = new SparkConf().setIfMissing("spark.app.name", "gcdiag fleet");
    try (SparkSession spark = SparkSession.builder().config(conf).getOrCreate()) {
      out.print(new FleetJob(spark, options, System.err).run());
    }
  }

  /** Analyses what is missing and returns the summary of all rows, as text. */
  String run() throws IOException {
    java.nio.file.Path work = Files.createTempDirectory("gcdiag-fleet");
    try {
      RowLog log = RowLog.open(storage, results, work);
      if (!options.folders().isEmpty()) {
        analyse(log);
      }
      try (FleetStore rows = FleetStore.open(work).orElseThrow()) {
        log.finish(spark, rows);
        FleetDocument document =
            new FleetDocument(
                FleetSummary.of(rows, options.groupBy(), options.changedAt()), options.zone());
        try (Writer out = writer(FleetFolder.PAGE)) {
          ReportFormat.HTML.write(document, Look.PLAIN, out);
        }
        return ReportFormat.TABLE.render(document, Look.PLAIN);
      }
    } finally {
      FileUtil.fullyDelete(work.toFile());
    }
  }

  private void analyse(RowLog log) throws IOException {
    CaseTask.Wishes wishes = options.wishes();
    Redactor redactor = Redactor.of(wishes.hideSecrets(), wishes.hideHosts());
    FolderList list =
        new FolderList(
            spark.sparkContext().hadoopConfiguration(),
            results,
            String.join(
                "\0",
                Version.answering(),
                options.pattern().toString(),
                wishes.hideSecrets() + " " + wishes.hideHosts()),
            name -> redactor.redact(InputFile.printable(name)),
            problem -> err.println("gcdiag: " + problem),
            roots());
    List<Folder> found = new ArrayList<>();
    for (String folder : options.folders()) {
      found.addAll(list.below(folder));
    }
    try (Writer out = writer(FleetFolder.ROOTS)) {
      out.write(String.join("\n", FleetFolder.lines(new CaseRoots(list.roots()))) + "\n");
    }
    // The longest last would leave all executors but one without work.
    List<Folder> missing =
        log.missing(found, options.retryFailed()).stream()
            .sorted(Comparator.comparingLong(Folder::bytes).reversed())
            .toList();
    new FolderTasks(spark.sparkContext(), options, results.toString(), err).run(missing, log);
  }

  private List<CaseRoots.Root> roots() throws IOException {
    Path file = new Path(results, FleetFolder.ROOTS);
    if (!storage.exists(file)) {
      return List.of();
    }
    try (InputStream in = storage.open(file)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return FleetFolder.roots(text.lines().toList()).known();
    }
  }

  private Writer writer(String name) throws IOException {
    return new OutputStreamWriter(
        storage.create(new Path(results, name), true), StandardCharsets.UTF_8);
  }
}
