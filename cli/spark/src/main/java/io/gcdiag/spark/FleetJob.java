package io.gcdiag.spark;

import io.gcdiag.cli.Version;
import io.gcdiag.cli.fleet.CaseTask;
import io.gcdiag.cli.fleet.FleetFolder;
import io.gcdiag.cli.fleet.FleetPlan;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.report.FleetDocument;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.fleet.FleetSummary;
import io.gcdiag.fleet.cases.CaseFinder;
import io.gcdiag.fleet.cases.CaseRoots;
import io.gcdiag.ingest.format.Redactor;
import io.gcdiag.spark.storage.Storage;
import io.gcdiag.spark.storage.StoragePath;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine;

/**
 * {@code gcdiag fleet} as a job of Apache Spark, for {@code spark-submit}: the driver lists files
 * and groups them into cases, executors analyse the cases, rows are kept as Parquet.
 */
public final class FleetJob {

  /** What a shell knows as wrong usage. */
  private static final int USAGE = 2;

  private final SparkSession spark;
  private final JobOptions options;
  private final Storage storage;
  private final StoragePath results;
  private final PrintStream err;

  /** A job that tells of its progress and of problems there. */
  FleetJob(SparkSession spark, JobOptions options, PrintStream err) throws IOException {
    this.spark = spark;
    this.options = options;
    this.storage = new Storage(spark.sparkContext().hadoopConfiguration());
    this.results = storage.path(options.out());
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
    ParquetRows rows = ParquetRows.open(spark, results);
    if (!options.folders().isEmpty()) {
      analyse(rows);
    }
    List<CaseRow> all = rows.all();
    FleetDocument document =
        new FleetDocument(
            FleetSummary.of(all, options.groupBy(), options.changedAt()), options.zone());
    write(FleetFolder.PAGE, ReportFormat.HTML.render(document, Look.PLAIN));
    return ReportFormat.TABLE.render(document, Look.PLAIN);
  }

  private void analyse(ParquetRows rows) throws IOException {
    CaseFinder.Found found = find();
    write(FleetFolder.ROOTS, String.join("\n", FleetFolder.lines(found.roots())) + "\n");
    List<CaseTask> tasks =
        found.cases().stream()
            .map(
                one ->
                    CaseTask.of(
                        one, options.wishes(), Version.answering(), FleetFolder::reportName))
            .toList();
    Set<String> names = new TreeSet<>(found.otherNames());
    tasks.forEach(task -> names.add(task.one().id()));
    List<String> digests = tasks.stream().map(task -> task.key().digest()).toList();
    FleetPlan plan =
        FleetPlan.of(tasks, found.otherNames(), rows.of(names, digests), options.retryFailed());
    rows.file(plan.renamed(), plan.gone());
    List<Errand> missing = new ArrayList<>();
    for (CaseTask task : plan.missing()) {
      missing.add(Errand.of(task, results));
    }
    // The longest last would leave all executors but one without work.
    missing.sort(Comparator.comparingLong(Errand::bytes).reversed());
    new CaseJob(spark.sparkContext(), options, err).run(missing, rows);
  }

  private CaseFinder.Found find() throws IOException {
    List<Path> folders = new ArrayList<>();
    for (String folder : options.folders()) {
      StoragePath path = storage.path(folder);
      if (!Files.exists(path)) {
        throw new IOException(path + ": no such folder");
      }
      folders.add(path);
    }
    Path file = results.resolve(FleetFolder.ROOTS);
    CaseRoots known =
        Files.exists(file) ? FleetFolder.roots(Files.readAllLines(file)) : CaseRoots.NONE;
    Redactor redactor = Redactor.of(options.wishes().hideSecrets(), options.wishes().hideHosts());
    CaseFinder.Found found =
        CaseFinder.find(folders, known, options.pattern(), List.of(results), redactor::redact);
    found.problems().forEach(problem -> err.println("gcdiag: " + problem));
    return found;
  }

  private void write(String name, String text) throws IOException {
    StoragePath file = (StoragePath) results.resolve(name);
    try (OutputStream out = file.storage().create(file.hadoop(), true)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }
}
