package io.gcdiag.cli.command;

import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.report.Printable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where the answer goes and what it looks like. */
final class OutputOptions {

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "table (default), markdown or json")
  private ReportFormat format = ReportFormat.TABLE;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "write there instead of to standard output")
  private Path output;

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      description = "auto (default: on a terminal), always or never")
  private Terminal.Colour colour = Terminal.Colour.AUTO;

  /** Fails early if what is named cannot be written. */
  void check(List<Path> inputs) {
    if (output != null) {
      OutputFile.check(output, inputs);
    }
  }

  void print(Printable answer, PrintWriter out, Terminal terminal) {
    Optional<Path> file = Optional.ofNullable(output);
    if (file.isPresent()) {
      OutputFile.write(file.get(), format.render(answer, colour == Terminal.Colour.ALWAYS));
      return;
    }
    out.print(format.render(answer, terminal.useColour(colour)));
    out.flush();
  }
}
