package io.gcdiag.cli.command;

import io.gcdiag.AnalysisRequest;
import io.gcdiag.AnalysisRequest.Input;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.cli.settings.SettingKey;
import io.gcdiag.diagnosis.Conclusion;
import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.diagnosis.Judgement;
import io.gcdiag.diagnosis.Verdict;
import io.gcdiag.diagnosis.WindowRequest;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.units.Rate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Reads the files of an incident and says what the cause is. */
@Command(
    name = "analyze",
    sortOptions = false,
    addMethodSubcommands = false,
    description = "Ranks the root causes of an incident from its files.")
final class AnalyzeCommand implements Callable<Integer> {

  /** What makes the run fail; each level includes those before it. */
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

  @Mixin private InputOptions inputs;

  @Option(
      names = "--incident",
      paramLabel = "FROM..TO",
      description =
          "incident window: 60s..120s after the start, or 01:14:00..01:15:00 in UTC (default:"
              + " detected)")
  private WindowRequest incident;

  @Option(
      names = "--baseline",
      paramLabel = "FROM..TO",
      description = "baseline window that the incident is compared with (default: detected)")
  private WindowRequest baseline;

  @Option(
      names = "--rps",
      paramLabel = "RATE",
      description = "request rate: 800, 800/s or 48000/min (default: as the inputs show)")
  private Rate rate;

  @Option(
      names = "--pool-size",
      paramLabel = "N",
      description = "maximum size of the connection pool (default: as the inputs show)")
  private Integer poolSize;

  @Option(
      names = "--hold",
      paramLabel = "DURATION",
      description =
          "time a request holds a connection in normal operation, such as 4.32ms (default: as the"
              + " inputs show)")
  private Duration hold;

  @Mixin private OutputOptions output;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "write a report to this file as well; its ending gives the format: .txt, .md, .html,"
              + " .json or .xml (JUnit); repeatable")
  private List<Path> reports = List.of();

  @Mixin private ZoneOption zone;

  @Option(
      names = "--fail-on",
      paramLabel = "LEVEL",
      description =
          "exit with 10 on a primary suspect (primary), also on a contributing root cause"
              + " (contributing), or on any conclusion but healthy (undecided); each level includes"
              + " those before it (default: exit with 0)")
  private FailOn failOn;

  @Option(
      names = "--cross-check",
      description =
          "read GC logs with GCToolkit as well, which takes some seconds, and report differences")
  private boolean crossCheck;

  @Mixin private ReadingOptions reading;

  @Spec private CommandSpec spec;

  private final Function<AnalysisRequest, Diagnosis> analysis;
  private final Terminal terminal;

  AnalyzeCommand(Function<AnalysisRequest, Diagnosis> analysis, Terminal terminal) {
    this.analysis = analysis;
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    AnalysisRequest request = request();
    checkTargets(request.inputs().stream().map(Input::path).toList());
    Diagnosis diagnosis = diagnose(request);
    reading.tell(diagnosis.inputs());
    DiagnosisDocument document = new DiagnosisDocument(diagnosis, zone.zone());
    output.print(document, spec.commandLine().getOut(), terminal);
    for (Path report : reports) {
      OutputFile.write(report, formatOf(report).render(document, output.look()));
    }
    boolean fails = failOn != null && failOn.appliesTo(diagnosis);
    return (fails ? ExitCode.VERDICT_STANDS : ExitCode.DONE).code();
  }

  private AnalysisRequest request() {
    if (hold != null && hold.isZero()) {
      throw CommandFailure.usage("the hold time must be longer than 0");
    }
    if (rate != null && rate.perSecond() == 0) {
      throw CommandFailure.usage("the rate must be above 0");
    }
    GcdiagCommand root = GcdiagCommand.of(spec.commandLine());
    AnalysisRequest request =
        AnalysisRequest.of(inputs.all())
            .knowing(
                new OperatorFacts(
                    Optional.ofNullable(rate),
                    poolSize == null ? OptionalInt.empty() : OptionalInt.of(poolSize),
                    Optional.ofNullable(hold),
                    root.sourceOf(SettingKey.POOL_SIZE),
                    root.sourceOf(SettingKey.HOLD)))
            .within(Optional.ofNullable(incident), Optional.ofNullable(baseline))
            .with(inputs.reading().crossChecking(crossCheck));
    return reading.of(request, terminal);
  }

  private void checkTargets(List<Path> read) {
    reports.forEach(AnalyzeCommand::formatOf);
    output.check(read, reports);
  }

  private static ReportFormat formatOf(Path report) {
    return ReportFormat.ofFileName(report.toString())
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    report
                        + " does not say its format; let its name end in one of "
                        + ReportFormat.endings()));
  }

  private Diagnosis diagnose(AnalysisRequest request) {
    try {
      return analysis.apply(request);
    } catch (WindowRequest.OutsideException e) {
      throw CommandFailure.usage(e.getMessage(), e);
    }
  }
}
