package io.gcdiag.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.cli.PlainRuns;
import io.gcdiag.ingest.jfr.RecordingSettings;
import org.junit.jupiter.api.Test;

/** {@code gcdiag completion} and {@code gcdiag recording-settings}: text for other programs. */
class CompletionCommandTest extends PlainRuns {

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
