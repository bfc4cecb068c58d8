package io.gcdiag.spark;

import io.gcdiag.Analysis;
import io.gcdiag.cli.report.Version;
import io.gcdiag.cli.fleet.CaseRunner;
import io.gcdiag.cli.fleet.CaseTask;
import io.gcdiag.cli.fleet.FleetFolder;
import io.gcdiag.cli.fleet.RowJson;
import io.gcdiag.cli.fleet.WorkerCommand;
import io.gcdiag.fleet.CaseKey;
import io.gcdiag.fleet.CaseOrigin;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.fleet.CaseDigest;
import io.gcdiag.fleet.CaseFinder;
import io.gcdiag.fleet.CaseRoots;
import io.gcdiag.fleet.FleetCase;
import io.gcdiag.fleet.PathPattern;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.units.Bytes;
import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;

/**
 * One folder on an executor: fetched to its disk, its cases found and analysed, and deleted. They
 * are analysed in a process of their own, which bounds memory and time, as nothing in the
 * executor's own JVM could, and has the libraries of gcdiag and not those of the cluster. It stays
 * for the next folder.
 */
final class FolderVisit implements Function<Folder, String> {

  private static final long serialVersionUID = 1L;

  /** So many hexadecimal digits tell names apart that look the same. */
  static final int BRIEF = 8;

  /** Processes without work, by their limits. */
  private static final ConcurrentHashMap<Limits, Queue<CaseRunner>> IDLE =
      new ConcurrentHashMap<>();

  private final Broadcast<SerializableConfiguration> hadoop;
  private final String results;
  private final String pattern;
  private final CaseTask.Wishes wishes;
  private final Limits limits;

  /**
   * What a case may take.
   *
   * @param heap of the analysis, in bytes
   * @param time for the case to be analysed
   * @param tries how often a folder is begun: Spark gives up all with the first that fails once
   *     more
   */
  record Limits(long heap, Duration time, int tries) implements Serializable {}

  FolderVisit(
      Broadcast<SerializableConfiguration> hadoop, JobOptions options, String results, int tries) {
    this.hadoop = hadoop;
    this.results = results;
    this.pattern = options.pattern().toString();
    this.wishes = options.wishes();
    this.limits = new Limits(options.memory().value(), options.timeout(), tries);
  }

  /** The rows of the cases, and what is kept of the folder, a line each. */
  @Override
  public String call(Folder folder) throws IOException {
    int tried = TaskContext.get().attemptNumber();
    if (tried >= limits.tries()) {
      // Each try before took its executor with it, or was lost with it: nothing told why.
      return failed(folder, "its executor was lost " + tried + " times");
    }
    try {
      Path work = Files.createTempDirectory(disk(), "gcdiag-folder");
      try {
        return visit(folder, work);
      } finally {
        FileUtil.fullyDelete(work.toFile());
      }
    } catch (IOException | RuntimeException e) {
      if (tried < limits.tries() - 1) {
        throw e;
      }
      return failed(folder, "tried " + limits.tries() + " times: " + e);
    }
  }

  private String failed(Folder folder, String error) {
    Redactor redactor = redactor();
    String hidden = redactor.redact(folder.name());
    String name =
        hidden.equals(folder.name())
            ? hidden
            : hidden + " (" + CaseDigest.ofText(folder.name()).substring(0, BRIEF) + ")";
    CaseOrigin origin =
        new FleetCase(name, Path.of(""), List.of(), true, CaseOrigin.UNKNOWN, Optional.empty())
            .placed();
    String why = redactor.redact(error + "; --retry-failed tries again");
    CaseKey key = new CaseKey(name, folder.stamp(), Version.answering());
    String row = RowJson.text(CaseRow.failed(key, origin, Optional.empty(), why));
    return row + "\n" + RowLog.line(folder, true, folder.known());
  }

  private Redactor redactor() {
    return Redactor.of(wishes.hideSecrets(), wishes.hideHosts());
  }

  private String visit(Folder folder, Path work) throws IOException {
    CaseFinder.Found found = fetched(folder, work);
    StringBuilder lines = new StringBuilder();
    Set<String> marks = new TreeSet<>();
    boolean failed = false;
    for (FleetCase one : found.cases()) {
      CaseTask task =
          CaseTask.of(
              one, wishes, Version.answering(), id -> work.resolve(FleetFolder.reportName(id)));
      String mark = Folder.mark(task.key());
      boolean judged = true;
      if (!folder.known().contains(mark)) {
        CaseRow row = analysed(task);
        judged = row.isJudged();
        lines.append(RowJson.text(row)).append('\n');
      }
      failed |= !judged;
      if (judged) {
        marks.add(mark);
      }
    }
    for (String other : found.otherNames()) {
      lines.append(RowJson.replacedText(other)).append('\n');
    }
    return lines + RowLog.line(folder, failed, marks);
  }

  private CaseFinder.Found fetched(Folder folder, Path work) throws IOException {
    Path root = work.resolve("files").resolve(lastOf(folder.root()));
    Path here = root.resolve(folder.inside());
    Files.createDirectories(here.getParent());
    for (String name : folder.files()) {
      org.apache.hadoop.fs.Path from = new org.apache.hadoop.fs.Path(folder.address());
      Path to = here;
      if (!name.isEmpty()) {
        from = new org.apache.hadoop.fs.Path(from, name);
        to = Files.createDirectories(here).resolve(name);
      }
      from.getFileSystem(configuration())
          .copyToLocalFile(false, from, new org.apache.hadoop.fs.Path(to.toUri()), true);
    }
    Path real = root.toRealPath();
    CaseRoots roots =
        new CaseRoots(
            List.of(new CaseRoots.Root(CaseDigest.ofText(real.toString()), folder.root())));
    PathPattern origins = pattern.isEmpty() ? PathPattern.none() : PathPattern.parse(pattern);
    return CaseFinder.find(List.of(real), roots, origins, List.of(), redactor()::redact);
  }

  private static String lastOf(String name) {
    return name.substring(name.lastIndexOf('/') + 1);
  }

  private CaseRow analysed(CaseTask task) throws IOException {
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
      org.apache.hadoop.fs.Path target = new org.apache.hadoop.fs.Path(results, row.report());
      target
          .getFileSystem(configuration())
          .copyFromLocalFile(
              true, true, new org.apache.hadoop.fs.Path(task.report().toUri()), target);
    }
    return row;
  }

  private Configuration configuration() {
    return hadoop.value().value();
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
}
