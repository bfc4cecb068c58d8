package io.gcdiag.cli;

import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.ReadingOptions.CaseProgress;
import io.gcdiag.cli.fleet.CaseList;
import io.gcdiag.cli.fleet.CaseSpool;
import io.gcdiag.cli.fleet.CaseTask;
import io.gcdiag.cli.fleet.FleetFolder;
import io.gcdiag.cli.fleet.FleetPlan;
import io.gcdiag.cli.fleet.FleetRun;
import io.gcdiag.cli.fleet.FleetRun.WorkerStartException;
import io.gcdiag.cli.fleet.FleetStore;
import io.gcdiag.cli.fleet.WorkerCommand;
import io.gcdiag.cli.fleet.WorkerCommand.WorkerHeap;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.report.FleetDocument;
import io.gcdiag.cli.report.Version;
import io.gcdiag.fleet.CaseFinder;
import io.gcdiag.fleet.CaseOutcome;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.fleet.FleetSummary;
import io.gcdiag.fleet.FleetSummary.GroupBy;
import io.gcdiag.fleet.PathPattern;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.units.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Analyses every case below some folders and summarises them. */
final class FleetCommand extends Command {

  /** Failed cases named on standard error; the summary lists more. */
  private static final int MOST_FAILED = 5;

  private final Supplier<List<Path>> folders = command.arguments("DIR", Path.class);

  private final Supplier<Optional<Path>> list = command.value("--list", "FILE", Path.class);

  private final Supplier<Optional<PathPattern>> pattern =
      command.value("--pattern", "REGEX", PathPattern.class);

  private final Supplier<Optional<Path>> out = command.value("--out", "DIR", Path.class);

  private final Supplier<CaseTask.Reports> reports =
      command.value("--reports", "WHICH", CaseTask.Reports.class, CaseTask.Reports.ALL);

  private final Supplier<Optional<Parallelism>> jobs =
      command.value("--jobs", "N", Parallelism.class);

  private final Supplier<Optional<WorkerHeap>> memory =
      command.value("--memory", "SIZE", WorkerHeap.class);

  private final Supplier<Duration> timeout =
      command.value("--timeout", "DURATION", Duration.class, FleetRun.PER_CASE);

  private final BooleanSupplier retry = command.flag("--retry-failed");

  private final Supplier<GroupBy> groupBy =
      command.value("--group-by", "WHAT", GroupBy.class, GroupBy.SERVICE);

  private final Supplier<Optional<Instant>> changed =
      command.value("--changed-at", "TIME", Instant.class);

  private final OutputOptions output = new OutputOptions(command);

  private final Supplier<ZoneId> zone = command.timeZone();

  private final Supplier<Optional<AnalyzeCommand.FailOn>> failOn =
      command.value("--fail-on", "LEVEL", AnalyzeCommand.FailOn.class);

  private final ReadingOptions reading = new ReadingOptions(command);

  FleetCommand(Terminal terminal) {
    super("fleet", terminal);
  }

  @Override
  public Integer call() {
    output.check(folders.get());
    Path target =
        out.get()
            .orElseThrow(
                () ->
                    CommandFailure.usage(
                        "name a folder for the results, like 'gcdiag fleet recordings/ --out"
                            + " results/'"));
    try {
      FleetFolder results = FleetFolder.prepare(target);
      try (FleetStore store = open(results)) {
        results.clean();
        List<Path> roots = roots();
        if (roots.isEmpty()) {
          return summarise(results, store, row -> true);
        }
        try (CaseList found = list(roots, results, store)) {
          analyse(found, results, store);
          return summarise(results, store, row -> found.has(row.key().id()));
        }
      }
    } catch (WorkerStartException e) {
      throw new CommandFailure(ExitCode.INTERNAL_ERROR, List.of(e.getMessage()), e);
    } catch (UncheckedIOException e) {
      throw CommandFailure.unwritable(target, e.getCause());
    } catch (IOException e) {
      throw CommandFailure.unwritable(target, e);
    }
  }

  private FleetStore open(FleetFolder results) throws IOException {
    FleetStore store =
        FleetStore.open(results.path())
            .orElseThrow(
                () -> CommandFailure.usage("another gcdiag fleet writes to " + results.path()));
    if (store.damaged() > 0) {
      reading.warn(
          "%s: %s damaged lines are not used; their cases are analysed again"
              .formatted(results.path().resolve(FleetStore.FILE), store.damaged()));
    }
    return store;
  }

