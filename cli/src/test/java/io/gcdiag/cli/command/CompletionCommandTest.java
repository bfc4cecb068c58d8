package io.gcdiag.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Analysis;
import io.gcdiag.cli.Main;
import io.gcdiag.ingest.jfr.RecordingSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** {@code gcdiag completion} and {@code gcdiag recording-settings}: text for other programs. */
class CompletionCommandTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Main.run(
        arguments,
        Analysis::run,
        new Terminal(false, false, false),
        new PrintWriter(out),
        new PrintWriter(err));
  }

  @Test
  void theScriptCompletesTheCommandByItsName() {
    assertEquals(0, run("completion"), err::toString);
    assertTrue(out.toString().contains("complete -F _complete_gcdiag -o default gcdiag"));
  }

  @Test
  void theScriptKnowsCommandsAndOptions() {
    assertEquals(0, run("completion"), err::toString);
    assertTrue(out.toString().contains("analyze"));
    assertTrue(out.toString().contains("'--thread-dump'"));
  }

  @Test
  void valuesAreOfferedAsTheyAreDocumented() {
    assertEquals(0, run("completion"), err::toString);
    assertTrue(out.toString().contains("(\"auto\" \"always\" \"never\") # --color values"));
  }

  @Test
  void settingsArePrintedAsTheRecorderReadsThem() {
    assertEquals(0, run("recording-settings"), err::toString);
    assertEquals(RecordingSettings.text(), out.toString());
  }
}
