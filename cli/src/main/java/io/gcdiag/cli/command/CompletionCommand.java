package io.gcdiag.cli.command;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints a script that completes gcdiag's commands and options in a shell. */
@Command(
    name = "completion",
    sortOptions = false,
    addMethodSubcommands = false,
    description = "A script for bash and zsh that completes commands and options: source it.")
final class CompletionCommand implements Callable<Integer> {

  /** Values of an option, as the library lists them: names of constants. */
  private static final Pattern VALUES = Pattern.compile("_option_args=\\([^)]*\\)");

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    PrintWriter out = spec.commandLine().getOut();
    String script = AutoComplete.bash(root.getCommandName(), root);
    // The options are written, and documented, in lower case.
    out.print(VALUES.matcher(script).replaceAll(found -> found.group().toLowerCase(Locale.ROOT)));
    out.flush();
    return ExitCode.DONE.code();
  }
}
