package io.gcdiag.cli.command;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.report.CorrelationDocument;
import io.gcdiag.correlation.CorrelationRequest;
import io.gcdiag.correlation.Correlations;
import io.gcdiag.correlation.Percentile;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Holds every series of the inputs against the tail of the latency. */
@Command(
    name = "correlate",
    sortOptions = false,
    addMethodSubcommands = false,
    description = "Correlates every series of the inputs with the tail of the latency.")
final class CorrelateCommand implements Callable<Integer> {

  @Mixin private InputOptions inputs;

  @Option(
      names = "--percentile",
      paramLabel = "PERCENTILE",
      description = "latency percentile to correlate with: p95, p99, p99.9 (default: p95)")
  private Percentile percentile = new Percentile(95);

  @Option(
      names = "--every",
      paramLabel = "DURATION",
      description = "length of the intervals (default: 10s, or what the inputs allow)")
  private Duration every;

  @Mixin private ZoneOption zone;

  @Mixin private ReadingOptions reading;

  @Mixin private OutputOptions output;

  @Spec private CommandSpec spec;

  private final Terminal terminal;

  CorrelateCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    CorrelationRequest what = what();
    List<AnalysisRequest.Input> files = inputs.all();
    output.check(files.stream().map(AnalysisRequest.Input::path).toList());
    Correlations correlations =
        Analysis.correlate(
            reading.of(AnalysisRequest.of(files).with(inputs.reading()), terminal), what);
    reading.tell(correlations.inputs());
    output.print(
        new CorrelationDocument(correlations, zone.zone()), spec.commandLine().getOut(), terminal);
    return ExitCode.DONE.code();
  }

  private CorrelationRequest what() {
    try {
      return new CorrelationRequest(percentile, Optional.ofNullable(every));
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage("--every: " + e.getMessage(), e);
    }
  }
}
