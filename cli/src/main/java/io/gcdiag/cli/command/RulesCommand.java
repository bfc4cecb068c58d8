package io.gcdiag.cli.command;

import io.gcdiag.cli.report.RuleBookDocument;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints which rule judges which root cause. */
@Command(
    name = "rules",
    sortOptions = false,
    addMethodSubcommands = false,
    description = "Lists the rules with the root causes they judge and the signals they need.")
final class RulesCommand implements Callable<Integer> {

  @Mixin private OutputOptions output;

  @Spec private CommandSpec spec;

  private final Terminal terminal;

  RulesCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    output.check(List.of());
    output.print(new RuleBookDocument(), spec.commandLine().getOut(), terminal);
    return ExitCode.DONE.code();
  }
}
