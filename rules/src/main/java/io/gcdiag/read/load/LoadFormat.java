package io.gcdiag.read.load;

import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/** What all results of load generators have in common: mostly text, possibly compressed. */
abstract class LoadFormat extends InputFormat {

  /** The option of the command line that names such files. */
  static final String KIND = "load";

  LoadFormat(String id, String description) {
    super(id, KIND, description);
  }

  /**
   * Reads a result.
   *
   * @param text receives what in it cannot be read
   * @param file its name, for the source of the evidence
   * @throws IOException with one line for the user if there is nothing to be had from it
   */
  abstract LoadRun read(LoadText text, String file) throws IOException;

  @Override
  public final Outcome read(InputFile file, IngestContext intake) throws IOException {
    try (InputStream bytes = open(file, intake);
        LoadText text = LoadText.of(bytes)) {
      LoadRun run = readOrSayWhy(text, file.name());
      TimelineBuilder timeline = intake.timeline();
      timeline.requestStats(run.stats());
      run.series()
          // A name may contain secrets from a path or its author.
          .map(series -> series.withEndpoints(intake.redactor()::redact).completed())
          .ifPresent(series -> add(series, run.local(), file.name(), intake));
      text.notes().forEach(note -> intake.note(file.name() + ": " + note));
      timeline.signal(Signal.REQUEST_STATS, SignalState.SEEN);
      return text.lost().isEmpty() ? Outcome.COMPLETE : Outcome.partial(text.lost());
    }
  }

  /** Opens the content; zero bytes in a text are damage and left out. */
  InputStream open(InputFile file, IngestContext intake) throws IOException {
    return intake.open(file).asText();
  }

  /** Local times are placed by the other files. */
  private static void add(
      RequestSeries series, Optional<LocalDateTime> local, String file, IngestContext intake) {
    if (local.isEmpty()) {
      intake.timeline().requestSeries(series);
      return;
    }
    intake.afterLogs(
        clocks -> {
          Instant utc = local.get().toInstant(ZoneOffset.UTC);
          intake
              .timeline()
              .requestSeries(
                  series.shifted(Duration.between(utc, clocks.ofLocal(file, local.get()))));
        });
  }

  /** If nothing is left of a result, it is most often damaged at its beginning. */
  private LoadRun readOrSayWhy(LoadText text, String file) throws IOException {
    try {
      return read(text, file);
    } catch (IOException e) {
      throw text.lost().isEmpty()
          ? e
          : new IOException(e.getMessage() + " (" + text.lost() + ")", e);
    }
  }
}
