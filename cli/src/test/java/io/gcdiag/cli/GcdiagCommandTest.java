package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.Analysis;
import io.gcdiag.cli.settings.Settings;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class GcdiagCommandTest {

  private static final Terminal TERMINAL = new Terminal(false, false, false, 100, 0, true, "");

  @Test
  void aNamedCommandIsMadeAloneUnderItsName() {
    for (String name : all()) {
      if (!Set.of("completion", "help").contains(name)) {
        assertEquals(Set.of(name), commandLine(name, "--help").getSubcommands().keySet());
      }
    }
  }

  @Test
  void helpMistakesAndCompletionKnowAllCommands() {
    assertEquals(all(), commandLine().getSubcommands().keySet());
    assertEquals(all(), commandLine("--help").getSubcommands().keySet());
    assertEquals(all(), commandLine("--debug", "analyze").getSubcommands().keySet());
    assertEquals(all(), commandLine("anlayze").getSubcommands().keySet());
    assertEquals(all(), commandLine("completion").getSubcommands().keySet());
    assertEquals(all(), commandLine("help", "analyze").getSubcommands().keySet());
  }

  @Test
  void aCommandReadsTheSameWhetherAloneOrNot() {
    for (String name : all()) {
      assertEquals(
          commandLine().getSubcommands().get(name).getUsageMessage(),
          commandLine(name).getSubcommands().get(name).getUsageMessage());
    }
  }

  private static Set<String> all() {
    return GcdiagCommand.commands(Analysis::run, TERMINAL).keySet();
  }

  private static CommandLine commandLine(String... arguments) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    return GcdiagCommand.commandLine(
        List.of(arguments),
        Analysis::run,
        TERMINAL,
        StandardInput.none(),
        Settings.Folders.none(),
        nowhere,
        nowhere);
  }
}
