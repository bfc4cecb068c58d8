package io.gcdiag.spark;

import io.gcdiag.cli.fleet.CaseTask;
import io.gcdiag.cli.fleet.FleetRun;
import io.gcdiag.cli.fleet.WorkerCommand;
import io.gcdiag.cli.fleet.WorkerHeap;
import io.gcdiag.fleet.GroupBy;
import io.gcdiag.fleet.PathPattern;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * What the command line of a job says; the options are those of {@code gcdiag fleet}.
 *
 * @param folders where the recordings are; none: sum up the rows that are there
 * @param out where the results go
 * @param pattern what paths say of service, host and version
 * @param wishes what the answers hold
 * @param memory the heap of each analysis
 * @param timeout for one case
 * @param retryFailed whether failed cases of earlier jobs are analysed again
 * @param groupBy by what the summary puts cases together
 * @param changedAt divides before from after; absent to look for it
 * @param zone of the times shown
 */
record JobOptions(
    List<String> folders,
    String out,
    PathPattern pattern,
    CaseTask.Wishes wishes,
    Bytes memory,
    Duration timeout,
    boolean retryFailed,
    GroupBy groupBy,
    Optional<Instant> changedAt,
    ZoneId zone) {

  private static final String OUT = "--out";
  private static final String PATTERN = "--pattern";
  private static final String REPORTS = "--reports";
  private static final String MEMORY = "--memory";
  private static final String TIMEOUT = "--timeout";
  private static final String RETRY = "--retry-failed";
  private static final String GROUP_BY = "--group-by";
  private static final String CHANGED_AT = "--changed-at";
  private static final String TIME_ZONE = "--time-zone";
  private static final String NO_REDACT = "--no-redact";
  private static final String REDACT_HOSTS = "--redact-hosts";

  /** Copies the list. */
  JobOptions {
    folders = List.copyOf(folders);
  }

  /**
   * Reads a command line.
   *
   * @throws CommandLine.ParameterException if it says what no option is
   */
  static JobOptions of(String... arguments) {
    CommandSpec spec = CommandSpec.create().name("gcdiag-spark");
    spec.add(
        PositionalParamSpec.builder()
            .paramLabel("DIR")
            .arity("0..*")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .build());
    spec.add(OptionSpec.builder(OUT).paramLabel("DIR").required(true).type(String.class).build());
    value(spec, PATTERN, PathPattern.class);
    value(spec, REPORTS, CaseTask.Reports.class);
    value(spec, MEMORY, WorkerHeap.class);
    value(spec, TIMEOUT, Duration.class);
    value(spec, GROUP_BY, GroupBy.class);
    value(spec, CHANGED_AT, Instant.class);
    value(spec, TIME_ZONE, ZoneId.class);
    for (String flag : List.of(RETRY, NO_REDACT, REDACT_HOSTS)) {
      spec.add(OptionSpec.builder(flag).type(boolean.class).build());
    }
    CommandLine line = new CommandLine(spec);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.registerConverter(PathPattern.class, PathPattern::parse);
    line.registerConverter(WorkerHeap.class, WorkerHeap::parse);
    line.registerConverter(Duration.class, Durations::parse);
    line.registerConverter(Instant.class, Instant::parse);
    line.registerConverter(ZoneId.class, ZoneId::of);
    return of(line.parseArgs(arguments));
  }

  private static void value(CommandSpec spec, String name, Class<?> type) {
    spec.add(OptionSpec.builder(name).type(type).build());
  }

  private static JobOptions of(ParseResult given) {
    return new JobOptions(
        given.matchedPositionalValue(0, List.of()),
        given.matchedOptionValue(OUT, ""),
        given.matchedOptionValue(PATTERN, PathPattern.none()),
        new CaseTask.Wishes(
            !given.hasMatchedOption(NO_REDACT),
            given.hasMatchedOption(REDACT_HOSTS),
            given.matchedOptionValue(REPORTS, CaseTask.Reports.ALL)),
        given.matchedOptionValue(MEMORY, new WorkerHeap(WorkerCommand.HEAP)).size(),
        given.matchedOptionValue(TIMEOUT, FleetRun.PER_CASE),
        given.hasMatchedOption(RETRY),
        given.matchedOptionValue(GROUP_BY, GroupBy.SERVICE),
        Optional.ofNullable(given.matchedOptionValue(CHANGED_AT, (Instant) null)),
        given.matchedOptionValue(TIME_ZONE, ZoneOffset.UTC));
  }
}
