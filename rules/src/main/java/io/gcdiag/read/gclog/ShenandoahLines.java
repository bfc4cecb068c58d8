package io.gcdiag.read.gclog;

import io.gcdiag.evidence.jvm.PauseStore;
import io.gcdiag.evidence.jvm.PauseType;
import io.gcdiag.read.bytes.Line;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lines of Shenandoah of JDK 8, which has the words of unified logs in brackets of its own. A pause
 * is written when it ends.
 *
 * <pre>
 * 2022-08-17T16:25:40.252+0800: 295.036: [Pause Degenerated GC (Update Refs), start]
 * 2022-08-17T16:25:40.436+0800: 295.220: [Pause Degenerated GC (Update Refs) 3941M-&gt;1733M(3966M),
 *   184.489 ms]
 * 295.301: [Concurrent cleanup 3941M-&gt;1733M(3966M), 0.346 ms]
 * </pre>
 */
final class ShenandoahLines {

  private static final String PAUSE = "[Pause ";
  private static final String CONCURRENT = "[Concurrent ";
  private static final String END = " ms]";

  /** One group for the name, one for the sizes, one for the time. */
  private static final Pattern ENDED =
      Pattern.compile(
          "\\[((?:Pause|Concurrent) [^,\\]]{1,80}?)"
              + "(?: (\\d{1,9}[BKMG]->\\d{1,9}[BKMG]\\(\\d{1,9}[BKMG]\\)))?"
              + ", (\\d{1,9}[.,]\\d{1,3}) ms\\]");

  /** How the lines between begin, of which nothing is read. */
  private static final String[] BETWEEN = {"Trigger: ", "Free: ", "[Metaspace: "};

  private final GcLog log;
  private final Dates dates;

  ShenandoahLines(GcLog log, Dates dates) {
    this.log = log;
    this.dates = dates;
  }

  /** Whether the line ends a pause or phase. */
  static boolean isOne(Line line) {
    return opening(line) >= 0 && line.contains(END);
  }

  private static int opening(Line line) {
    int pause = line.indexOf(PAUSE, 0);
    return pause >= 0 ? pause : line.indexOf(CONCURRENT, 0);
  }

  /** Takes what the line says; whether it is one that such logs have. */
  boolean read(Line line, long number) {
    int open = opening(line);
    if (open < 0) {
      for (String word : BETWEEN) {
        if (line.startsWith(word, 0)) {
          return true;
        }
      }
      return false;
    }
    Matcher ended = ENDED.matcher(line.substring(open));
    LogStamp end = BracketStamp.before(line, 0, open, dates).stamp();
    if (ended.lookingAt()) {
      log.startsOver(end, number);
      ended(ended, end, number);
      return true;
    }
    return line.contains(", start]");
  }

  private void ended(Matcher line, LogStamp end, long number) {
    Optional<Duration> time = LogNumbers.millis(line.group(3));
    String sizes = line.group(2) == null ? "" : line.group(2);
    SizeText size = new SizeText(sizes, 0, sizes.length());
    String name = line.group(1);
    if (time.isEmpty()) {
      return;
    }
    if (!log.knowsCollector()) {
      log.collector("Shenandoah");
    }
    if (name.startsWith("Pause ")) {
      PauseName pause = PauseName.of(name);
      LogStamp start = end.minus(time.get());
      PauseStore pauses = log.pauses();
      int row =
          pauses.add(
              start.wallNanos(),
              start.uptimeNanos(),
              Nanos.of(time.get()),
              new PauseType(pause.kind(), pause.cause(), false),
              -1,
              number);
      size.change().ifPresent(heap -> pauses.heap(row, heap));
    } else if (name.startsWith("Concurrent cleanup") && !sizes.isEmpty()) {
      size.change()
          .ifPresent(heap -> log.addCycle(new LoggedCycle(end, heap.usedAfter(), true, number)));
    }
  }
}
