package io.gcdiag.cli.fleet;

import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.cli.settings.Settings.SettingsException;
import io.gcdiag.fleet.CaseAnalyst;
import io.gcdiag.fleet.CaseAnalyst.Answer;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.verdict.Diagnosis;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;

/**
 * The process that analyses cases, one after another: a line with a case comes in, a line with its
 * row goes out. Many cases in one JVM cost a third of a JVM for each.
 */
public record CaseWorker(PrintWriter out) {

  /** The first line: the process has come up. */
  public static final String READY = "ready";

  /**
   * Answers until the input ends. That is when there is no more to do, or the process that asks is
   * gone: a case in progress is given up then.
   */
  public static void serve(BufferedReader in, PrintWriter out) throws IOException {
    CaseWorker worker = new CaseWorker(out);
    worker.say(READY);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      CaseTask.of(line).ifPresent(worker::begin);
    }
  }

  /** Reading goes on meanwhile, so that the end of the input is noticed. */
  private void begin(CaseTask task) {
    Thread thread = new Thread(() -> say(RowJson.text(answer(task))), "case");
    thread.setDaemon(true);
    thread.start();
  }

  private void say(String line) {
    out.println(line);
    out.flush();
  }

  private static CaseRow answer(CaseTask task) {
    try {
      AnalysisRequest how =
          FolderSettings.of(task.one().folder())
              .applyTo(
                  AnalysisRequest.of()
                      .hiding(task.wishes().hideSecrets(), task.wishes().hideHosts()));
      Answer answer = CaseAnalyst.analyse(task.one(), task.key(), how);
      if (answer.diagnosis().isEmpty() || !task.wishes().reports().has(answer.row())) {
        return answer.row();
      }
      write(task.report(), answer.diagnosis().get());
      return answer.row().reported(reportName(task.report()));
    } catch (SettingsException e) {
      return failed(task, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return failed(task, task.report().getFileName() + " cannot be written: " + e.getMessage());
    } catch (RuntimeException | Error e) {
      // Without an answer the case would seem to hang. Lack of memory ends the process instead.
      return failed(task, "a defect of gcdiag, an internal error: " + e + "; please report it");
    }
  }

  private static CaseRow failed(CaseTask task, String error) {
    Redactor redactor = Redactor.of(task.wishes().hideSecrets(), task.wishes().hideHosts());
    return CaseRow.failed(
        task.key(), task.one().placed(), task.one().time(), redactor.redact(error));
  }

  /** As it is named from the folder of the results. */
  private static String reportName(Path report) {
    return report.getParent().getFileName() + "/" + report.getFileName();
  }

  /** The whole report or none, whatever ends this process. */
  private static void write(Path report, Diagnosis diagnosis) throws IOException {
    Path beside = report.resolveSibling(report.getFileName() + FleetFolder.UNFINISHED);
    WholeFile.write(
        report,
        beside,
        out -> ReportFormat.HTML.write(new DiagnosisDocument(diagnosis), Look.PLAIN, out));
  }
}
