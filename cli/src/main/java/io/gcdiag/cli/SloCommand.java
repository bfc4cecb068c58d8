package io.gcdiag.cli;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.report.SloDocument;
import io.gcdiag.loadtests.SloJudge.SloTargets;
import io.gcdiag.loadtests.SloResult;
import io.gcdiag.loadtests.SloResult.Met;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Checks a load test against its targets. */
final class SloCommand extends Command {

  /** The results that make the run fail. */
  enum FailOn {
    /** A target that is missed, or that the files cannot show to be met. */
    SLO
  }

  private final InputOptions inputs = new InputOptions(command);

  private final Supplier<Optional<Duration>> p50 =
      command.value("--p50", "DURATION", Duration.class);

  private final Supplier<Optional<Duration>> p90 =
      command.value("--p90", "DURATION", Duration.class);

  private final Supplier<Optional<Duration>> p95 =
      command.value("--p95", "DURATION", Duration.class);

  private final Supplier<Optional<Duration>> p99 =
      command.value("--p99", "DURATION", Duration.class);

  private final Supplier<Optional<Rate>> rate = command.value("--rate", "RATE", Rate.class);

  private final Supplier<Optional<Ratio>> success =
      command.value("--success", "SHARE", Ratio.class);

  private final Supplier<Optional<Duration>> length =
      command.value("--for", "DURATION", Duration.class);

  private final Supplier<Optional<FailOn>> failOn =
      command.value("--fail-on", "LEVEL", FailOn.class);

  private final ReadingOptions reading = new ReadingOptions(command);

  private final OutputOptions output = new OutputOptions(command);

  SloCommand(Terminal terminal) {
    super("slo", terminal);
  }

  @Override
  public Integer call() {
    SloTargets targets = targets();
    AnalysisRequest request = inputs.request();
    output.check(request, List.of());
    SloResult result =
        CommandFailure.unlessRefused(
            IllegalArgumentException.class,
            () -> Analysis.slo(reading.of(request, terminal), targets));
    reading.tell(result.inputs());
    output.print(new SloDocument(result), command.out(), terminal);
    boolean fails = failOn.get().isPresent() && result.met() != Met.MET;
    return (fails ? ExitCode.VERDICT_STANDS : ExitCode.DONE).code();
  }

  private SloTargets targets() {
    SortedMap<Double, Duration> latency = new TreeMap<>();
    p50.get().ifPresent(limit -> latency.put(50.0, limit));
    p90.get().ifPresent(limit -> latency.put(90.0, limit));
    p95.get().ifPresent(limit -> latency.put(95.0, limit));
    p99.get().ifPresent(limit -> latency.put(99.0, limit));
    return CommandFailure.unlessRefused(
        IllegalArgumentException.class,
        () -> new SloTargets(latency, rate.get(), success.get(), length.get()));
  }
}
