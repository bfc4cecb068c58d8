package io.gcdiag.cli.command;

import io.gcdiag.AnalysisRequest.Input;
import io.gcdiag.evidence.source.InputReport;
import io.gcdiag.ingest.format.ReadOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The inputs. */
final class InputOptions extends OptionGroup {

  private final Supplier<List<Path>> any = command.arguments("INPUT", Path.class);

  private final Supplier<List<Path>> recordings = command.values("--jfr", "FILE", Path.class);

  private final Supplier<List<Path>> gcLogs = command.values("--gc-log", "FILE", Path.class);

  private final Supplier<List<Path>> threadDumps =
      command.values("--thread-dump", "FILE", Path.class);

  private final Supplier<List<Path>> loads = command.values("--load", "FILE", Path.class);

  private final Supplier<List<Path>> metrics = command.values("--metrics", "FILE", Path.class);

  private final MeaningOptions meanings = new MeaningOptions(command);

  InputOptions(CommandModel command) {
    super(command);
  }

  /** All of them in a fixed order. */
  List<Input> all() {
    List<Input> inputs = new ArrayList<>();
    any.get().forEach(path -> inputs.add(new Input(path, Optional.empty())));
    recordings
        .get()
        .forEach(path -> inputs.add(new Input(path, Optional.of(InputReport.RECORDING))));
    gcLogs.get().forEach(path -> inputs.add(new Input(path, Optional.of("gc-log"))));
    threadDumps.get().forEach(path -> inputs.add(new Input(path, Optional.of("thread-dump"))));
    loads.get().forEach(path -> inputs.add(new Input(path, Optional.of("load"))));
    metrics.get().forEach(path -> inputs.add(new Input(path, Optional.of("metrics"))));
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
