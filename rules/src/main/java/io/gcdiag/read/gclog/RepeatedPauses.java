package io.gcdiag.read.gclog;

import io.gcdiag.evidence.jvm.PauseStore;
import io.gcdiag.evidence.jvm.PauseType;
import io.gcdiag.read.bytes.Line;
import io.gcdiag.read.bytes.LineFigures;
import io.gcdiag.units.Nanos;
import java.util.Optional;

/**
 * Pauses of a log of JDK 8 or earlier whose lines differ from lines before in their figures only:
 * nearly all of those that are on one line. What cannot be read so is left to the grammar.
 */
final class RepeatedPauses {

  /** G1 has some causes each for young and mixed collections, with and without room to move to. */
  private static final int PATTERNS = 16;

  /** To learn takes as long as to read some ten lines: not worth it for lines that never repeat. */
  private static final int TRIED_AT_FIRST = 100;

  private static final int READ_FOR_A_TRY = 50;

  private final GcLog log;
  private final Dates dates;
  private final YoungLines young;
  private final LineFigures figures = new LineFigures();
  private final PausePattern[] patterns = new PausePattern[PATTERNS];
  private int count;
  private long read;
  private long tried;

  RepeatedPauses(GcLog log, Dates dates, YoungLines young) {
    this.log = log;
    this.dates = dates;
    this.young = young;
  }

  /** Adds the pause of a line if it is like one before. */
  boolean read(Line line, long number) {
    // Figures of a pause follow a blank; the pause follows a stamp or a bracket.
    if (line.length() == 0 || line.charAt(0) == ' ') {
      return false;
    }
    for (int i = 0; i < count; i++) {
      PausePattern pattern = patterns[i];
      if (pattern.matches(line, figures)) {
        boolean sound = pattern.read(line, figures, dates);
        // So the common ones move to the front and are tried first.
        patterns[i] = patterns[Math.max(0, i - 1)];
        patterns[Math.max(0, i - 1)] = pattern;
        if (sound) {
          read++;
          pattern.add(log, young, number);
        }
        return sound;
      }
    }
    return false;
  }

  /**
   * Learns from a line with the last pause and nothing else.
   *
   * @param open where its record opens
   * @param close where that ends, behind its bracket
   */
  void learn(Line line, int open, int close) {
    if (tried > TRIED_AT_FIRST + read / READ_FOR_A_TRY) {
      return;
    }
    tried++;
    PausePattern.of(line, open, close, log.pauses, dates)
        .ifPresent(
            pattern -> {
              count = Math.min(PATTERNS, count + 1);
              patterns[count - 1] = pattern;
            });
  }

  /**
   * The words of a line of JDK 8 or earlier that holds a whole pause, and which of its figures say
   * what. Lines with the same words are read by it: their brackets, kinds and causes are those of
   * the first one, and no text is copied.
   */
  private static final class PausePattern {

    private static final String SECONDS = " secs";
    private static final String TIMES = "[Times: user=";
    private static final String SYSTEM = " sys=";
    private static final String REAL = " real=";
    private static final String TIMES_END = " secs]";
    private static final String AFTER_STAMP = ": ";
    private static final String ARROW = "->";
    private static final String OF_COMMITTED = "K(";

    private static final Part NOTHING = new Part(-1, -1, 0);

    private final byte[] words;
    private final PauseType type;
    private Part date = NOTHING;
    private Part uptime = NOTHING;
    private Part heap = NOTHING;

    /** Whether the heap is printed once, as before and after the pause. */
    private boolean unchanged;

    private Part young = NOTHING;
    private Part duration = NOTHING;
    private Part user = NOTHING;
    private Part system = NOTHING;
    private Part real = NOTHING;

    /** What the line that was read last says, in nanoseconds and bytes. */
    private long readDate;

    private long readUptime;
    private long readNanos;
    private long readUser;
    private long readSystem;
    private long readReal;
    private final SizeText sizes = new SizeText();
    private final SizeText youngSizes = new SizeText();

    /**
     * A part of a line.
     *
     * @param first the number of the figure that it begins with
     * @param last the number of the last figure in it
     * @param behind how many of its characters follow that
     */
    private record Part(int first, int last, int behind) {
      boolean isThere() {
        return first >= 0;
      }

      int from(LineFigures figures) {
        return figures.from(first);
      }

      int to(LineFigures figures) {
        return figures.to(last) + behind;
      }
    }

