package io.gcdiag.cli;

import io.gcdiag.AnalysisRequest;
import io.gcdiag.AnalysisRequest.Input;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.report.Printable;
import io.gcdiag.units.Bytes;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The destination and the format of the answer. */
final class OutputOptions extends OptionGroup {

  private static final String FORMAT = "--format";

  private final Supplier<ReportFormat> format =
      command.value(FORMAT, "FORMAT", ReportFormat.class, ReportFormat.TABLE);

  private final Supplier<Optional<Path>> output = command.value("--output", "FILE", Path.class);

  private final BooleanSupplier force = command.flag("--force");

  private final Supplier<Terminal.Colour> colour = command.colour();

  private final BooleanSupplier ascii = command.flag("--ascii");

  private final BooleanSupplier verbose = command.flag("--verbose");

  private final BooleanSupplier noPager = command.flag("--no-pager");

  private final Supplier<Optional<Bytes>> maxSize =
      command.value("--max-size", "SIZE", Bytes.class);

  OutputOptions(CommandModel command) {
    super(command);
  }

  /** Fails early if a named file cannot be written. */
  void check(List<Path> inputs) {
    check(inputs, List.of());
  }

  /** The same, with files that are written as well. */
  void check(AnalysisRequest request, List<Path> others) {
    check(request.inputs().stream().map(Input::path).toList(), others);
  }

  private void check(List<Path> inputs, List<Path> others) {
    List<Path> files = new ArrayList<>(others);
    output.get().ifPresent(files::add);
    OutputFile.checkDistinct(files);
    files.forEach(file -> OutputFile.check(file, inputs, force.getAsBoolean()));
    Optional<ReportFormat> other = ending().filter(format -> format != this.format.get());
    if (command.given(FORMAT) && !command.given(ReadingOptions.QUIET) && other.isPresent()) {
      Messages.say(
          command.err(),
          "%s is written as %s, as --format says; its ending stands for %s"
              .formatted(output.get().get(), format.get().id(), other.get().id()));
    }
  }

  private Optional<ReportFormat> ending() {
    return output.get().flatMap(file -> ReportFormat.ofFileName(file.toString()));
  }

  void print(Printable answer, PrintWriter out, Terminal terminal) {
    ReportFormat chosen = command.given(FORMAT) ? format.get() : ending().orElseGet(format);
    if (!chosen.fits(answer)) {
      throw CommandFailure.usage(
          (command.given(FORMAT)
                  ? "'" + chosen.id() + "'"
                  : output.get().get() + " means " + chosen.id() + ", which")
              + " is for answers that pass or fail: analyze and slo");
    }
    Optional<Path> file = output.get();
    if (file.isPresent()) {
      boolean inColour = colour.get() == Terminal.Colour.ALWAYS;
      OutputFile.write(file.get(), chosen.render(answer, look().coloured(inColour)));
      return;
    }
    Look look = look().coloured(terminal.useColour(colour.get()));
    Terminal paging = noPager.getAsBoolean() ? terminal.unpaged() : terminal;
    paging.print(chosen.render(answer, terminal.fit(look)), out);
  }

  /** The presentation of reports in files. */
  Look look() {
    return new Look(
        false,
        Look.USUAL,
        ascii.getAsBoolean(),
        verbose.getAsBoolean(),
        maxSize.get().map(size -> OptionalLong.of(size.value())).orElseGet(OptionalLong::empty),
        OptionalInt.empty());
  }
}
