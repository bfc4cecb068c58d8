package io.gcdiag.cli.command;

import io.gcdiag.cli.manual.Manual;
import io.gcdiag.cli.manual.Topic;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.TextRenderer;
import io.gcdiag.cli.report.PageDocument;
import io.gcdiag.cli.report.Report;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Prints the page of a root cause or a rule. */
final class ExplainCommand extends Command {

  /** Stands for the id of a page. */
  static final String ID = "ID";

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

  private final ColourOption colour = new ColourOption(command);

  ExplainCommand(Terminal terminal) {
    super("explain", "Explains a root cause or rule of a report.", terminal);
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
    return print(
        TextRenderer.render(
            page, terminal.fit(Look.PLAIN.coloured(terminal.useColour(colour.get())))));
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
