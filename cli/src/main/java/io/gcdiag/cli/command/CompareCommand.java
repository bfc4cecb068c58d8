package io.gcdiag.cli.command;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.report.ComparisonDocument;
import io.gcdiag.comparison.Comparison;
import io.gcdiag.comparison.Run;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Puts two runs side by side. */
@Command(
    name = "compare",
    sortOptions = false,
    addMethodSubcommands = false,
    description =
        "Compares two runs, such as before and after a fix, and tests whether changes are random.")
final class CompareCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "BEFORE", description = "folder or file of the first run")
  private Path before;

  @Parameters(index = "1", paramLabel = "AFTER", description = "folder or file of the second run")
  private Path after;

  @Mixin private ZoneOption zone;

  @Mixin private MeaningOptions meanings;

  @Mixin private ReadingOptions reading;

  @Mixin private OutputOptions output;

  @Spec private CommandSpec spec;

  private final Terminal terminal;

  CompareCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    output.check(List.of(before, after));
    Comparison comparison = Analysis.compare(request(before), request(after));
    for (Run run : List.of(comparison.before(), comparison.after())) {
      reading.tell(run.inputs());
    }
    output.print(
        new ComparisonDocument(comparison, zone.zone()), spec.commandLine().getOut(), terminal);
    return ExitCode.DONE.code();
  }

  private AnalysisRequest request(Path run) {
    return reading.of(AnalysisRequest.of(run).with(meanings.reading()), terminal);
  }
}
