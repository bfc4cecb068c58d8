package io.gcdiag.read.gclog.lines;

import io.gcdiag.read.bytes.Line;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines that end a cycle of a concurrent collector.
 *
 * <pre>
 * Minor Collection (Allocation Rate) 498M(97%)->500M(98%) 0.152s     (ZGC, JDK 21 on)
 * Major Collection (Allocation Stall) 512M(100%)->504M(98%) 1.203s
 * Garbage Collection (Allocation Rate) 498M(97%)->400M(78%)          (ZGC up to JDK 20)
 * Concurrent cleanup 312M->65M(512M) 0.512ms                         (Shenandoah, up to twice)
 * </pre>
 */
final class CycleLines {

  private static final Pattern ZGC =
      Pattern.compile(
          "(Minor|Major|Garbage) Collection \\(.*\\)"
              + " \\d+[KMG]\\(\\d+%\\)->(\\d+[KMG])\\((\\d{1,3})%\\).*");

  private static final Pattern SHENANDOAH =
      Pattern.compile("Concurrent cleanup .*?\\d+[KMG]->(\\d+[KMG])\\(\\d+[KMG]\\) .*");

  private CycleLines() {}

  /** Whether the message of a collection begins like one of them. */
  static boolean isOne(Line line, int text) {
    return line.startsWith("Minor Collection (", text)
        || line.startsWith("Major Collection (", text)
        || line.startsWith("Garbage Collection (", text)
        || line.startsWith("Concurrent cleanup ", text);
  }

  /** Reads the message; the line that begins a cycle has no sizes and tells nothing. */
  static void read(String text, LogStamp end, long number, GcLog log) {
    Matcher zgc = ZGC.matcher(text);
    Matcher shenandoah = SHENANDOAH.matcher(text);
    if (zgc.matches()) {
      boolean whole = !zgc.group(1).equals("Minor");
      SizeText.of(zgc.group(2))
          .ifPresent(
              used -> {
                log.addCycle(new LoggedCycle(end, used, whole, number));
                log.shareOfHeap(used, Integer.parseInt(zgc.group(3)));
              });
    } else if (shenandoah.matches()) {
      SizeText.of(shenandoah.group(1))
          .ifPresent(used -> log.addCycle(new LoggedCycle(end, used, true, number)));
    }
  }
}
