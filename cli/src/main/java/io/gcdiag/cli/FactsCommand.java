package io.gcdiag.cli;

import io.gcdiag.Analysis;
import io.gcdiag.Analysis.Facts;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.render.JsonRenderer;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.evidence.time.WindowRequest;
import java.util.Optional;
import java.util.function.Supplier;

/** Prints what the files show, without a verdict, for programs that judge for themselves. */
final class FactsCommand extends Command {

  private final InputOptions inputs = new InputOptions(command);

  private final Supplier<Optional<WindowRequest>> incident =
      command.value("--incident", "FROM..TO", WindowRequest.class);

  private final Supplier<Optional<WindowRequest>> baseline =
      command.value("--baseline", "FROM..TO", WindowRequest.class);

  private final ReadingOptions reading = new ReadingOptions(command);

  FactsCommand(Terminal terminal) {
    super("facts", terminal);
  }

  @Override
  public Integer call() {
    AnalysisRequest request = inputs.request().within(incident.get(), baseline.get());
    try {
      Facts facts = Analysis.facts(reading.of(request, terminal));
      reading.tell(facts.diagnosis().inputs());
      return print(
          JsonRenderer.render(new DiagnosisDocument(facts.diagnosis()).facts(facts.onsets())));
    } catch (WindowRequest.RefusedException e) {
      throw CommandFailure.usage(e.getMessage(), e);
    }
  }
}
