package io.gcdiag.cli.command;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.ingest.JfrReader;
import io.gcdiag.ingest.Progress;
import io.gcdiag.ingest.ReadOptions;
import io.gcdiag.ingest.frames.FrameBook;
import io.gcdiag.ingest.frames.IllegalFramesException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What the names in the inputs mean, and which code reads them. */
final class MeaningOptions {

  @Option(
      names = "--map",
      paramLabel = "SERIES=MEANING",
      description =
          "what a series or column of a metrics file measures, such as waiting=pool-pending; an"
              + " unknown meaning lists all meanings; repeatable")
  private Map<String, MetricMeaning> meanings = Map.of();

  @Option(
      names = "--frames",
      paramLabel = "FILE",
      description =
          "the meaning of stack frames of your own pools, clients and servers, in addition to the"
              + " built-in ones")
  private Optional<Path> frames = Optional.empty();

  @Option(
      names = "--jfr-reader",
      paramLabel = "READER",
      description =
          "parser for JFR recordings: own, or api, the JDK's, which is slower, for cross-checking"
              + " (default: own)")
  private JfrReader jfrReader = JfrReader.OWN;

  /** How to read them. */
  ReadOptions reading() {
    return new ReadOptions(meanings, frames(), jfrReader, false, Progress.NONE);
  }

  /** The known frames, with the user's on top. */
  private FrameBook frames() {
    try {
      return frames.map(FrameBook::with).orElseGet(FrameBook::standard);
    } catch (IllegalFramesException e) {
      throw CommandFailure.usage(e.getMessage(), e);
    }
  }
}
