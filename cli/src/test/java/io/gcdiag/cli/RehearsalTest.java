package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.Analysis;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The launcher runs it without looking: a command that fails would only make starts slower. */
@Tag("slow")
class RehearsalTest {

  @Test
  void everyCommandOfItRuns() {
    for (List<String> command : Rehearsal.commands(Path.of("../fixtures/incidents"))) {
      StringWriter said = new StringWriter();
      int code =
          Main.run(
              command.toArray(String[]::new),
              Analysis::run,
              new Terminal(false, false, false, 100, 0, true, ""),
              new PrintWriter(new StringWriter()),
              new PrintWriter(said));
      assertEquals(ExitCode.DONE.code(), code, () -> command + ": " + said);
    }
  }
}