  private CaseList list(List<Path> roots, FleetFolder results, FleetStore store)
      throws IOException {
    AnalysisRequest wishes = reading.of(AnalysisRequest.of(), terminal);
    CaseTask.Wishes asked =
        new CaseTask.Wishes(wishes.redact(), wishes.redactHosts(), reports.get());
    CaseList found =
        new CaseList(
            CaseSpool.in(results.reports(), "found"),
            store,
            one -> CaseTask.of(one, asked, Version.answering(), results::report),
            reading::warn);
    results.keep(
        CaseFinder.find(
            roots,
            results.roots(),
            pattern.get().orElse(PathPattern.none()),
            List.of(results.path()),
            text -> hidden(text, wishes),
            found));
    return found;
  }

  private void analyse(CaseList found, FleetFolder results, FleetStore store) throws IOException {
    try (CaseSpool missing = CaseSpool.in(results.reports(), "missing")) {
      FleetPlan.make(found, store, retry.getAsBoolean(), missing, store);
      Bytes heap = memory.get().map(WorkerHeap::size).orElse(WorkerCommand.HEAP);
      int processes = jobs.get().map(Parallelism::cases).orElseGet(() -> WorkerCommand.most(heap));
      try (CaseProgress progress = reading.cases(terminal)) {
        FleetRun.run(
            new FleetRun.Limits(
                processes,
                timeout.get(),
                WorkerCommand.of(heap, System.getProperty("java.class.path"))),
            store,
            missing,
            progress);
      }
    }
  }

  /** Each name is redacted separately, so that it is the same in every run. */
  private static String hidden(String text, AnalysisRequest wishes) {
    return Redactor.of(wishes.redact(), wishes.redactHosts()).redact(text);
  }

  private List<Path> roots() {
    List<Path> roots = new ArrayList<>(folders.get());
    list.get().ifPresent(file -> roots.addAll(listed(file)));
    for (Path root : roots) {
      if (!Files.exists(root)) {
        throw CommandFailure.usage(root + ": no such folder");
      }
    }
    return roots;
  }

  private static List<Path> listed(Path file) {
    try {
      return Files.readAllLines(file).stream()
          .map(String::strip)
          .filter(line -> !line.isEmpty())
          .map(Path::of)
          .toList();
    } catch (IOException e) {
      throw CommandFailure.usage(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  private int summarise(FleetFolder results, FleetStore store, Predicate<CaseRow> called) {
    if (store.size() == 0) {
      throw new CommandFailure(ExitCode.NO_INPUT, List.of("no case was found"), null);
    }
    FleetSummary summary = FleetSummary.of(store, groupBy.get(), changed.get());
    int failed = summary.all().count(CaseOutcome.FAILED);
    summary.all().cases().stream()
        .filter(one -> !one.isJudged())
        .limit(MOST_FAILED)
        .map(one -> summary.rows().at(one.place()))
        .forEach(row -> reading.warn(row.key().id() + ": " + row.error()));
    if (failed > MOST_FAILED) {
      reading.warn(failed - MOST_FAILED + " more cases failed; the summary lists them");
    }
    if (failed == store.size()) {
      throw new CommandFailure(ExitCode.NO_INPUT, List.of("no case could be analysed"), null);
    }
    FleetDocument document = new FleetDocument(summary, zone.get());
    OutputFile.write(results.page(), out -> ReportFormat.HTML.write(document, Look.PLAIN, out));
    output.print(document, command.out(), terminal);
    boolean fails = failOn.get().filter(level -> any(store, called.and(level(level)))).isPresent();
    return (fails ? ExitCode.VERDICT_STANDS : ExitCode.DONE).code();
  }

  private static boolean any(FleetStore store, Predicate<CaseRow> wanted) {
    AtomicBoolean any = new AtomicBoolean();
    store.forEach((place, row) -> any.compareAndSet(false, wanted.test(row)));
    return any.get();
  }

  private static Predicate<CaseRow> level(AnalyzeCommand.FailOn level) {
    return switch (level) {
      case PRIMARY -> row -> row.outcome() == CaseOutcome.PRIMARY_SUSPECT;
      case CONTRIBUTING -> row -> !row.suspects().isEmpty();
      case UNDECIDED -> row -> row.outcome() != CaseOutcome.HEALTHY;
    };
  }

  /**
   * How many cases are analysed at once.
   *
   * @param cases at least 1
   */
  record Parallelism(int cases) {

    /** No machine has more cores; a larger number is a mistake. */
    private static final int MOST = 1024;

    /**
     * The number that a user gives.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Parallelism parse(String text) {
      int cases = text.matches("\\d{1,5}") ? Integer.parseInt(text) : 0;
      if (cases < 1 || cases > MOST) {
        throw new IllegalArgumentException(
            "'%s' is not a number of cases at once; write a whole number from 1 to %s"
                .formatted(text, MOST));
      }
      return new Parallelism(cases);
    }
  }
}
