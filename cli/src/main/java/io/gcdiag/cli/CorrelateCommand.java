package io.gcdiag.cli;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.report.CorrelationDocument;
import io.gcdiag.loadtests.CorrelationRequest;
import io.gcdiag.loadtests.Correlations;
import io.gcdiag.loadtests.Percentile;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Correlates every series of the inputs with the tail latency. */
final class CorrelateCommand extends Command {

  private final InputOptions inputs = new InputOptions(command);

  private final Supplier<Percentile> percentile =
      command.value("--percentile", "PERCENTILE", Percentile.class, new Percentile(95));

  private final Supplier<Optional<Duration>> every =
      command.value("--every", "DURATION", Duration.class);

  private final Supplier<ZoneId> zone = command.timeZone();

  private final ReadingOptions reading = new ReadingOptions(command);

  private final OutputOptions output = new OutputOptions(command);

  CorrelateCommand(Terminal terminal) {
    super("correlate", terminal);
  }

  @Override
  public Integer call() {
    CorrelationRequest what = what();
    AnalysisRequest request = inputs.request();
    output.check(request, List.of());
    Correlations correlations = Analysis.correlate(reading.of(request, terminal), what);
    reading.tell(correlations.inputs());
    output.print(new CorrelationDocument(correlations, zone.get()), command.out(), terminal);
    return ExitCode.DONE.code();
  }

  private CorrelationRequest what() {
    try {
      return new CorrelationRequest(percentile.get(), every.get());
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage("--every: " + e.getMessage(), e);
    }
  }
}
