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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  private final Map<Integer, Supplier<Optional<Duration>>> limits = limits(50, 90, 95, 99);
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

  private Map<Integer, Supplier<Optional<Duration>>> limits(int... percentiles) {
    Map<Integer, Supplier<Optional<Duration>>> limits = new LinkedHashMap<>();
    for (int one : percentiles) {
      limits.put(one, command.value("--p" + one, "DURATION", Duration.class));
    }
    return limits;
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
    limits.forEach(
        (percentile, limit) ->
            limit.get().ifPresent(most -> latency.put(percentile.doubleValue(), most)));
    return CommandFailure.unlessRefused(
        IllegalArgumentException.class,
        () -> new SloTargets(latency, rate.get(), success.get(), length.get()));
  }
}
