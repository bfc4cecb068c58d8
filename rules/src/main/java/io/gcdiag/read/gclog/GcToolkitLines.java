package io.gcdiag.read.gclog;

import io.gcdiag.read.bytes.Line;
import io.gcdiag.read.bytes.LineSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines of a log in a form that GCToolkit 3.5 can read. For JDK 8 and earlier, the numbers of
 * {@code PrintGCID} are removed, and a record that a concurrent thread interrupted is joined again;
 * for unified logs see {@link GcToolkitUnified}. Lines are trimmed, extremely long lines are left
 * out, and the log is cut to what GCToolkit reads in some seconds.
 */
final class GcToolkitLines {

  /** GCToolkit reads 2 to 3 MB per second. A log of this size contains some ten thousand pauses. */
  private static final int MOST_CHARACTERS = 4 * 1024 * 1024;

  /** GCToolkit's patterns backtrack, so its time grows faster than the length of a line. */
  private static final int LONGEST_LINE = 4 * 1024;

  /** {@code 0.051: #0: [GC (Allocation Failure) ...}. */
  private static final Pattern GC_ID = Pattern.compile("(?<=[\\d+]: )#\\d+: ");

  /**
   * The line of a concurrent phase of G1, alone or in the middle of another thread's record. Those
   * of CMS are kept, because GCToolkit expects them there.
   */
  private static final Pattern TANGLE =
      Pattern.compile(
          "(.*?)((?:\\d{4}-[\\d:.,T-]+[+-]\\d{4}: )?(?:\\d+[.,]\\d{3}: )?"
              + "\\[GC concurrent-[^\\]]*\\])");

  private final List<String> lines = new ArrayList<>();
  private final GcToolkitUnified cleaner = new GcToolkitUnified(lines);
  private String interrupted = "";
  private long characters;
  private long lastLine;
  private boolean unified;

  /** Adds the lines of a log; false if it has more than GCToolkit is given. */
  boolean take(LineSource source) throws IOException {
    boolean known = false;
    while (source.advance()) {
      Line line = source.line();
      if (!known) {
        unified = UnifiedLogParser.recognises(line);
        known = unified || BracketLogParser.recognises(line);
      }
      characters += line.length() + 1;
      if (characters > MOST_CHARACTERS) {
        cleaner.finish();
        return false;
      }
      lastLine = source.number();
      if (unified) {
        cleaner.add(line);
      } else {
        add(line.toString());
      }
    }
    cleaner.finish();
    return true;
  }

  /** Adds a line of JDK 8 or earlier. */
  void add(String line) {
    String text = line.indexOf('#') < 0 ? line.strip() : GC_ID.matcher(line).replaceAll("").strip();
    if (!text.isEmpty() && text.length() <= LONGEST_LINE) {
      untangle(text);
    }
  }

  private void untangle(String text) {
    if (interrupted.isEmpty() && !text.contains("[GC concurrent-")) {
      lines.add(text);
      return;
    }
    Matcher tangle = TANGLE.matcher(text);
    if (tangle.matches() && !tangle.group(1).isEmpty()) {
      lines.add(tangle.group(2));
      interrupted += tangle.group(1);
    } else if (!interrupted.isEmpty() && !tangle.matches()) {
      lines.add(interrupted + text);
      interrupted = "";
    } else {
      lines.add(text);
    }
  }

  /** Whether the log is a unified one. */
  boolean unified() {
    return unified;
  }

  /** The number of the last line that was added, from 1. */
  long lastLine() {
    return lastLine;
  }

  List<String> lines() {
    return lines;
  }

  /**
   * The lines of a unified log in a form that GCToolkit 3.5 can read. It takes a pause's name from
   * the line {@code gc,start} and its time from the line {@code gc,cpu}, so these are added if
   * missing. It does not know {@code (Evacuation Failure: Pinned)}, and loses pauses close to the
   * lines of concurrent cycles, so both are removed. Text before the timestamps is removed, because
   * it makes GCToolkit treat the log as one of an old JDK.
   */
  private static final class GcToolkitUnified {

    /** {@code GC(12) Pause Young (Normal) (G1 Evacuation Pause) 23M->7M(66M) 5.487ms}. */
    private static final Pattern END =
        Pattern.compile(
            "GC\\((\\d+)\\) (Pause [A-Z]\\w*.*?)(?: \\d+[BKMG](?:\\(\\d+[BKMG]\\))?->\\S+)? "
                + "\\d+[.,]\\d+ms\\s*");

    private static final Pattern START = Pattern.compile("GC\\((\\d+)\\) (Pause [A-Z]\\w*)[^>]*");

    private static final Pattern FAILURE = Pattern.compile(" \\(Evacuation Failure[^)]*\\)");

    private static final List<String> OF_NO_USE =
        List.of("gc,marking", "gc,phases", "gc,task", "gc,ergo");

    private static final String TIMES = " User=0.00s Sys=0.00s Real=0.00s";

    private final List<String> lines;
    private final Dates dates = new Dates();
    private final Set<String> started = new HashSet<>();
    private Optional<String> times = Optional.empty();

    /** Cleaned lines go to the list. */
    GcToolkitUnified(List<String> lines) {
      this.lines = lines;
    }

    void add(Line line) {
      int message = Decorations.messageStart(line);
      if (message < 0) {
        return;
      }
      Decorations decorations = Decorations.of(line, message, dates);
      if (OF_NO_USE.stream().anyMatch(decorations.tags()::startsWith)) {
        return;
      }
      String text = FAILURE.matcher(line.substring(message)).replaceAll("");
      if (!text.contains(" User=")) {
        finish();
      }
      times = Optional.empty();
      String stamp = stamp(line.substring(0, message));
      Matcher end = END.matcher(text);
      if (!end.matches()) {
        Matcher start = START.matcher(text);
        if (start.matches()) {
          started.add(key(start.group(1), start.group(2)));
        }
        lines.add(stamp + tags(decorations.tags()) + text);
        return;
      }
      if (!started.remove(key(end.group(1), end.group(2)))) {
        lines.add(stamp + tags("gc,start") + "GC(" + end.group(1) + ") " + end.group(2));
      }
      lines.add(stamp + tags("gc") + text);
      times = Optional.of(stamp + tags("gc,cpu") + "GC(" + end.group(1) + ")" + TIMES);
    }

    /** Adds the times of the last pause, if none have come. */
    void finish() {
      times.ifPresent(lines::add);
      times = Optional.empty();
    }

    private static String key(String id, String name) {
      String[] words = name.split(" ", 3);
      return id + " " + words[1];
    }

    /** The timestamps without the text before them, and without level and tags. */
    private static String stamp(String decorations) {
      StringBuilder stamps = new StringBuilder();
      Matcher bracket = STAMP.matcher(decorations);
      while (bracket.find()) {
        stamps.append(bracket.group());
      }
      return stamps.toString();
    }

    private static final Pattern STAMP =
        Pattern.compile("\\[(?:\\d{4}-\\d\\d-\\d\\dT[^\\]]*|\\d+[.,]\\d{3}s)\\]");

    private static String tags(String tags) {
      return "[info][" + tags + "] ";
    }
  }
}
