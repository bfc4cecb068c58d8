package io.gcdiag.cli.command;

import io.gcdiag.AnalysisRequest.Input;
import io.gcdiag.evidence.InputReport;
import io.gcdiag.ingest.ReadOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What to read. */
final class InputOptions {

  @Parameters(
      paramLabel = "INPUT",
      arity = "0..*",
      description =
          "files, folders, zip and tar archives, or - for standard input; formats are recognised by content")
  private List<Path> any = List.of();

  @Option(
      names = "--jfr",
      paramLabel = "FILE",
      description = "a file that has to be a JFR recording; repeatable")
  private List<Path> recordings = List.of();

  @Option(
      names = "--gc-log",
      paramLabel = "FILE",
      description = "a file that has to be a GC log; repeatable")
  private List<Path> gcLogs = List.of();

  @Option(
      names = "--thread-dump",
      paramLabel = "FILE",
      description = "a file that has to be a thread dump; repeatable")
  private List<Path> threadDumps = List.of();

  @Option(
      names = "--load",
      paramLabel = "FILE",
      description = "a file that has to be the result of a load test; repeatable")
  private List<Path> loads = List.of();

  @Option(
      names = "--metrics",
      paramLabel = "FILE",
      description = "a file that has to be a metrics export; repeatable")
  private List<Path> metrics = List.of();

  @Mixin private MeaningOptions meanings;

  /** All of them in a fixed order. */
  List<Input> all() {
    List<Input> inputs = new ArrayList<>();
    any.forEach(path -> inputs.add(new Input(path, Optional.empty())));
    recordings.forEach(path -> inputs.add(new Input(path, Optional.of(InputReport.RECORDING))));
    gcLogs.forEach(path -> inputs.add(new Input(path, Optional.of("gc-log"))));
    threadDumps.forEach(path -> inputs.add(new Input(path, Optional.of("thread-dump"))));
    loads.forEach(path -> inputs.add(new Input(path, Optional.of("load"))));
    metrics.forEach(path -> inputs.add(new Input(path, Optional.of("metrics"))));
    if (inputs.stream().anyMatch(input -> input.path().toString().isBlank())) {
      throw CommandFailure.usage("the name of an input is empty; is a variable not set?");
    }
    if (inputs.isEmpty()) {
      throw CommandFailure.usage(
          "nothing to read; name files or folders, like 'gcdiag analyze incident.jfr gc.log'");
    }
    return inputs;
  }

  /** How to read them. */
  ReadOptions reading() {
    return meanings.reading();
  }
}
