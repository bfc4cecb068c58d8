package io.gcdiag.ingest.gclog.toolkit;

import io.gcdiag.ingest.gclog.text.Dates;
import io.gcdiag.ingest.gclog.text.Decorations;
import io.gcdiag.ingest.text.Line;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines of a unified log as GCToolkit 3.5 can read them. It takes a pause's name from the line
 * {@code gc,start} and its time at the line {@code gc,cpu}, so what is missing of the two is added;
 * it does not know {@code (Evacuation Failure: Pinned)}, and loses pauses near the lines of
 * concurrent cycles, so both are left out; what stands in front of the stamp makes it take the log
 * for an old one.
 */
final class GcToolkitUnified {

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

  /** The stamps without what stands in front of them, and without level and tags. */
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
