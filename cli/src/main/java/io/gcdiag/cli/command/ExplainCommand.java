package io.gcdiag.cli.command;

import io.gcdiag.cli.manual.Manual;
import io.gcdiag.cli.manual.Topic;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.TextRenderer;
import io.gcdiag.cli.report.PageDocument;
import io.gcdiag.cli.report.Report;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the page of a root cause or a rule. */
@Command(
    name = "explain",
    sortOptions = false,
    addMethodSubcommands = false,
    description = "Explains a root cause or rule of a report.")
final class ExplainCommand implements Callable<Integer> {

  /** Stands for the id of a page. */
  static final String ID = "ID";

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = ID,
      description =
          "a root cause or rule as a report names it, such as memory-pressure or pool-wait (default:"
              + " list all ids)")
  private String id = "";

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      description = "when to use colours: auto, always or never (default: auto, on a terminal)")
  private Terminal.Colour colour = Terminal.Colour.AUTO;

  @Spec private CommandSpec spec;

  private final Terminal terminal;

  ExplainCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Report page = id.isEmpty() ? PageDocument.index() : PageDocument.of(topic());
    PrintWriter out = spec.commandLine().getOut();
    out.print(
        TextRenderer.render(page, terminal.fit(Look.PLAIN.coloured(terminal.useColour(colour)))));
    out.flush();
    return ExitCode.DONE.code();
  }

  private Topic topic() {
    return Manual.find(id)
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    "no root cause or rule is called '"
                        + id
                        + "'; "
                        + Suggestion.question(Manual.nearest(id))
                        + "'gcdiag explain' lists them all"));
  }
}
