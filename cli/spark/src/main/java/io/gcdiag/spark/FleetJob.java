package io.gcdiag.spark;

import io.gcdiag.cli.Version;
import io.gcdiag.cli.fleet.CaseList;
import io.gcdiag.cli.fleet.CaseSpool;
import io.gcdiag.cli.fleet.CaseTask;
import io.gcdiag.cli.fleet.FleetFolder;
import io.gcdiag.cli.fleet.FleetPlan;
import io.gcdiag.cli.fleet.FleetStore;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.report.FleetDocument;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.fleet.FleetSummary;
import io.gcdiag.fleet.cases.CaseFinder;
import io.gcdiag.fleet.cases.CaseRoots;
import io.gcdiag.fleet.cases.FleetCase;
import io.gcdiag.ingest.format.Redactor;
import io.gcdiag.spark.storage.Storage;
import io.gcdiag.spark.storage.StoragePath;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
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
    Path work = Files.createTempDirectory("gcdiag-fleet");
    try (FleetStore known = FleetStore.open(work).orElseThrow()) {
      rows.copyTo(known);
      if (!options.folders().isEmpty()) {
        analyse(rows, known, work);
      }
      FleetDocument document =
          new FleetDocument(
              FleetSummary.of(known, options.groupBy(), options.changedAt()), options.zone());
      try (Writer out = writer(FleetFolder.PAGE)) {
        ReportFormat.HTML.write(document, Look.PLAIN, out);
      }
      return ReportFormat.TABLE.render(document, Look.PLAIN);
    } finally {
      Files.deleteIfExists(work.resolve(FleetStore.FILE));
      Files.deleteIfExists(work);
    }
  }

  private void analyse(ParquetRows rows, FleetStore known, Path work) throws IOException {
    try (CaseList found =
            new CaseList(CaseSpool.in(work, "found", this::stored), known, this::task, this::say);
        CaseSpool missing = CaseSpool.in(work, "missing", this::stored)) {
      CaseRoots roots = find(found);
      try (Writer out = writer(FleetFolder.ROOTS)) {
        out.write(String.join("\n", FleetFolder.lines(roots)) + "\n");
      }
      Changes changes = new Changes();
      FleetPlan.make(found, known, options.retryFailed(), missing, changes);
      rows.file(changes.appended, changes.replaced);
      for (CaseRow row : changes.appended) {
        known.append(row);
      }
      for (String name : changes.replaced) {
        known.replaced(name);
      }
      List<Errand> errands = new ArrayList<>();
      for (CaseTask task : missing) {
        errands.add(Errand.of(task, results));
      }
      // The longest last would leave all executors but one without work.
      errands.sort(Comparator.comparingLong(Errand::bytes).reversed());
      new CaseJob(spark.sparkContext(), options, err)
          .run(
              errands,
              done -> {
                rows.file(done, Set.of());
                for (CaseRow row : done) {
                  known.append(row);
                }
              });
    }
  }

  /** Filed together: each filing makes files. */
  private static final class Changes implements FleetPlan.Filing {
    private final List<CaseRow> appended = new ArrayList<>();
    private final Set<String> replaced = new TreeSet<>();

    @Override
    public void append(CaseRow row) {
      appended.add(row);
    }

    @Override
    public void replaced(String id) {
      replaced.add(id);
    }
  }

  private Path stored(String address) {
    try {
      return storage.path(address);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private CaseTask task(FleetCase one) {
    return CaseTask.of(one, options.wishes(), Version.answering(), FleetFolder::reportName);
  }

  private void say(String problem) {
    err.println("gcdiag: " + problem);
  }

  private CaseRoots find(CaseList found) throws IOException {
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
    return CaseFinder.find(
        folders, known, options.pattern(), List.of(results), redactor::redact, found);
  }

  private Writer writer(String name) throws IOException {
    StoragePath file = (StoragePath) results.resolve(name);
    return new OutputStreamWriter(
        file.storage().create(file.hadoop(), true), StandardCharsets.UTF_8);
  }
}
