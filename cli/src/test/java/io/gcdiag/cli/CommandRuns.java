package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.settings.Settings.Folders;
import io.gcdiag.verdict.Diagnosis;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.function.Function;
import org.junit.jupiter.api.io.TempDir;

/** Runs of the command line over an analysis that is given. */
abstract class CommandRuns {

  @TempDir Path folder;

  AnalysisRequest asked;

  Function<AnalysisRequest, Diagnosis> analysis = request -> SampleDiagnosis.memoryPressure();

  Terminal terminal = Terminal.NONE;

  record Outcome(int code, String out, String err) {}

  Outcome run(String... args) {
    return run(Folders.none(), args);
  }

  /** The same with settings files from these folders. */
  Outcome run(Folders settings, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.run(
            args,
            request -> {
              asked = request;
              return analysis.apply(request);
            },
            terminal,
            StandardInput.none(),
            settings,
            new PrintWriter(out),
            new PrintWriter(err));
    return new Outcome(code, out.toString(), err.toString().replace("\r\n", "\n"));
  }

  void assertFails(int code, String line, Outcome outcome) {
    assertEquals(line + "\n", outcome.err());
    assertEquals(code, outcome.code());
    assertEquals("", outcome.out());
  }
}
