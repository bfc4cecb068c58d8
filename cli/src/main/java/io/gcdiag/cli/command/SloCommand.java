package io.gcdiag.cli.command;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.report.SloDocument;
import io.gcdiag.slo.Met;
import io.gcdiag.slo.SloResult;
import io.gcdiag.slo.SloTargets;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Holds a load test against its targets. */
@Command(
    name = "slo",
    sortOptions = false,
    addMethodSubcommands = false,
    description =
        "Checks whether a load test meets its targets, and whether the test itself is sound.")
final class SloCommand implements Callable<Integer> {

  /** What makes the run fail. */
  enum FailOn {
    /** A target that is missed, or that the files cannot show to be met. */
    SLO
  }

  @Mixin private InputOptions inputs;

  @Option(
      names = "--p50",
      paramLabel = "DURATION",
      description = "upper limit of the median latency")
  private Duration p50;

  @Option(
      names = "--p90",
      paramLabel = "DURATION",
      description = "upper limit of the 90th percentile")
  private Duration p90;

  @Option(
      names = "--p95",
      paramLabel = "DURATION",
      description = "upper limit of the 95th percentile")
  private Duration p95;

  @Option(
      names = "--p99",
      paramLabel = "DURATION",
      description = "upper limit of the 99th percentile")
  private Duration p99;

  @Option(
      names = "--rate",
      paramLabel = "RATE",
      description = "lower limit of the rate served: 100/s")
  private Rate rate;

  @Option(
      names = "--success",
      paramLabel = "SHARE",
      description = "lower limit of the share of requests that succeed: 99%% or 0.99")
  private Ratio success;

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description = "lower limit of the length of the test")
  private Duration length;

  @Option(
      names = "--fail-on",
      paramLabel = "LEVEL",
      description =
          "slo: exit with 10 unless every target is shown to be met (default: exit with 0)")
  private FailOn failOn;

  @Mixin private ReadingOptions reading;

  @Mixin private OutputOptions output;

  @Spec private CommandSpec spec;

  private final Terminal terminal;

  SloCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    SloTargets targets = targets();
    List<AnalysisRequest.Input> files = inputs.all();
    output.check(files.stream().map(AnalysisRequest.Input::path).toList());
    SloResult result =
        Analysis.slo(
            reading.of(AnalysisRequest.of(files).with(inputs.reading()), terminal), targets);
    reading.tell(result.inputs());
    output.print(new SloDocument(result), spec.commandLine().getOut(), terminal);
    boolean fails = failOn != null && result.met() != Met.MET;
    return (fails ? ExitCode.VERDICT_STANDS : ExitCode.DONE).code();
  }

  private SloTargets targets() {
    SortedMap<Double, Duration> latency = new TreeMap<>();
    put(latency, 50, p50);
    put(latency, 90, p90);
    put(latency, 95, p95);
    put(latency, 99, p99);
    try {
      return new SloTargets(
          latency,
          Optional.ofNullable(rate),
          Optional.ofNullable(success),
          Optional.ofNullable(length));
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(e.getMessage(), e);
    }
  }

  private static void put(SortedMap<Double, Duration> targets, double percentile, Duration limit) {
    if (limit != null) {
      targets.put(percentile, limit);
    }
  }
}
