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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where the answer goes and what it looks like. */
final class OutputOptions {

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "table, markdown (md), html, json, or junit for analyze and slo (default: by the ending of"
              + " --output, else table)")
  private ReportFormat format = ReportFormat.TABLE;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description =
          "write to this file instead of standard output; .txt, .md, .html, .json and .xml (JUnit)"
              + " give the format unless --format does")
  private Path output;

  @Option(names = "--force", description = "replace files that exist")
  private boolean force;

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      description = "when to use colours: auto, always or never (default: auto, on a terminal)")
  private Terminal.Colour colour = Terminal.Colour.AUTO;

  @Option(names = "--ascii", description = "text in ASCII only, without box-drawing characters")
  private boolean ascii;

  @Option(names = "--verbose", description = "text with all details")
  private boolean verbose;

  @Option(
      names = "--max-size",
      paramLabel = "SIZE",
      description =
          "upper limit for a Markdown report, such as 64k for GitHub or 32k for Jira; details are"
              + " left out first (default: no limit)")
  private Bytes maxSize;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

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
    warnOfOtherEnding();
  }

  /** The ending of the file gives the format, unless the command line does. */
  private ReportFormat format() {
    return given("--format") ? format : ending().orElse(format);
  }

  private Optional<ReportFormat> ending() {
    return Optional.ofNullable(output).flatMap(file -> ReportFormat.ofFileName(file.toString()));
  }

  private void warnOfOtherEnding() {
    if (given("--format") && !given("--quiet") && ending().filter(e -> e != format).isPresent()) {
      Messages.say(
          command.commandLine().getErr(),
          output
              + " is written as "
              + format.id()
              + ", as --format says; its ending stands for "
              + ending().get().id());
    }
  }

  private boolean given(String option) {
    return command.commandLine().getParseResult().hasMatchedOption(option);
  }

  void print(Printable answer, PrintWriter out, Terminal terminal) {
    ReportFormat format = format();
    if (!format.fits(answer)) {
      throw CommandFailure.usage(
          (given("--format")
                  ? "'" + format.id() + "'"
                  : output + " means " + format.id() + ", which")
              + " is for answers that pass or fail: analyze and slo");
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
