package io.gcdiag.cli.command;

import io.gcdiag.cli.manual.Manual;
import io.gcdiag.cli.manual.Topic;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.TextRenderer;
import io.gcdiag.cli.report.PageDocument;
import io.gcdiag.cli.report.Report;
import java.io.PrintWriter;
import java.util.List;
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
    description = "The page of a root cause or a rule; without an ID, which there are.")
final class ExplainCommand implements Callable<Integer> {

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ID",
      description = "as it stands in a report: memory-pressure, pool-wait")
  private String id = "";

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      description = "auto (default: on a terminal), always or never")
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
                        + meant(Manual.nearest(id))
                        + "'gcdiag explain' lists them all"));
  }

  private static String meant(List<String> near) {
    if (near.isEmpty()) {
      return "";
    }
    int last = near.size() - 1;
    return "did you mean "
        + (last == 0 ? "" : String.join(", ", near.subList(0, last)) + " or ")
        + near.get(last)
        + "? ";
  }
}
