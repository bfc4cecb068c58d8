package io.gcdiag.cli.command;

import io.gcdiag.cli.report.RuleBookDocument;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;

/** Prints which rule judges which root cause. */
final class RulesCommand implements Callable<Integer> {

  private final CommandModel command =
      new CommandModel(
          this,
          "rules",
          "Lists the rules with the root causes they judge and the signals they need.");

  private final OutputOptions output = new OutputOptions(command);

  private final Terminal terminal;

  RulesCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  CommandSpec spec() {
    return command.spec();
  }

  @Override
  public Integer call() {
    output.check(List.of());
    output.print(new RuleBookDocument(), command.out(), terminal);
    return ExitCode.DONE.code();
  }
}
