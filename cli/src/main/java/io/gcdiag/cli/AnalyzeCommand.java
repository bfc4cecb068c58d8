package io.gcdiag.cli;

import io.gcdiag.AnalysisRequest;
import io.gcdiag.books.Edit;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.cli.settings.Settings.SettingKey;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.time.WindowRequest;
import io.gcdiag.units.Rate;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Reads the files of an incident and prints the diagnosis. */
final class AnalyzeCommand extends Command {

  /** The verdicts that make the run fail; each level includes those before it. */
  enum FailOn {
    /** There is a primary suspect. */
    PRIMARY,
    /** A root cause contributes. */
    CONTRIBUTING,
    /** The service is not shown to be healthy. */
    UNDECIDED;

    boolean appliesTo(Diagnosis diagnosis) {
      if (this == UNDECIDED && diagnosis.conclusion() != Conclusion.HEALTHY) {
        return true;
      }
      Verdict mildest = this == PRIMARY ? Verdict.PRIMARY_SUSPECT : Verdict.CONTRIBUTING;
      return diagnosis.judgements().stream()
          .map(Judgement::verdict)
          .anyMatch(verdict -> verdict.compareTo(mildest) <= 0);
    }
  }

  private final InputOptions inputs = new InputOptions(command);

  private final Supplier<Optional<WindowRequest>> incident =
      command.value("--incident", "FROM..TO", WindowRequest.class);

  private final Supplier<Optional<WindowRequest>> baseline =
      command.value("--baseline", "FROM..TO", WindowRequest.class);

  private final Supplier<Optional<Rate>> rate = command.value("--rps", "RATE", Rate.class);

  private final Supplier<Optional<Integer>> poolSize =
      command.value("--pool-size", "N", Integer.class);

  private final Supplier<Optional<Duration>> hold =
      command.value("--hold", "DURATION", Duration.class);

  private final OutputOptions output = new OutputOptions(command);

  private final Supplier<List<Path>> reports = command.values("--report", "FILE", Path.class);

  private final Supplier<ZoneId> zone = command.timeZone();

  private final Supplier<Optional<FailOn>> failOn =
      command.value("--fail-on", "LEVEL", FailOn.class);

  private final BooleanSupplier flags = command.flag("--flags");

  private final BooleanSupplier crossCheck = command.flag("--cross-check");

  private final ReadingOptions reading = new ReadingOptions(command);

  private final Function<AnalysisRequest, Diagnosis> analysis;

  AnalyzeCommand(Function<AnalysisRequest, Diagnosis> analysis, Terminal terminal) {
    super("analyze", terminal);
    this.analysis = analysis;
  }

  @Override
  public Integer call() {
    AnalysisRequest request = request();
    reports.get().forEach(AnalyzeCommand::formatOf);
    output.check(request, reports.get());
    Diagnosis diagnosis =
        CommandFailure.unlessRefused(
            WindowRequest.RefusedException.class, () -> analysis.apply(request));
    reading.tell(diagnosis.inputs());
    DiagnosisDocument document = new DiagnosisDocument(diagnosis, zone.get());
    if (flags.getAsBoolean()) {
      String flags = flags(diagnosis);
      command.out().print(flags.isEmpty() ? flags : flags + System.lineSeparator());
      command.out().flush();
    } else {
      output.print(document, command.out(), terminal);
    }
    for (Path report : reports.get()) {
      OutputFile.write(report, formatOf(report).render(document, output.look()));
    }
    boolean fails = failOn.get().filter(level -> level.appliesTo(diagnosis)).isPresent();
    return (fails ? ExitCode.VERDICT_STANDS : ExitCode.DONE).code();
  }

  private AnalysisRequest request() {
    if (hold.get().filter(Duration::isZero).isPresent()) {
      throw CommandFailure.usage("the hold time must be longer than 0");
    }
    if (rate.get().filter(load -> load.perSecond() == 0).isPresent()) {
      throw CommandFailure.usage("the rate must be above 0");
    }
    GcdiagCommand tool = command.tool();
    AnalysisRequest files = inputs.request();
    AnalysisRequest request =
        files
            .knowing(
                new OperatorFacts(
                    rate.get(),
                    poolSize.get().map(OptionalInt::of).orElseGet(OptionalInt::empty),
                    hold.get(),
                    tool.sourceOf(SettingKey.POOL_SIZE),
                    tool.sourceOf(SettingKey.HOLD)))
            .within(incident.get(), baseline.get())
            .with(files.reading().crossChecking(crossCheck.getAsBoolean()));
    return reading.of(request, terminal);
  }

  /** The JVM flags that the answer advises, as the command line takes them. */
  private static String flags(Diagnosis diagnosis) {
    return diagnosis.judgements().stream()
        .flatMap(judgement -> judgement.advice().edits().stream())
        .filter(edit -> edit.kind() == Edit.Kind.FLAG)
        .map(Edit::change)
        .distinct()
        .collect(Collectors.joining(" "));
  }

  private static ReportFormat formatOf(Path report) {
    String unknown = report + " does not say its format; let its name end in one of ";
    return ReportFormat.ofFileName(report.toString())
        .orElseThrow(() -> CommandFailure.usage(unknown + ReportFormat.endings()));
  }
}
