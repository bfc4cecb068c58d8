package io.gcdiag.cli.command;

import io.gcdiag.cli.manual.Manual;
import io.gcdiag.cli.manual.Topic;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.TextRenderer;
import io.gcdiag.cli.report.PageDocument;
import io.gcdiag.cli.report.Report;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/** Prints the page of a root cause or a rule. */
final class ExplainCommand implements Callable<Integer> {

  /** Stands for the id of a page. */
  static final String ID = "ID";

  private final CommandModel command =
      new CommandModel(this, "explain", "Explains a root cause or rule of a report.");

  private final Supplier<Optional<String>> id =
      command.optionalArgument(
          ID,
          String.class,
          "a root cause or rule as a report names it, such as memory-pressure or pool-wait (default:"
              + " list all ids)");

  private final BooleanSupplier verbose =
      command.flag(
          "--verbose",
          "the whole page or list: how it is judged, what is not known, what each rule does");

  private final Supplier<Terminal.Colour> colour =
      command.value(
          "--color",
          "WHEN",
          Terminal.Colour.class,
          Terminal.Colour.AUTO,
          "when to use colours: auto, always or never (default: auto, on a terminal)");

  private final Terminal terminal;

  ExplainCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  CommandSpec spec() {
    return command.spec();
  }

  @Override
  public Integer call() {
    Report page =
        id.get()
            .filter(name -> !name.isEmpty())
            .map(
                name ->
                    verbose.getAsBoolean()
                        ? PageDocument.of(topic(name))
                        : PageDocument.brief(topic(name)))
            .orElseGet(verbose.getAsBoolean() ? PageDocument::fullIndex : PageDocument::index);
    PrintWriter out = command.out();
    out.print(
        TextRenderer.render(
            page, terminal.fit(Look.PLAIN.coloured(terminal.useColour(colour.get())))));
    out.flush();
    return ExitCode.DONE.code();
  }

  private static Topic topic(String id) {
    return Manual.find(id)
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    "no root cause or rule is called '%s'; %s'gcdiag explain' lists them all"
                        .formatted(id, Suggestion.question(Manual.nearest(id)))));
  }
}
