package io.gcdiag.read.metrics;

import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A profile as stacks with counts, {@code java/lang/Thread.run;com/acme/A.b 120}, as async-profiler
 * writes it. It has no time, and may be of the time that threads waited as well.
 */
final class CollapsedStacks {

  static final String NAME = "collapsed stacks";

  private static final String RUNNABLE = "RUNNABLE";

  private final FrameBook book;
  private final Map<String, Long> own = new HashMap<>();
  private long all;
  private long running;

  CollapsedStacks(FrameBook book) {
    this.book = book;
  }

  void line(String line) {
    int end = line.lastIndexOf(' ');
    String count = line.substring(end + 1);
    if (end < 0
        || count.isEmpty()
        || count.length() > 12
        || !count.chars().allMatch(Character::isDigit)) {
      return;
    }
    long samples = Long.parseLong(count);
    List<String> frames = new ArrayList<>();
    for (String frame : line.substring(0, end).split(";")) {
      // Frames of the kernel, of native code and the name of the thread are none of Java's.
      if (frame.indexOf('/') > 0) {
        frames.add(frame.replaceFirst("_\\[\\w]$", "").replace('/', '.'));
      }
    }
    Collections.reverse(frames);
    boolean runs =
        book.activity(book.classify(frames, RUNNABLE, Optional.empty()), frames, RUNNABLE)
            == ThreadActivity.RUNNING;
    all += samples;
    running += runs ? samples : 0;
    int place = book.innermostOfApplication(frames);
    if (runs && place >= 0) {
      own.merge(frames.get(place), samples, Long::sum);
    }
  }

  /** The service's code with most samples; empty if most wait, or none is in its code. */
  Optional<CodePlace> most() {
    return own.entrySet().stream()
        .filter(any -> 2 * running > all)
        .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .map(most -> new CodePlace(most.getKey(), CodePlace.NO_LINE));
  }

  Optional<String> words() {
    return most()
        .map(
            place ->
                NAME
                    + InputReport.NOT_USED
                    + "they have no time (-o jfr has it); "
                    + new Ratio((double) own.get(place.method()) / running)
                    + " of "
                    + Numbers.counted(running, "sample")
                    + " are in "
                    + place);
  }
}
