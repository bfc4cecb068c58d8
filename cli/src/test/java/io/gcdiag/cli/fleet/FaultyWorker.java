package io.gcdiag.cli.fleet;

import io.gcdiag.cli.fleet.FleetRun.CaseRunner.WorkerProcess;
import io.gcdiag.fleet.CaseRow;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A process that analyses nothing, and misbehaves as the name of the case says. */
public final class FaultyWorker {

  private FaultyWorker() {}

  /** Answers each case but those that say otherwise. */
  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    // Loads what an answer needs: only a case that hangs shall take longer than its limit.
    RowJson.row("{}");
    out.println("a warning of the JVM");
    out.println(CaseWorker.READY);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      CaseTask task = CaseTask.of(line).orElseThrow();
      String id = task.one().id();
      if (id.startsWith("hangs")) {
        Thread.sleep(Long.MAX_VALUE);
      } else if (id.startsWith("dies-once") && isFirst(task.report())) {
        Runtime.getRuntime().halt(137);
      } else if (id.startsWith("dies-always")) {
        Runtime.getRuntime().halt(134);
      } else if (id.startsWith("memory")) {
        Runtime.getRuntime().halt(WorkerProcess.OUT_OF_MEMORY);
      }
      out.println("a line that is no row");
      out.println(
          RowJson.text(CaseRow.failed(task.key(), task.one().origin(), Optional.empty(), "done")));
    }
  }

  /** Whether no process was given the case before. */
  private static boolean isFirst(Path mark) throws IOException {
    try {
      Files.createFile(mark);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }
}
