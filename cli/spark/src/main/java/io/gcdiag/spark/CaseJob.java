package io.gcdiag.spark;

import io.gcdiag.cli.fleet.RowJson;
import io.gcdiag.fleet.CaseRow;
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

/**
 * Has cases analysed by the executors, a task each, and files their rows while others are under
 * way.
 */
final class CaseJob {

  /** Each filing makes a file for each day; what ends the driver costs the rows since the last. */
  private static final Duration BETWEEN_FILINGS = Duration.ofMinutes(5);

  /** Rows in the driver's memory at most, before they are filed. */
  private static final int MOST_HELD = 10_000;

  private static final Duration LOOK = Duration.ofMillis(200);

  /** Spark's own default. */
  private static final int MOST_FAILURES = 4;

  private final SparkContext spark;
  private final JobOptions options;
  private final PrintStream err;

  CaseJob(SparkContext spark, JobOptions options, PrintStream err) {
    this.spark = spark;
    this.options = options;
    this.err = err;
  }

  /** Where rows go. */
  @FunctionalInterface
  interface Filing {
    void file(List<CaseRow> rows) throws IOException;
  }

  /** The first cases are begun first. */
  void run(List<Errand> errands, Filing filing) throws IOException {
    if (errands.isEmpty()) {
      return;
    }
    BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    SimpleFutureAction<Boolean> job = submit(errands, answers);
    int done = 0;
    List<CaseRow> held = new ArrayList<>();
    long filed = System.nanoTime();
    boolean over = false;
    while (!over || !answers.isEmpty()) {
      // Asked before the queue is: after the end of the job no answer comes.
      over = job.isCompleted();
      take(answers, held);
      boolean due = System.nanoTime() - filed >= BETWEEN_FILINGS.toNanos();
      if (!held.isEmpty() && (over || due || held.size() >= MOST_HELD)) {
        filing.file(held);
        done += held.size();
        err.println("gcdiag: " + done + " of " + errands.size() + " cases");
        held.clear();
        filed = System.nanoTime();
      }
    }
    end(job);
  }

  private SimpleFutureAction<Boolean> submit(List<Errand> errands, BlockingQueue<String> answers) {
    JavaSparkContext java = JavaSparkContext.fromSparkContext(spark);
    // Not its own method "broadcast", which Spark 4.0 does not have.
    Broadcast<SerializableConfiguration> hadoop =
        java.broadcast(new SerializableConfiguration(spark.hadoopConfiguration()));
    CaseVisit.Limits limits =
        new CaseVisit.Limits(options.memory().value(), options.timeout(), tries());
    JavaRDD<String> rows =
        java.parallelize(errands, errands.size()).map(new CaseVisit(hadoop, limits));
    Seq<Object> all =
        CollectionConverters.asScala(
                IntStream.range(0, errands.size()).<Object>mapToObj(index -> index).toList())
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

  private static void take(BlockingQueue<String> answers, List<CaseRow> held) throws IOException {
    try {
      String line = answers.poll(LOOK.toNanos(), TimeUnit.NANOSECONDS);
      while (line != null) {
        held.add(RowJson.row(line).orElseThrow());
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
      throw new IOException("the cluster gave the cases up: " + e.getMessage(), e);
    }
  }
}
