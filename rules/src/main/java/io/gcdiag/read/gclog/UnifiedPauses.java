package io.gcdiag.read.gclog;

import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.PauseStore;
import io.gcdiag.evidence.jvm.PauseType;
import io.gcdiag.read.bytes.Line;
import io.gcdiag.units.Nanos;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Makes pauses of the lines of a unified log. The line with the duration alone makes one; it is
 * written at the pause's end, so the start is the stamp of the line without duration, or else the
 * end less the duration.
 *
 * <p>One pause may enclose another: CMS and the Serial collector of JDK 11 print a full GC inside
 * the young one that it came from, with the next number. The enclosing one is what the application
 * saw. It is recognised by the start lines, or without them by the numbers. So it is with the young
 * collection that {@code CMSScavengeBeforeRemark} puts into a remark.
 */
final class UnifiedPauses {

  /** Pauses that were begun and never ended (a cut log) are forgotten beyond so many. */
  private static final int MOST_OPEN = 64;

  /** Stamps are whole milliseconds: two of them lie up to one apart from the times they state. */
  private static final long STAMP_STEP = 1_000_000;

  /** CPU times follow their pause, with a few lines and at most a pause or two between them. */
  private static final int RECENT = 4;

  /** Far more than any collector has kinds and causes of pauses. */
  private static final int MOST_NAMES = 1_000;

  private static final String PAUSE = "Pause ";

  /** The cause of a young collection inside a remark of CMS. */
  private static final String BEFORE_REMARK = "CMS Final Remark";

  private record Open(long wallClock, long uptime, long pausesBefore) {}

  private final Map<Long, Open> open = new HashMap<>();
  private final Map<String, PauseType> names = new HashMap<>();
  private final PauseStore pauses;
  private final MarkingCause marking = new MarkingCause();

  UnifiedPauses(PauseStore pauses) {
    this.pauses = pauses;
  }

  /** Another run of a JVM begins: what was open is lost. */
  void startOver() {
    open.clear();
    marking.cycle = MarkingCause.NONE;
  }

  /** A line {@code Pause ...}, of the beginning or of the end; true if a pause ended with it. */
  boolean line(Line line, int text, long gcId, LineStamp stamp, long number) {
    int kind = text + PAUSE.length();
    if (kind >= line.length() || !Character.isUpperCase(line.charAt(kind))) {
      return false;
    }
    boolean ended = ended(line, text, gcId, stamp, number);
    if (!ended && stamp.isStart(line)) {
      if (open.size() >= MOST_OPEN) {
        open.clear();
      }
      open.put(gcId, new Open(stamp.wallClock(), stamp.uptime(), pauses.count()));
    }
    return ended;
  }

  /**
   * {@code Pause Full (Ergonomics) 36M->26M(94M) 4.758ms}; false if there is no time at its end.
   */
  private boolean ended(Line line, int text, long gcId, LineStamp stamp, long lineNumber) {
    int end = Decorations.trimmed(line, 0, line.length());
    if (!line.startsWith("ms", end - 2)) {
      return false;
    }
    // Some builds of the JDK write a blank before the unit: 6.363 ms.
    int number = Decorations.trimmed(line, text, end - 2);
    int time = wordBefore(line, number);
    long nanos = LogNumbers.nanosOfMillis(line, time, number);
    if (nanos == LogNumbers.NONE) {
      return false;
    }
    int nameEnd = Decorations.trimmed(line, text, time);
    int last = wordBefore(line, nameEnd);
    Optional<HeapChange> heap = SizeText.wholeChange(line, last, nameEnd);
    nameEnd = heap.isPresent() ? last - 1 : nameEnd;
    Open begun = open.isEmpty() ? null : open.remove(gcId);
    if (begun != null
        && !(isBefore(begun.wallClock(), stamp.wallClock())
            && isBefore(begun.uptime(), stamp.uptime()))) {
      // The line before is one of what comes after: the log's newest lines stand first.
      begun = null;
    }
    boolean dated =
        begun != null && (begun.wallClock() != Nanos.NO_TIME || begun.uptime() != Nanos.NO_TIME);
    int row =
        pauses.add(
            dated ? begun.wallClock() : stamp.wallClockBefore(nanos),
            dated ? begun.uptime() : stamp.uptimeBefore(nanos),
            nanos,
            marking.of(line, text, type(line.substring(text, nameEnd)), gcId),
            gcId,
            lineNumber);
    heap.ifPresent(change -> pauses.heap(row, change));
    enclose(begun, row);
    return true;
  }

  /** Where the word that ends there begins. */
  private static int wordBefore(Line line, int end) {
    int start = end;
    while (start > 0 && line.charAt(start - 1) != ' ') {
      start--;
    }
    return start;
  }

  private static boolean isBefore(long earlier, long later) {
    return earlier == Nanos.NO_TIME || later == Nanos.NO_TIME || earlier <= later;
  }

