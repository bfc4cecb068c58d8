package io.gcdiag.ingest.gclog;

import io.gcdiag.evidence.HeapChange;
import io.gcdiag.evidence.PauseKind;
import io.gcdiag.ingest.text.Line;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Makes pauses of the lines of a unified log. The line with the duration alone makes one; it is
 * written at the pause's end, so the start is the stamp of the line without duration, or else the
 * end less the duration.
 *
 * <p>One pause may enclose another: CMS and the Serial collector of JDK 11 print a full collection
 * inside the young one that it came from, with the next number. The enclosing one is what the
 * application saw. It is recognised by the start lines, or without them by the numbers.
 */
final class UnifiedPauses {

  /** Pauses that were begun and never ended (a cut log) are forgotten beyond so many. */
  private static final int MOST_OPEN = 64;

  private static final String PAUSE = "Pause ";

  private record Open(LogStamp start, long pausesBefore) {}

  private final LogCollector log;
  private final Map<Long, Open> open = new HashMap<>();
  private final PauseNames names = new PauseNames();

  UnifiedPauses(LogCollector log) {
    this.log = log;
  }

  /** Another run of a JVM begins: what was open is lost. */
  void startOver() {
    open.clear();
  }

  /** A line {@code Pause ...}, of the beginning or of the end. */
  void line(Line line, int text, long gcId, Decorations decorations, long number) {
    int kind = text + PAUSE.length();
    if (kind < line.length()
        && Character.isUpperCase(line.charAt(kind))
        && !ended(line, text, gcId, decorations, number)) {
      begun(gcId, decorations);
    }
  }

  private void begun(long gcId, Decorations decorations) {
    boolean start = decorations.tags().isEmpty() || decorations.tags().endsWith(",start");
    if (!start) {
      return;
    }
    if (open.size() >= MOST_OPEN) {
      open.clear();
    }
    open.put(gcId, new Open(decorations.stamp(), log.pauseCount()));
  }

  /**
   * {@code Pause Full (Ergonomics) 36M->26M(94M) 4.758ms}; false if there is no time at its end.
   */
  private boolean ended(Line line, int text, long gcId, Decorations decorations, long number) {
    int end = trimmed(line);
    if (!line.startsWith("ms", end - 2)) {
      return false;
    }
    int time = wordBefore(line, end);
    Optional<Duration> duration = Figures.millis(line, time, end - 2);
    if (duration.isEmpty()) {
      return false;
    }
    int nameEnd = withoutBlanks(line, text, time);
    int last = wordBefore(line, nameEnd);
    Optional<HeapChange> heap = Figures.heap(line, last, nameEnd);
    if (heap.isPresent()) {
      nameEnd = last - 1;
    }
    Open begun = open.remove(gcId);
    LogStamp start =
        begun != null && begun.start().isPresent()
            ? begun.start()
            : decorations.stamp().minus(duration.get());
    PauseName words = names.of(line.substring(text, nameEnd));
    LoggedHeap memory = new LoggedHeap(heap, words.evacuationFailure());
    LoggedPause pause =
        new LoggedPause(
            start,
            duration.get(),
            words.kind(),
            words.cause(),
            memory,
            Optional.empty(),
            OptionalLong.of(gcId),
            number);
    log.add(enclosing(pause, begun));
    return true;
  }

  private static int trimmed(Line line) {
    return withoutBlanks(line, 0, line.length());
  }

  private static int withoutBlanks(Line line, int from, int to) {
    int end = to;
    while (end > from && Character.isWhitespace(line.charAt(end - 1))) {
      end--;
    }
    return end;
  }

  /** Where the word that ends there begins. */
  private static int wordBefore(Line line, int end) {
    int start = end;
    while (start > 0 && line.charAt(start - 1) != ' ') {
      start--;
    }
    return start;
  }

  /** Takes away the pauses that this one enclosed. */
  private LoggedPause enclosing(LoggedPause pause, Open begun) {
    long from = log.pauseCount();
    if (begun != null) {
      from = begun.pausesBefore();
    } else if (log.lastPause().filter(last -> isInside(last, pause)).isPresent()) {
      from--;
    }
    if (from >= log.pauseCount()) {
      return pause;
    }
    List<LoggedPause> inside = log.takeFrom(from);
    boolean full = inside.stream().anyMatch(nested -> nested.kind() == PauseKind.FULL);
    return full ? pause.withKind(PauseKind.FULL) : pause;
  }

  /** Numbers are given at the start: only a nested collection has the higher one and ends first. */
  private static boolean isInside(LoggedPause last, LoggedPause pause) {
    return pause.kind() == PauseKind.YOUNG
        && last.kind() == PauseKind.FULL
        && last.gcId().getAsLong() == pause.gcId().getAsLong() + 1
        && last.duration().compareTo(pause.duration()) <= 0;
  }
}
