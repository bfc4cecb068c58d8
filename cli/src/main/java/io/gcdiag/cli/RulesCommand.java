package io.gcdiag.cli;

import io.gcdiag.cli.report.RuleBookDocument;
import java.util.List;

/** Prints which rule judges which root cause. */
final class RulesCommand extends Command {

  private final OutputOptions output = new OutputOptions(command);

  RulesCommand(Terminal terminal) {
    super("rules", terminal);
  }

  @Override
  public Integer call() {
    output.check(List.of());
    output.print(new RuleBookDocument(), command.out(), terminal);
    return ExitCode.DONE.code();
  }
}
