package io.gcdiag.spark;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.Analysis;
import io.gcdiag.cli.fleet.CaseTask;
import io.gcdiag.cli.fleet.FleetRun.CaseRunner;
import io.gcdiag.cli.fleet.RowJson;
import io.gcdiag.cli.fleet.WorkerCommand;
import io.gcdiag.cli.fleet.FleetRun.WorkerStartException;
import io.gcdiag.cli.report.Version;
import io.gcdiag.fleet.CaseFinder;
import io.gcdiag.fleet.CaseKey;
import io.gcdiag.fleet.CaseOrigin;
import io.gcdiag.fleet.CaseRoots;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.fleet.FleetCase;
import io.gcdiag.fleet.PathPattern;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.units.Bytes;
import java.io.IOException;
import java.io.Serializable;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileUtil;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Row;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Folders on an executor, one after another: fetched to its disk, their cases found and analysed,
 * and deleted. The analysis is a process of its own, which bounds memory and time, as nothing in
 * the executor's own JVM could, and has the libraries of gcdiag and not those of the cluster.
 *
 * @param hadoop how its file systems are reached
 * @param roots the folders that were searched
 * @param pattern what paths say of service, host and version; empty for nothing
 * @param wishes what the answers hold
 * @param limits what a case may take
 */
record FolderVisit(
    SerializableConfiguration hadoop,
    List<String> roots,
    String pattern,
    CaseTask.Wishes wishes,
    Limits limits)
    implements MapPartitionsFunction<Row, String> {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * What a case may take.
   *
   * @param heap of the analysis, in bytes
   * @param time for the case to be analysed
   */
  record Limits(long heap, Duration time) implements Serializable {}

  @Override
  public Iterator<String> call(Iterator<Row> folders) throws IOException {
    List<String> lines = new ArrayList<>();
    try (CaseRunner runner = new CaseRunner(limits.time(), command(limits.heap()))) {
      while (folders.hasNext()) {
        Row folder = folders.next();
        for (String line : rows(folder, runner)) {
          ObjectNode row = (ObjectNode) JSON.readTree(line);
          row.put("folder", folder.<String>getAs("folder"));
          lines.add(row.put("stamp", folder.<String>getAs("stamp")).toString());
        }
      }
    }
    return lines.iterator();
  }

  private List<String> rows(Row folder, CaseRunner runner) throws IOException {
    String address = folder.getAs("address");
    String root =
        roots.stream()
            .filter(one -> (address + "/").startsWith(one + "/"))
            .findFirst()
            .orElseThrow();
    String name = root.substring(root.lastIndexOf('/') + 1) + address.substring(root.length());
    Path disk = SparkEnv.get().blockManager().diskBlockManager().localDirs()[0].toPath();
    Path work = Files.createTempDirectory(disk, "gcdiag-folder");
    try {
      return analysed(found(folder, work, name), work, name, runner);
    } catch (WorkerStartException e) {
      throw e;
    } catch (IOException e) {
      Redactor redactor = redactor();
      String shown = redactor.redact(name);
      CaseKey key = new CaseKey(shown, folder.getAs("stamp"), Version.answering());
      CaseOrigin origin =
          new FleetCase(shown, work, List.of(), true, CaseOrigin.UNKNOWN, Optional.empty())
              .placed();
      String why = redactor.redact(e + "; --retry-failed tries again");
      return List.of(RowJson.text(CaseRow.failed(key, origin, Optional.empty(), why)));
    } finally {
      FileUtil.fullyDelete(work.toFile());
    }
  }

  private CaseFinder.Found found(Row folder, Path work, String name) throws IOException {
    Path here = Files.createDirectories(work.resolve(name));
    for (String file : folder.<String>getList(folder.fieldIndex("files"))) {
      org.apache.hadoop.fs.Path from = new org.apache.hadoop.fs.Path(file);
      Path to = here.resolve(from.getName());
      from.getFileSystem(hadoop.value())
          .copyToLocalFile(false, from, new org.apache.hadoop.fs.Path(to.toUri()), true);
    }
    Path root = work.toRealPath().resolve(Path.of(name).getName(0));
    PathPattern origins = pattern.isEmpty() ? PathPattern.none() : PathPattern.parse(pattern);
    return CaseFinder.find(List.of(root), CaseRoots.NONE, origins, List.of(), redactor()::redact);
  }

  /** Names that are no cases are lines too: of a folder without cases, that it was visited. */
  private List<String> analysed(CaseFinder.Found found, Path work, String name, CaseRunner runner)
      throws IOException {
    List<String> lines = new ArrayList<>();
    Set<String> others = new TreeSet<>(found.otherNames());
    others.add(redactor().redact(name));
    for (FleetCase one : found.cases()) {
      CaseTask task = CaseTask.of(one, wishes, Version.answering(), id -> work.resolve("none"));
      lines.add(RowJson.text(runner.run(task)));
      others.remove(one.id());
    }
    others.forEach(other -> lines.add(RowJson.replacedText(other)));
    return lines;
  }

  private Redactor redactor() {
    return Redactor.of(wishes.hideSecrets(), wishes.hideHosts());
  }

  /** The jar of the job, which Spark brought here, holds all of gcdiag; tests have no such jar. */
  private static List<String> command(long heap) {
    URL own = CaseRunner.class.getProtectionDomain().getCodeSource().getLocation();
    URL library = Analysis.class.getProtectionDomain().getCodeSource().getLocation();
    try {
      String classPath =
          own.toURI().equals(library.toURI())
              ? Path.of(own.toURI()).toString()
              : System.getProperty("java.class.path");
      return WorkerCommand.of(Bytes.of(heap), classPath);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the jar of the job is at no path", e);
    }
  }
}
