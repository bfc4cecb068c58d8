package io.gcdiag.read.gclog.lines;

import io.gcdiag.evidence.jvm.PausePart;
import io.gcdiag.evidence.jvm.PauseStore;
import io.gcdiag.read.bytes.Line;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Phases of a pause that logs of JDK 8 and earlier state: in the record of a remark {@code [weak
 * refs processing, 0.0022 secs]}, behind the record of a collection of G1 {@code [Ref Proc: 12.3
 * ms]}.
 */
final class PhaseRecords {

  /** Shorter ones make no pause long. */
  private static final Duration LEAST = Duration.ofMillis(1);

  private static final Pattern PHASE =
      Pattern.compile(
          "\\[((?:GC ref-proc|weak refs processing|(?:class u|U)nloading)), ([\\d.,]+) secs\\]"
              + "|\\[(Ref Proc|Code Root \\w+): ([\\d.,]+) ms\\]");

  private final GcLog log;
  private final PauseStore pauses;

  PhaseRecords(GcLog log) {
    this.log = log;
    this.pauses = log.pauses();
  }

  /** Whether a record has phases of its own; it is read as a whole then, each time. */
  static boolean areIn(String record) {
    return record.contains("[weak refs processing, ") || record.contains("[GC ref-proc, ");
  }

  /** Reads those of the record of the last pause. */
  void ofRecord(String record) {
    if (areIn(record)) {
      read(record);
    }
  }

  /** Reads a line that details the last pause. */
  void ofDetails(Line line) {
    if (pauses.last() >= 0
        && line.length() > 0
        && line.charAt(0) == ' '
        && (line.contains("[Ref Proc: ") || line.contains("[Code Root "))) {
      read(line.toString());
    }
  }

  private void read(String text) {
    int row = pauses.last();
    Duration pause = Duration.ofNanos(pauses.nanos(row));
    Matcher phase = PHASE.matcher(text);
    while (phase.find()) {
      boolean seconds = phase.group(1) != null;
      String name = phase.group(seconds ? 1 : 3);
      String figure = phase.group(seconds ? 2 : 4);
      Optional<Duration> took =
          seconds
              ? LogNumbers.seconds(figure, 0, figure.length())
              : LogNumbers.millis(figure, 0, figure.length());
      Optional<PausePart> part = PausePart.of(name);
      if (part.isPresent() && took.filter(each -> each.compareTo(LEAST) >= 0).isPresent()) {
        log.addPhase(
            new LoggedPhase(
                LogStamp.of(pauses, row), pause, part.get(), took.get(), pauses.line(row)));
      }
    }
  }
}
