package io.gcdiag.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.collect_list;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.regexp_extract;
import static org.apache.spark.sql.functions.sha2;
import static org.apache.spark.sql.functions.sort_array;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.to_json;

import io.gcdiag.cli.fleet.CaseTask;
import io.gcdiag.cli.fleet.FleetRun;
import io.gcdiag.cli.fleet.WorkerCommand;
import io.gcdiag.cli.fleet.WorkerCommand.WorkerHeap;
import io.gcdiag.cli.report.Version;
import io.gcdiag.fleet.CaseOutcome;
import io.gcdiag.fleet.PathPattern;
import io.gcdiag.units.Durations;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.SerializableConfiguration;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The cases of {@code gcdiag fleet}, analysed by the executors of Apache Spark. Spark lists the
 * files, shares the folders out, begins again what an executor lost, and writes the rows.
 */
@Command(name = "gcdiag-spark")
public final class FleetJob {

  /** Where the rows are, in the results: a folder for each job. */
  static final String ROWS = "rows";

  /** What a shell knows as wrong usage. */
  private static final int USAGE = 2;

  /** As Spark's guide advises: the cores that are done first have something left to do. */
  private static final int TASKS_PER_CORE = 3;

  /** What is lost with an executor, and a file of rows at the end. */
  private static final int FOLDERS_PER_TASK = 100;

  /** A task's rows are in place when it ends, not when the job does: a killed driver keeps them. */
  private static final String COMMIT = "mapreduce.fileoutputcommitter.algorithm.version";

  @Parameters(paramLabel = "DIR", arity = "1..*")
  private List<String> folders;

  @Option(names = "--out", paramLabel = "DIR", required = true)
  private String out;

  @Option(names = "--pattern", paramLabel = "REGEX")
  private PathPattern pattern = PathPattern.none();

  @Option(names = "--memory", paramLabel = "SIZE")
  private WorkerHeap memory = new WorkerHeap(WorkerCommand.HEAP);

  @Option(names = "--timeout", paramLabel = "TIME")
  private Duration timeout = FleetRun.PER_CASE;

  @Option(names = "--retry-failed")
  private boolean retryFailed;

  @Option(names = "--no-redact")
  private boolean noRedact;

  @Option(names = "--redact-hosts")
  private boolean redactHosts;

  private FleetJob() {}

  /**
   * The job that a command line describes.
   *
   * @throws CommandLine.ParameterException if it says what no option is
   */
  static FleetJob of(String... arguments) {
    FleetJob job = new FleetJob();
    new CommandLine(job)
        .registerConverter(PathPattern.class, PathPattern::parse)
        .registerConverter(WorkerHeap.class, WorkerHeap::parse)
        .registerConverter(Duration.class, Durations::parse)
        .parseArgs(arguments);
    return job;
  }

  /** For {@code spark-submit}. */
  public static void main(String[] arguments) throws IOException {
    FleetJob job;
    try {
      job = of(arguments);
    } catch (CommandLine.ParameterException e) {
      System.err.println("gcdiag: " + e.getMessage());
      System.exit(USAGE);
      return;
    }
    SparkConf conf = new SparkConf().setIfMissing("spark.app.name", "gcdiag fleet");
    try (SparkSession spark = SparkSession.builder().config(conf).getOrCreate()) {
      System.err.println("gcdiag: " + job.run(spark) + " folders analysed");
    }
  }

  /** Analyses the folders that have no rows or have changed, and returns how many there were. */
  long run(SparkSession spark) throws IOException {
    Configuration hadoop = spark.sparkContext().hadoopConfiguration();
    Path results = new Path(out);
    FileSystem storage = results.getFileSystem(hadoop);
    Path rows = storage.makeQualified(new Path(results, ROWS));
    storage.mkdirs(rows);
    List<String> roots = roots(hadoop);
    CaseTask.Wishes wishes = new CaseTask.Wishes(!noRedact, redactHosts, CaseTask.Reports.NONE);
    Dataset<Row> missing =
        listed(spark, roots, rows.getParent())
            .join(done(spark, rows), new String[] {"folder", "stamp"}, "left_anti")
            .persist();
    long count = missing.count();
    if (count > 0) {
      long least = TASKS_PER_CORE * (long) spark.sparkContext().defaultParallelism();
      long tasks = Math.min(count, Math.max(least, count / FOLDERS_PER_TASK));
      missing
          .repartition((int) tasks)
          .mapPartitions(
              new FolderVisit(
                  new SerializableConfiguration(hadoop),
                  roots,
                  pattern.toString(),
                  wishes,
                  new FolderVisit.Limits(memory.size().value(), timeout)),
              Encoders.STRING())
          .write()
          .option(COMMIT, 2)
          .text(new Path(rows, "job=" + System.currentTimeMillis()).toString());
    }
    missing.unpersist();
    return count;
  }

  /**
   * The folders to search, none of them inside of another; their last names begin those of cases.
   */
  private List<String> roots(Configuration hadoop) throws IOException {
    TreeSet<String> all = new TreeSet<>();
    for (String folder : folders) {
      Path path = new Path(folder);
      FileStatus found = path.getFileSystem(hadoop).getFileStatus(path);
      if (!found.isDirectory() || found.getPath().isRoot()) {
        throw new IOException(path + ": give a folder, and not the root of a file system");
      }
      all.add(found.getPath().toString());
    }
    all.removeIf(one -> all.stream().anyMatch(other -> one.startsWith(other + "/")));
    if (all.stream().map(one -> new Path(one).getName()).distinct().count() < all.size()) {
      throw new IOException("folders of the same name: give the one that holds them, " + all);
    }
    return List.copyOf(all);
  }

  /** The folders with files; what their rows depend on is in the stamp. */
  private Dataset<Row> listed(SparkSession spark, List<String> roots, Path leftOut) {
    Column file = struct(col("path"), col("length"), col("modificationTime").cast("long"));
    String options =
        String.join("\0", Version.answering(), pattern + "\0" + noRedact + redactHosts);
    return spark
        .read()
        .format("binaryFile")
        .option("recursiveFileLookup", true)
        .load(roots.toArray(String[]::new))
        .where(not(col("path").startsWith(leftOut + "/")))
        .groupBy(regexp_extract(col("path"), "(.*)/[^/]*", 1).as("address"))
        .agg(sort_array(collect_list(file)).as("files"))
        .select(
            col("address"),
            col("files.path").as("files"),
            sha2(col("address"), 256).as("folder"),
            sha2(concat(to_json(col("files")), lit(options)), 256).as("stamp"));
  }

  /** The folders as the last job that visited them found them. */
  private Dataset<Row> done(SparkSession spark, Path rows) {
    Column failed = col("conclusion").equalTo(CaseOutcome.FAILED.id()).as("failed");
    return spark
        .read()
        .schema("folder STRING, stamp STRING, conclusion STRING, job BIGINT")
        .json(rows.toString())
        .groupBy("folder")
        .agg(max(struct(col("job"), col("stamp"), failed)).as("last"))
        .where(not(col("last.failed").and(lit(retryFailed))))
        .select(col("folder"), col("last.stamp").as("stamp"));
  }
}
