package io.gcdiag.spark;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.SimpleFutureAction;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;
import scala.Function0;
import scala.Function1;
import scala.Function2;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/** Has folders visited by the executors, a task each, and keeps rows while others are under way. */
final class FolderTasks {

  /** Each makes a file; what ends the driver costs the rows since the last. */
  private static final Duration BETWEEN_FILES = Duration.ofMinutes(5);

  /** Folders whose rows are in the driver's memory at most, before they are written. */
  private static final int MOST_HELD = 10_000;

  private static final Duration LOOK = Duration.ofMillis(200);

  /** Spark's own default. */
  private static final int MOST_FAILURES = 4;

  private final SparkContext spark;
  private final JobOptions options;
  private final String results;
  private final PrintStream err;

  FolderTasks(SparkContext spark, JobOptions options, String results, PrintStream err) {
    this.spark = spark;
    this.options = options;
    this.results = results;
    this.err = err;
  }

  /** The first folders are begun first. */
  void run(List<Folder> folders, RowLog log) throws IOException {
    if (folders.isEmpty()) {
      return;
    }
    BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    SimpleFutureAction<Boolean> job = submit(folders, answers);
    int done = 0;
    List<String> held = new ArrayList<>();
    long written = System.nanoTime();
    boolean over = false;
    while (!over || !answers.isEmpty()) {
      // Asked before the queue is: after the end of the job no answer comes.
      over = job.isCompleted();
      take(answers, held);
      boolean due = System.nanoTime() - written >= BETWEEN_FILES.toNanos();
      if (!held.isEmpty() && (over || due || held.size() >= MOST_HELD)) {
        log.add(String.join("", held));
        done += held.size();
        err.println("gcdiag: " + done + " of " + folders.size() + " folders");
        held.clear();
        written = System.nanoTime();
      }
    }
    end(job);
  }

  private SimpleFutureAction<Boolean> submit(List<Folder> folders, BlockingQueue<String> answers) {
    JavaSparkContext java = JavaSparkContext.fromSparkContext(spark);
    // Not its own method "broadcast", which Spark 4.0 does not have.
    Broadcast<SerializableConfiguration> hadoop =
        java.broadcast(new SerializableConfiguration(spark.hadoopConfiguration()));
    JavaRDD<String> rows =
        java.parallelize(folders, folders.size())
            .map(new FolderVisit(hadoop, options, results, tries()));
    Seq<Object> all =
        CollectionConverters.asScala(
                IntStream.range(0, folders.size()).<Object>mapToObj(index -> index).toList())
            .toSeq();
    return spark.submitJob(
        rows.rdd(),
        (Function1<Iterator<String>, String> & Serializable) Iterator::next,
        all,
        (Function2<Object, String, BoxedUnit>)
            (index, line) -> {
              answers.add(line);
              return BoxedUnit.UNIT;
            },
        (Function0<Boolean>) () -> true);
  }

  /** One less than Spark allows: the last is for the row that says why there is no answer. */
  private int tries() {
    int allowed =
        spark.isLocal() ? 1 : spark.getConf().getInt("spark.task.maxFailures", MOST_FAILURES);
    return Math.max(1, allowed - 1);
  }

  private static void take(BlockingQueue<String> answers, List<String> held) throws IOException {
    try {
      String line = answers.poll(LOOK.toNanos(), TimeUnit.NANOSECONDS);
      while (line != null) {
        held.add(line);
        line = held.size() < MOST_HELD ? answers.poll() : null;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  private static void end(SimpleFutureAction<Boolean> job) throws IOException {
    try {
      job.get();
    } catch (SparkException e) {
      throw new IOException("the cluster gave the folders up: " + e.getMessage(), e);
    }
  }
}