  /**
   * Takes away the pauses that the last one enclosed. What ended meanwhile and lies outside of it,
   * or has a lower number, is another JVM's that writes to the same output.
   */
  private void enclose(Open begun, int row) {
    int from = row;
    if (begun != null) {
      from = (int) Math.max(0, begun.pausesBefore() + pauses.size() - pauses.count());
    } else if (row > 0 && isLastInside(row)) {
      from--;
    }
    int kept = from;
    for (int other = from; other < row; other++) {
      if (!isInside(other, row)) {
        pauses.move(other, kept++);
      } else if (kind(other) == PauseKind.FULL) {
        PauseType own = pauses.type(row);
        pauses.type(row, new PauseType(PauseKind.FULL, own.cause(), own.evacuationFailure()));
      }
    }
    if (kept < row) {
      pauses.move(row, kept);
      pauses.cut(kept + 1);
    }
  }

  private PauseKind kind(int row) {
    return pauses.type(row).kind();
  }

  /** Numbers are given at the start: only a nested collection has the higher one and ends first. */
  private boolean isLastInside(int row) {
    int last = row - 1;
    return switch (kind(row)) {
      case YOUNG ->
          kind(last) == PauseKind.FULL
              && pauses.gcId(last) == pauses.gcId(row) + 1
              && isInside(last, row);
      case REMARK -> pauses.type(last).cause().equals(BEFORE_REMARK) && isInside(last, row);
      default -> false;
    };
  }

  private boolean isInside(int other, int row) {
    return pauses.gcId(other) > pauses.gcId(row)
        && pauses.nanos(other) <= pauses.nanos(row)
        && isInside(pauses.start(other), pauses.nanos(other), pauses.start(row), row)
        && isInside(pauses.uptime(other), pauses.nanos(other), pauses.uptime(row), row);
  }

  private boolean isInside(long start, long nanos, long from, int row) {
    return start == Nanos.NO_TIME
        || from == Nanos.NO_TIME
        || start >= from - STAMP_STEP && start + nanos <= from + pauses.nanos(row) + 2 * STAMP_STEP;
  }

  /** {@code User=0.00s Sys=0.01s Real=0.00s}, of the latest pause of that collection. */
  void cpu(Line line, int text, long gcId) {
    int row = pauses.last();
    while (row >= 0 && row > pauses.last() - RECENT && pauses.gcId(row) != gcId) {
      row--;
    }
    if (row >= 0 && pauses.gcId(row) == gcId) {
      pauses.cpu(
          row, after(line, text, "User="), after(line, text, " Sys="), after(line, text, " Real="));
    }
  }

  /** The seconds behind a word, in nanoseconds: {@code Sys=0.01s}. */
  private static long after(Line line, int from, String word) {
    int at = line.indexOf(word, from);
    int end = at < 0 ? -1 : line.indexOf('s', at + word.length());
    return end < 0 ? LogNumbers.NONE : LogNumbers.nanosOfSeconds(line, at + word.length(), end);
  }

  /**
   * Why G1 marks the heap. A log names the cause with the young collection that starts the marking,
   * and none with the two pauses that are part of it; a recording names it with all of them.
   * Without the cause there would be none of the three.
   *
   * <pre>
   * GC(15) Pause Young (Concurrent Start) (G1 Humongous Allocation) 119M-&gt;118M(300M) 1.7ms
   * GC(16) Concurrent Mark Cycle
   * GC(16) Pause Remark 126M-&gt;126M(300M) 5.1ms
   * </pre>
   */
  private static final class MarkingCause {

    /**
     * Where the heap fills in the ordinary course of things, the pauses of the marking stay alike.
     */
    private static final String ORDINARY = "G1 Evacuation Pause";

    private static final String START = "Pause Young (Concurrent Start)";
    private static final long NONE = Long.MIN_VALUE;

    private String cause = "";

    /** The number of the marking: it gets the next after the collection that starts it. */
    private long cycle = NONE;

    /** Pauses of a marking with its cause; few, and the same object each time. */
    private final Map<PauseType, PauseType> types = new HashMap<>();

    /** The pause's type, with the marking's cause if it is part of one and has none itself. */
    PauseType of(Line line, int text, PauseType named, long gcId) {
      PauseKind kind = named.kind();
      if (line.startsWith(START, text)) {
        cause = named.cause();
        cycle = gcId + 1;
        return named;
      }
      boolean part = kind == PauseKind.REMARK || kind == PauseKind.CLEANUP;
      return part && gcId == cycle && named.cause().isEmpty() && !cause.equals(ORDINARY)
          ? with(named)
          : named;
    }

    private PauseType with(PauseType named) {
      PauseType type = new PauseType(named.kind(), cause, named.evacuationFailure());
      PauseType known = types.putIfAbsent(type, type);
      return known == null ? type : known;
    }
  }

  private PauseType type(String name) {
    if (names.size() >= MOST_NAMES) {
      names.clear();
    }
    return names.computeIfAbsent(name, text -> PauseName.of(text).type());
  }
}