    private PausePattern(byte[] words, PauseType type) {
      this.words = words;
      this.type = type;
    }

    /**
     * The pattern of a line with the last pause of a log.
     *
     * @param open where the record of its pause opens
     * @param close where it ends, behind its bracket
     * @param pauses the last of them is what the grammar made of the line
     * @param dates the log's
     * @return empty if figures alone do not show what the grammar found
     */
    static Optional<PausePattern> of(
        Line line, int open, int close, PauseStore pauses, Dates dates) {
      LineFigures figures = new LineFigures();
      PausePattern pattern = new PausePattern(LineFigures.words(line), pauses.type(pauses.last()));
      boolean sound =
          figures.match(line, pattern.words)
              && pattern.stamp(line, open, figures)
              && pattern.duration(line, close, figures)
              && pattern.heap(line, open, close, figures, pauses.tellsHeap(pauses.last()))
              && pattern.young(line, open, close, figures)
              && pattern.times(line, close, figures)
              && pattern.read(line, figures, dates)
              && pattern.readsLike(pauses, pauses.last());
      return sound ? Optional.of(pattern) : Optional.empty();
    }

    /** Date and uptime, each with a colon behind it, up to the record. */
    private boolean stamp(Line line, int open, LineFigures figures) {
      int at = 0;
      while (at < open) {
        int end = line.indexOf(AFTER_STAMP, at);
        if (end < 0 || end >= open || uptime.isThere()) {
          return false;
        }
        Part part = part(at, end, figures);
        if (BracketStamp.isUptime(line, at, end)) {
          uptime = part;
        } else if (at == 0) {
          date = part;
        } else {
          return false;
        }
        if (!part.isThere()) {
          return false;
        }
        at = end + AFTER_STAMP.length();
      }
      return at == open;
    }

    /** {@code 0.0323010 secs]}, with nothing between the time and the end of the record. */
    private boolean duration(Line line, int close, LineFigures figures) {
      int end = close - 1 - SECONDS.length();
      if (!line.startsWith(SECONDS, end)) {
        return false;
      }
      int from = end;
      while (from > 0 && line.charAt(from - 1) != ' ') {
        from--;
      }
      duration = part(from, end, figures);
      return duration.isThere();
    }

    /**
     * The last change of sizes in no inner brackets or, of a pause that frees nothing, the first
     * size; of anything else the grammar takes care.
     */
    private boolean heap(Line line, int open, int close, LineFigures figures, boolean told) {
      if (!told) {
        return !line.contains(ARROW) && !line.contains(OF_COMMITTED);
      }
      int depth = 0;
      int size = -1;
      for (int i = close - 2; i > open; i--) {
        char c = line.charAt(i);
        depth += c == ']' ? 1 : c == '[' ? -1 : 0;
        if (depth == 0 && line.startsWith(ARROW, i)) {
          int from = BracketPause.sizeBefore(line, i);
          SizeText sizes = new SizeText(line, from, close);
          heap = sizes.change().isPresent() ? part(from, sizes.position(), figures) : NOTHING;
          return heap.isThere();
        }
        size = depth == 0 && line.startsWith(OF_COMMITTED, i) ? i : size;
      }
      unchanged = true;
      int end = line.indexOf(')', Math.max(size, 0)) + 1;
      heap = size > 0 ? part(BracketPause.sizeBefore(line, size), end, figures) : NOTHING;
      return heap.isThere();
    }

    /** The sizes of the young generation that a young collection states, if it does. */
    private boolean young(Line line, int open, int close, LineFigures figures) {
      int from = YoungLines.sizesOf(type.kind(), line, open);
      if (from < 0) {
        return true;
      }
      SizeText sizes = new SizeText(line, from, close);
      young = sizes.change().isPresent() ? part(from, sizes.position(), figures) : NOTHING;
      return young.isThere();
    }

