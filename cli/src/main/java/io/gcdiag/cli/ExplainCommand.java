package io.gcdiag.cli;

import io.gcdiag.cli.manual.Manual;
import io.gcdiag.cli.manual.Manual.Topic;
import io.gcdiag.cli.manual.NearestNames;
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

  private final Supplier<Optional<String>> id = command.optionalArgument(ID, String.class);

  private final BooleanSupplier verbose = command.flag("--verbose");

  private final Supplier<Terminal.Colour> colour = command.colour();

  ExplainCommand(Terminal terminal) {
    super("explain", terminal);
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
                    "no root cause, rule or word is called '%s'; %s'gcdiag explain' lists them all"
                        .formatted(id, NearestNames.question(Manual.nearest(id)))));
  }
}
