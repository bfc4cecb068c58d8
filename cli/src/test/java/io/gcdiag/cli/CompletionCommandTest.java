package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.cli.manual.Shell;
import io.gcdiag.read.jfr.RecordingSettings;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** {@code gcdiag completion} and {@code gcdiag recording-settings}: text for other programs. */
class CompletionCommandTest extends PlainRuns {

  @Test
  void eachShellHasItsScript() {
    assertEquals(0, run("completion", "bash"), err::toString);
    assertTrue(out.toString().endsWith("\ncomplete -F _gcdiag gcdiag\n"), out::toString);
    out.getBuffer().setLength(0);
    assertEquals(0, run("completion", "zsh"), err::toString);
    assertTrue(out.toString().startsWith("#compdef gcdiag\n"), out::toString);
    out.getBuffer().setLength(0);
    assertEquals(0, run("completion", "fish"), err::toString);
    assertTrue(out.toString().contains("\ncomplete -c gcdiag -f\n"), out::toString);
    out.getBuffer().setLength(0);
    assertEquals(0, run("completion", "powershell"), err::toString);
    String script = out.toString();
    assertTrue(script.contains("\n    'analyze --color' = @('auto', 'always', 'never')\n"), script);
    assertTrue(script.contains("\n    'help' = @('analyze', 'facts', "), script);
    assertFalse(script.contains("{{"), script);
  }

  @Test
  void withoutANameItIsTheShellOfTheUser() {
    assertEquals(Optional.of(Shell.ZSH), Shell.ofPath("/usr/bin/zsh"));
    assertEquals(Optional.of(Shell.FISH), Shell.ofPath("fish"));
    assertEquals(Optional.empty(), Shell.ofPath("/bin/tcsh"));
    assertEquals(Optional.empty(), Shell.ofPath(""));
    assertEquals(0, run("completion"), err::toString);
  }

  @Test
  void settingsArePrintedAsTheRecorderReadsThem() {
    assertEquals(0, run("recording-settings"), err::toString);
    assertEquals(RecordingSettings.text(false), out.toString());
  }
}
