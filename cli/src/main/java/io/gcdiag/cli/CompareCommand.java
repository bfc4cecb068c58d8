package io.gcdiag.cli;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.report.ComparisonDocument;
import io.gcdiag.loadtests.Comparison;
import io.gcdiag.loadtests.Comparison.Run;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Supplier;

/** Puts two runs side by side. */
final class CompareCommand extends Command {

  private final Supplier<Path> before = command.argument(0, "BEFORE", Path.class);

  private final Supplier<Path> after = command.argument(1, "AFTER", Path.class);

  private final Supplier<ZoneId> zone = command.timeZone();

  private final MeaningOptions meanings = new MeaningOptions(command);

  private final ReadingOptions reading = new ReadingOptions(command);

  private final OutputOptions output = new OutputOptions(command);

  CompareCommand(Terminal terminal) {
    super("compare", terminal);
  }

  @Override
  public Integer call() {
    output.check(List.of(before.get(), after.get()));
    Comparison comparison = Analysis.compare(request(before.get()), request(after.get()));
    for (Run run : List.of(comparison.before(), comparison.after())) {
      reading.tell(run.inputs());
    }
    comparison.otherService().ifPresent(reading::warn);
    output.print(new ComparisonDocument(comparison, zone.get()), command.out(), terminal);
    return ExitCode.DONE.code();
  }

  private AnalysisRequest request(Path run) {
    return reading.of(AnalysisRequest.of(run).with(meanings.reading()), terminal);
  }
}
