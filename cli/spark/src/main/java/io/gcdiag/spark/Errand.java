package io.gcdiag.spark;

import io.gcdiag.cli.fleet.CaseTask;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.fleet.cases.FleetCase;
import io.gcdiag.spark.storage.StoragePath;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A case to fetch and analyse, as the driver gives it to an executor.
 *
 * @param task the case with its files as they are named on the executor, below its own folder
 * @param files where they are, those of the case first, in its order
 * @param report where the report goes, if there is one
 * @param bytes of all files
 */
record Errand(String task, List<String> files, String report, long bytes) implements Serializable {

  /**
   * That of a case that was found.
   *
   * @param found with its files where they are
   * @param results the folder of the results
   */
  static Errand of(CaseTask found, StoragePath results) throws IOException {
    FleetCase one = found.one();
    List<Path> files = new ArrayList<>(one.files());
    Path settings = one.folder().resolve(OperatorFacts.SETTINGS_FILE);
    if (!one.whole() && !files.contains(settings) && Files.isRegularFile(settings)) {
      files.add(settings);
    }
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.size(file);
    }
    FleetCase there =
        new FleetCase(
            one.id(),
            local(one, one.folder()),
            one.files().stream().map(file -> local(one, file)).toList(),
            one.whole(),
            one.origin(),
            one.time());
    CaseTask task = new CaseTask(there, found.key(), found.report(), found.wishes());
    return new Errand(
        task.text(),
        files.stream().map(Path::toString).toList(),
        results.resolve(found.report().toString()).toString(),
        bytes);
  }

  /** The folder keeps its name, which reports show, and loses where it was. */
  private static Path local(FleetCase one, Path file) {
    String folder = String.valueOf(one.folder().getFileName());
    return Path.of(folder).resolve(one.folder().relativize(file).toString());
  }

  /** What the analysis process is asked, with the case in a folder of the executor. */
  CaseTask in(Path work) {
    CaseTask relative = CaseTask.of(task).orElseThrow();
    FleetCase one = relative.one();
    FleetCase here =
        new FleetCase(
            one.id(),
            work.resolve(one.folder()),
            one.files().stream().map(work::resolve).toList(),
            one.whole(),
            one.origin(),
            one.time());
    return new CaseTask(here, relative.key(), work.resolve(relative.report()), relative.wishes());
  }
}
