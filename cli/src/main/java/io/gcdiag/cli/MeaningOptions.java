package io.gcdiag.cli;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.read.bytes.JfrReader;
import io.gcdiag.read.bytes.Progress;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.frames.IllegalFramesException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The meaning of names in the inputs, and the reader of recordings. */
final class MeaningOptions extends OptionGroup {

  private final Supplier<Map<String, MetricMeaning>> meanings =
      command.pairs("--map", "SERIES=MEANING", MetricMeaning.class);

  private final Supplier<Optional<Path>> frames = command.value("--frames", "FILE", Path.class);

  private final Supplier<JfrReader> jfrReader =
      command.value("--jfr-reader", "READER", JfrReader.class, JfrReader.OWN);

  private final Supplier<List<String>> requests =
      command.values("--request", "EVENT[:FIELD]", String.class);

  MeaningOptions(CommandModel command) {
    super(command);
  }

  ReadOptions reading() {
    try {
      return new ReadOptions(meanings.get(), frames(), jfrReader.get(), false, Progress.NONE)
          .timedBy(requests.get());
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage("--request: " + e.getMessage(), e);
    }
  }

  /** The known frames; those of the user take precedence. */
  private FrameBook frames() {
    return CommandFailure.unlessRefused(
        IllegalFramesException.class,
        () -> frames.get().map(FrameBook::with).orElseGet(FrameBook::standard));
  }
}