    /** The CPU times behind the record, and nothing else; or nothing at all. */
    private boolean times(Line line, int close, LineFigures figures) {
      String rest = line.substring(close).strip();
      if (rest.isEmpty()) {
        return true;
      }
      int userEnd = line.indexOf(SYSTEM, close);
      int systemEnd = line.indexOf(REAL, close);
      int realEnd = line.indexOf(TIMES_END, close);
      boolean inOrder = userEnd > 0 && systemEnd > userEnd && realEnd > systemEnd;
      if (!inOrder || !rest.startsWith(TIMES) || !rest.endsWith(TIMES_END)) {
        return false;
      }
      boolean comma = line.charAt(systemEnd - 1) == ',';
      user = part(line.indexOf(TIMES, close) + TIMES.length(), userEnd, figures);
      system = part(userEnd + SYSTEM.length(), systemEnd - (comma ? 1 : 0), figures);
      real = part(systemEnd + REAL.length(), realEnd, figures);
      return user.isThere() && system.isThere() && real.isThere();
    }

    private static Part part(int from, int to, LineFigures figures) {
      for (int first = 0; first < figures.count(); first++) {
        if (figures.from(first) == from) {
          int last = first;
          while (last + 1 < figures.count() && figures.to(last + 1) <= to) {
            last++;
          }
          return new Part(first, last, to - figures.to(last));
        }
      }
      return NOTHING;
    }

    /** Whether a line has the words; its figures are known then. */
    boolean matches(Line line, LineFigures figures) {
      return figures.match(line, words);
    }

    /**
     * Reads a line that matches.
     *
     * @return false if a figure is none that the grammar would take there
     */
    boolean read(Line line, LineFigures figures, Dates dates) {
      readDate = Nanos.NO_TIME;
      readUptime = Nanos.NO_TIME;
      readNanos = seconds(duration, line, figures);
      if (date.isThere()) {
        readDate = dates.nanos(line, date.from(figures), date.to(figures));
      }
      if (uptime.isThere()) {
        int from = uptime.from(figures);
        int to = uptime.to(figures);
        boolean sound = BracketStamp.isUptime(line, from, to);
        readUptime = sound ? LogNumbers.nanosOfSeconds(line, from, to) : LogNumbers.NONE;
      }
      if (user.isThere()) {
        readUser = seconds(user, line, figures);
        readSystem = seconds(system, line, figures);
        readReal = seconds(real, line, figures);
      }
      return readNanos != LogNumbers.NONE
          && (!date.isThere() || readDate != Nanos.NO_TIME)
          && (!uptime.isThere() || readUptime != LogNumbers.NONE)
          && (!heap.isThere() || readHeap(line, figures))
          && (!young.isThere() || youngSizes.isChange(line, young.from(figures), young.to(figures)))
          && (!user.isThere()
              || readUser != LogNumbers.NONE
                  && readSystem != LogNumbers.NONE
                  && readReal != LogNumbers.NONE);
    }

    private boolean readHeap(Line line, LineFigures figures) {
      int from = heap.from(figures);
      int to = heap.to(figures);
      return unchanged ? sizes.isState(line, from, to) : sizes.isChange(line, from, to);
    }

    /** Whether what was read is a pause that is there, with its figures. */
    private boolean readsLike(PauseStore pauses, int row) {
      boolean sameHeap =
          heap.isThere()
              ? pauses.tellsHeap(row)
                  && pauses.usedBefore(row) == sizes.before()
                  && pauses.usedAfter(row) == sizes.after()
                  && pauses.committedAfter(row) == sizes.committed()
              : !pauses.tellsHeap(row);
      boolean sameTimes =
          user.isThere()
              ? pauses.tellsCpu(row)
                  && pauses.user(row) == readUser
                  && pauses.system(row) == readSystem
                  && pauses.real(row) == readReal
              : !pauses.tellsCpu(row);
      return sameHeap
          && sameTimes
          && pauses.start(row) == readDate
          && pauses.uptime(row) == readUptime
          && pauses.nanos(row) == readNanos
          && pauses.gcId(row) < 0;
    }

    /** Adds the pause of the line that was read last. */
    void add(GcLog log, YoungLines generations, long number) {
      log.startsOver(readUptime, number);
      PauseStore pauses = log.pauses;
      int row = pauses.add(readDate, readUptime, readNanos, type, -1, number);
      if (heap.isThere()) {
        pauses.heap(row, sizes.before(), sizes.after(), sizes.committed());
      }
      if (user.isThere()) {
        pauses.cpu(row, readUser, readSystem, readReal);
      }
      if (young.isThere()) {
        generations.ofSizes(youngSizes.before(), youngSizes.after());
      }
    }

    private static long seconds(Part part, Line line, LineFigures figures) {
      return LogNumbers.nanosOfSeconds(line, part.from(figures), part.to(figures));
    }
  }
}
