package io.gcdiag.cli;

import io.gcdiag.AnalysisRequest;
import io.gcdiag.AnalysisRequest.Input;
import io.gcdiag.evidence.time.InputReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

final class InputOptions extends OptionGroup {

  private final Supplier<List<Path>> any = command.arguments("INPUT", Path.class);

  private final List<Supplier<Stream<Input>>> named =
      List.of(
          named("--jfr", InputReport.RECORDING),
          named("--gc-log", "gc-log"),
          named("--thread-dump", "thread-dump"),
          named("--load", "load"),
          named("--metrics", "metrics"));

  private final MeaningOptions meanings = new MeaningOptions(command);

  InputOptions(CommandModel command) {
    super(command);
  }

  private Supplier<Stream<Input>> named(String option, String format) {
    Supplier<List<Path>> files = command.values(option, "FILE", Path.class);
    return () -> files.get().stream().map(path -> new Input(path, Optional.of(format)));
  }

  /** All of them in a fixed order. */
  List<Input> all() {
    List<Input> inputs = new ArrayList<>();
    any.get().forEach(path -> inputs.add(new Input(path, Optional.empty())));
    named.forEach(files -> files.get().forEach(inputs::add));
    if (inputs.stream().anyMatch(input -> input.path().toString().isBlank())) {
      throw CommandFailure.usage("the name of an input is empty; is a variable not set?");
    }
    if (inputs.isEmpty()) {
      throw CommandFailure.usage(
          "nothing to read; name files or folders, like 'gcdiag analyze incident.jfr gc.log'");
    }
    return inputs;
  }

  AnalysisRequest request() {
    return AnalysisRequest.of(all()).with(meanings.reading());
  }
}
