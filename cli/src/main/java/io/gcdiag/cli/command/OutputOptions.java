package io.gcdiag.cli.command;

import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.report.Printable;
import io.gcdiag.units.Bytes;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Option;

/** Where the answer goes and what it looks like. */
final class OutputOptions {

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "table (default), markdown, html, json, or junit for what passes or fails")
  private ReportFormat format = ReportFormat.TABLE;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "write there instead of to standard output")
  private Path output;

  @Option(names = "--force", description = "replace files that are there already")
  private boolean force;

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      description = "auto (default: on a terminal), always or never")
  private Terminal.Colour colour = Terminal.Colour.AUTO;

  @Option(names = "--ascii", description = "text in ASCII only, without drawn lines")
  private boolean ascii;

  @Option(names = "--verbose", description = "text with all details, not only the first screens")
  private boolean verbose;

  @Option(
      names = "--max-size",
      paramLabel = "SIZE",
      description =
          "a Markdown report takes at most this: 64k (as GitHub takes), 32k (as Jira takes);"
              + " details are left out first")
  private Bytes maxSize;

  /** Fails early if what is named cannot be written. */
  void check(List<Path> inputs) {
    check(inputs, List.of());
  }

  /** The same, with files that are written as well. */
  void check(List<Path> inputs, List<Path> others) {
    List<Path> files = new ArrayList<>(others);
    Optional.ofNullable(output).ifPresent(files::add);
    OutputFile.checkDistinct(files);
    files.forEach(file -> OutputFile.check(file, inputs, force));
  }

  void print(Printable answer, PrintWriter out, Terminal terminal) {
    if (!format.fits(answer)) {
      throw CommandFailure.usage(
          "'" + format.id() + "' is for answers that pass or fail: analyze and slo");
    }
    Optional<Path> file = Optional.ofNullable(output);
    if (file.isPresent()) {
      boolean inColour = colour == Terminal.Colour.ALWAYS;
      OutputFile.write(file.get(), format.render(answer, look().coloured(inColour)));
      return;
    }
    Look look = look().coloured(terminal.useColour(colour));
    out.print(format.render(answer, terminal.fit(look)));
    out.flush();
  }

  /** How reports in files look. */
  Look look() {
    return new Look(
        false,
        Look.USUAL,
        ascii,
        verbose,
        maxSize == null ? OptionalLong.empty() : OptionalLong.of(maxSize.value()));
  }
}
