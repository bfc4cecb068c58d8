package io.gcdiag.read.gclog;

import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.PauseStore;
import io.gcdiag.evidence.jvm.PauseType;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts complete records of JDK 8 or earlier into pauses. Use one per log. */
final class BracketPause {

  /** {@code GC (Allocation Failure) ... 2105763K->361653K(4019584K), 0.0323010 secs}. */
  private static final String SECONDS = " secs";

  private static final String SIZE_CHARACTERS = "0123456789.,BKMG()";

  /**
   * {@code [1 CMS-initial-mark: 29019K(43712K)] 33655K(63360K), ...}: a pause that frees nothing.
   */
  private static final Pattern UNCHANGED_HEAP = Pattern.compile("(\\d{1,15}K)\\((\\d{1,15}K)\\)");

  private static final int MOST_DIGITS = 15;

  /** The old generation is collected inside this pause: {@code [CMS: ..., [Tenured: ...}. */
  private static final Pattern OLD = Pattern.compile("\\[(?:Tenured|CMS(?! Perm|-))");

  /** Limit of the cache, far more causes than any collector has. */
  private static final int MOST_CAUSES = 1_000;

  private final Map<String, String> causes = new HashMap<>();

  /**
   * Adds the pause of a record; false if it ends without a time.
   *
   * @param byEnd whether its stamp is of its end
   */
  boolean add(BracketRecord pause, boolean byEnd, long line, PauseStore pauses) {
    String outer = pause.outer();
    Optional<Duration> duration = seconds(outer);
    if (duration.isEmpty()) {
      return false;
    }
    LogStamp start = byEnd ? pause.start.minus(duration.get()) : pause.start;
    String all = pause.all();
    boolean failure =
        all.contains("promotion failed") || all.contains("to-space ") || outer.startsWith("GC--");
    int row =
        pauses.add(
            start.wallNanos(),
            start.uptimeNanos(),
            Nanos.of(duration.get()),
            new PauseType(kind(outer, all), cause(outer), failure),
            pause.gcId.orElse(-1),
            line);
    heap(outer).ifPresent(heap -> pauses.heap(row, heap));
    return true;
  }

  /** The number before the last word, {@code secs}. */
  private static Optional<Duration> seconds(String outer) {
    if (!outer.endsWith(SECONDS)) {
      return Optional.empty();
    }
    int end = outer.length() - SECONDS.length();
    int point = digitsBefore(outer, end) - 1;
    boolean decimal = point > 0 && (outer.charAt(point) == '.' || outer.charAt(point) == ',');
    int start = decimal ? digitsBefore(outer, point) : end;
    return start < point && point + 1 < end
        ? LogNumbers.seconds(outer, start, end)
        : Optional.empty();
  }

  private static int digitsBefore(String text, int end) {
    int start = end;
    while (start > 0 && LogNumbers.isDigit(text.charAt(start - 1))) {
      start--;
    }
    return start;
  }

  private static Optional<HeapChange> heap(String outer) {
    // The last one is the heap. It is found by its arrow, because there are many more numbers than
    // arrows.
    for (int arrow = outer.lastIndexOf("->");
        arrow > 0;
        arrow = outer.lastIndexOf("->", arrow - 1)) {
      Optional<HeapChange> change =
          SizeText.change(outer, sizeBefore(outer, arrow), outer.length());
      if (change.isPresent()) {
        return change;
      }
    }
    // Checked first, because most records have many numbers and no such pair.
    int between = outer.indexOf("K(");
    Matcher unchanged = UNCHANGED_HEAP.matcher(outer);
    unchanged.region(Math.max(0, between - MOST_DIGITS), outer.length());
    if (between < 0 || !unchanged.find()) {
      return Optional.empty();
    }
    Optional<Bytes> used = SizeText.of(unchanged.group(1));
    Optional<Bytes> committed = SizeText.of(unchanged.group(2));
    return used.isPresent() && committed.isPresent()
        ? Optional.of(new HeapChange(used.get(), used.get(), committed.get()))
        : Optional.empty();
  }

  /** Start of the size that ends there: {@code 16384K} or {@code 16384K(18944K)}. */
  private static int sizeBefore(CharSequence text, int end) {
    int start = end;
    while (start > 0 && SIZE_CHARACTERS.indexOf(text.charAt(start - 1)) >= 0) {
      start--;
    }
    while (start < end && !LogNumbers.isDigit(text.charAt(start))) {
      start++;
    }
    return start;
  }

  private static PauseKind kind(String outer, String all) {
    if (outer.startsWith("Full GC")) {
      return PauseKind.FULL;
    }
    if (outer.startsWith("GC remark")
        || all.contains("CMS-remark")
        || outer.contains("(CMS Final Remark)")) {
      return PauseKind.REMARK;
    }
    if (outer.startsWith("GC cleanup")) {
      return PauseKind.CLEANUP;
    }
    if (all.contains("CMS-initial-mark") || outer.contains("(CMS Initial Mark)")) {
      return PauseKind.MARK_START;
    }
    if ((all.contains("[CMS") || all.contains("[Tenured")) && OLD.matcher(all).find()) {
      return PauseKind.FULL;
    }
    return outer.contains("(mixed)") ? PauseKind.MIXED : PauseKind.YOUNG;
  }

  /** The first parentheses that do not name a variant of G1's pause. */
  private String cause(String outer) {
    String words = outer.substring(0, causeEnd(outer));
    String known = causes.get(words);
    if (known != null) {
      return known;
    }
    String cause =
        PauseName.groups(words).stream().filter(group -> !isVariant(group)).findFirst().orElse("");
    if (causes.size() < MOST_CAUSES) {
      causes.put(words, cause);
    }
    return cause;
  }

  /** The cause is before the first number, such as a timestamp or a size. */
  private static int causeEnd(String outer) {
    for (int i = 1; i < outer.length(); i++) {
      char before = outer.charAt(i - 1);
      if (LogNumbers.isDigit(outer.charAt(i)) && (before == ' ' || before == ')')) {
        return i;
      }
    }
    return outer.length();
  }

  private static boolean isVariant(String group) {
    return switch (group) {
      case "young",
          "mixed",
          "partial",
          "initial-mark",
          "to-space exhausted",
          "to-space overflow",
          "promotion failed" ->
          true;
      default -> false;
    };
  }
}
