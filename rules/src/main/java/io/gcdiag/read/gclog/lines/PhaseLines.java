package io.gcdiag.read.gclog.lines;

import io.gcdiag.evidence.jvm.PausePart;
import io.gcdiag.evidence.jvm.PauseStore;
import io.gcdiag.read.bytes.Line;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Phases of a pause, which {@code gc+phases=debug} prints before its last line: {@code Reference
 * Processing: 12.3ms}, {@code Class Unloading 4.5ms}. Two tags print some of them twice.
 */
final class PhaseLines {

  /** Shorter ones make no pause long. */
  private static final Duration LEAST = Duration.ofMillis(1);

  private static final String FIRST = "RCWNP ";

  private final GcLog log;
  private final Map<PausePart, Duration> parts = new EnumMap<>(PausePart.class);
  private long ofCollection = -1;

  PhaseLines(GcLog log) {
    this.log = log;
  }

  /** Whether a message may be of a phase, by its first letter and its end. */
  static boolean isOne(Line line, int text) {
    int end = line.length();
    while (end > text && line.charAt(end - 1) == ' ') {
      end--;
    }
    return FIRST.indexOf(line.charAt(text)) >= 0 && line.startsWith("ms", end - 2);
  }

  /** Keeps what a phase took, if it is one of the parts that are kept. */
  void read(String message, long gcId) {
    String text = message.strip();
    int time = Math.max(text.lastIndexOf(' '), text.lastIndexOf(':')) + 1;
    Optional<PausePart> part = PausePart.of(text.substring(0, time));
    Optional<Duration> took = LogNumbers.millis(text, time, text.length() - "ms".length());
    if (part.isPresent() && took.filter(each -> each.compareTo(LEAST) >= 0).isPresent()) {
      if (gcId != ofCollection) {
        parts.clear();
        ofCollection = gcId;
      }
      parts.merge(part.get(), took.get(), (a, b) -> a.compareTo(b) > 0 ? a : b);
    }
  }

  /** The pause of that collection ended, and was added last. */
  void ended(long gcId) {
    PauseStore pauses = log.pauses();
    int row = pauses.last();
    if (gcId == ofCollection && row >= 0) {
      Duration pause = Duration.ofNanos(pauses.nanos(row));
      parts.forEach(
          (part, took) -> {
            // Phases of a concurrent cycle have its number as well.
            if (took.compareTo(pause) <= 0) {
              log.addPhase(
                  new LoggedPhase(LogStamp.of(pauses, row), pause, part, took, pauses.line(row)));
            }
          });
    }
    parts.clear();
  }

  /** Another run of a JVM begins. */
  void startOver() {
    parts.clear();
  }
}
