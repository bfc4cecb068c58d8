package io.gcdiag.spark;

import io.gcdiag.Analysis;
import io.gcdiag.cli.fleet.CaseRunner;
import io.gcdiag.cli.fleet.CaseTask;
import io.gcdiag.cli.fleet.RowJson;
import io.gcdiag.cli.fleet.WorkerCommand;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.fleet.cases.FleetCase;
import io.gcdiag.ingest.format.Redactor;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One case on an executor: fetched to its disk, analysed in a process of its own, and deleted. The
 * process bounds memory and time, as nothing in the executor's own JVM could, and has the libraries
 * of gcdiag and not those of the cluster. It stays for the next case.
 */
final class CaseVisit implements Function<Errand, String> {

  private static final long serialVersionUID = 1L;

  /** Processes without work, by their limits. */
  private static final ConcurrentHashMap<Limits, Queue<CaseRunner>> IDLE =
      new ConcurrentHashMap<>();

  private static final Logger LOG = LoggerFactory.getLogger(CaseVisit.class);

  private final Broadcast<SerializableConfiguration> hadoop;
  private final Limits limits;

  /**
   * What a case may take.
   *
   * @param heap of the analysis, in bytes
   * @param time for the case to be fetched, and again to be analysed
   * @param tries how often a case is begun: Spark gives up all cases with the first that fails once
   *     more
   */
  record Limits(long heap, Duration time, int tries) implements Serializable {}

  CaseVisit(Broadcast<SerializableConfiguration> hadoop, Limits limits) {
    this.hadoop = hadoop;
    this.limits = limits;
  }

  /** The row of a case, as a line. */
  @Override
  public String call(Errand errand) throws IOException {
    int tried = TaskContext.get().attemptNumber();
    if (tried >= limits.tries()) {
      // Each try before took its executor with it, or was lost with it: nothing told why.
      return failed(
          errand, "its executor was lost " + tried + " times; --retry-failed tries again");
    }
    try {
      Path work = Files.createTempDirectory(disk(), "gcdiag-case");
      try {
        return RowJson.text(visit(errand, work));
      } finally {
        delete(work);
      }
    } catch (IOException | RuntimeException e) {
      if (tried < limits.tries() - 1) {
        throw e;
      }
      return failed(errand, "tried " + limits.tries() + " times: " + e);
    }
  }

  private static String failed(Errand errand, String error) {
    CaseTask task = CaseTask.of(errand.task()).orElseThrow();
    CaseTask.Wishes wishes = task.wishes();
    String shown = Redactor.of(wishes.hideSecrets(), wishes.hideHosts()).redact(error);
    return RowJson.text(CaseRow.failed(task.key(), task.one().placed(), task.one().time(), shown));
  }

  private CaseRow visit(Errand errand, Path work) throws IOException {
    CaseTask task = errand.in(work);
    fetch(errand, task.one());
    Files.createDirectories(task.report().getParent());
    Queue<CaseRunner> idle = IDLE.computeIfAbsent(limits, any -> new ConcurrentLinkedQueue<>());
    CaseRunner runner =
        Optional.ofNullable(idle.poll())
            .orElseGet(() -> new CaseRunner(limits.time(), command(limits.heap())));
    CaseRow row;
    try {
      row = runner.run(task);
    } catch (IOException | RuntimeException e) {
      runner.close();
      throw e;
    }
    idle.add(runner);
    if (!row.report().isEmpty()) {
      org.apache.hadoop.fs.Path target = new org.apache.hadoop.fs.Path(errand.report());
      FileSystem storage = target.getFileSystem(configuration());
      storage.copyFromLocalFile(
          true, true, new org.apache.hadoop.fs.Path(task.report().toUri()), target);
    }
    return row;
  }

  private Configuration configuration() {
    return hadoop.value().value();
  }

  /** A storage that does not answer is no reason to wait for ever. */
  private void fetch(Errand errand, FleetCase one) throws IOException {
    FutureTask<Void> all = new FutureTask<>(() -> fetchAll(errand, one));
    Thread thread = new Thread(all, "fetch");
    thread.setDaemon(true);
    thread.start();
    try {
      all.get(limits.time().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      all.cancel(true);
      throw new IOException(
          "its files were not fetched within " + Durations.format(limits.time()), e);
    } catch (InterruptedException e) {
      all.cancel(true);
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    }
  }

  private Void fetchAll(Errand errand, FleetCase one) throws IOException {
    for (int i = 0; i < errand.files().size(); i++) {
      org.apache.hadoop.fs.Path from = new org.apache.hadoop.fs.Path(errand.files().get(i));
      // Behind the files of the case come settings.
      Path to = i < one.files().size() ? one.files().get(i) : one.folder().resolve(from.getName());
      Files.createDirectories(to.getParent());
      from.getFileSystem(configuration())
          .copyToLocalFile(false, from, new org.apache.hadoop.fs.Path(to.toUri()), true);
    }
    return null;
  }

  /** That of Spark for what tasks put aside, which it also cleans. */
  private static Path disk() {
    File[] disks = SparkEnv.get().blockManager().diskBlockManager().localDirs();
    return disks[TaskContext.getPartitionId() % disks.length].toPath();
  }

  /** The jar of the job, which Spark brought here, holds all of gcdiag; tests have no such jar. */
  private static List<String> command(long heap) {
    URL own = CaseRunner.class.getProtectionDomain().getCodeSource().getLocation();
    URL library = Analysis.class.getProtectionDomain().getCodeSource().getLocation();
    try {
      return own.toURI().equals(library.toURI())
          ? WorkerCommand.of(Bytes.of(heap), Path.of(own.toURI()).toString())
          : WorkerCommand.of(Bytes.of(heap));
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the jar of the job is at no path", e);
    }
  }

  /** What a fetch that was given up still writes is left to Spark, and is no reason to fail. */
  private static void delete(Path folder) {
    try (Stream<Path> inside = Files.walk(folder)) {
      for (Path one : inside.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(one);
      }
    } catch (IOException | UncheckedIOException e) {
      LOG.debug("{} is not deleted", folder, e);
    }
  }
}
