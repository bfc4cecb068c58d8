package io.gcdiag.ingest.gclog.toolkit;

import io.gcdiag.ingest.gclog.bracket.BracketLogParser;
import io.gcdiag.ingest.gclog.unified.UnifiedLogParser;
import io.gcdiag.ingest.text.Line;
import io.gcdiag.ingest.text.LineSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines of a log as GCToolkit 3.5 can read them: of JDK 8 and earlier without the numbers of
 * {@code PrintGCID}, and with a record that a concurrent thread wrote into put together again;
 * unified ones as {@link GcToolkitUnified} says; without blanks around, none of unusual length, and
 * no more than it reads in some seconds.
 */
final class GcToolkitLines {

  /** GCToolkit reads 2 to 3 MB a second. A log of this size holds some ten thousand pauses. */
  private static final int MOST_CHARACTERS = 4 * 1024 * 1024;

  /** Its patterns backtrack, so that time grows faster than length. */
  private static final int LONGEST_LINE = 4 * 1024;

  /** {@code 0.051: #0: [GC (Allocation Failure) ...}. */
  private static final Pattern GC_ID = Pattern.compile("(?<=[\\d+]: )#\\d+: ");

  /**
   * The line of a concurrent phase of G1, alone or in the middle of what another thread was
   * writing. Those of CMS are left where they are: GCToolkit expects them there.
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

  /** Takes the lines of a log; false if it has more than GCToolkit is given. */
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

  /** Takes a line of JDK 8 or earlier. */
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

  /** The number of the last line that was taken, from 1. */
  long lastLine() {
    return lastLine;
  }

  List<String> lines() {
    return lines;
  }
}
