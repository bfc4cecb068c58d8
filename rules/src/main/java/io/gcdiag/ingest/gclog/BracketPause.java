package io.gcdiag.ingest.gclog;

import io.gcdiag.evidence.HeapChange;
import io.gcdiag.evidence.PauseKind;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns a complete record of JDK 8 or earlier into a pause. */
final class BracketPause {

  /** {@code GC (Allocation Failure) ... 2105763K->361653K(4019584K), 0.0323010 secs}. */
  private static final String SECONDS = " secs";

  private static final String SIZE_CHARACTERS = "0123456789.,BKMG()";

  private static final Pattern HEAP = Pattern.compile(Figures.HEAP);

  /**
   * {@code [1 CMS-initial-mark: 29019K(43712K)] 33655K(63360K), ...}: a pause that frees nothing.
   */
  private static final Pattern UNCHANGED_HEAP = Pattern.compile("(\\d{1,15})K\\((\\d{1,15})K\\)");

  /** {@code [ParNew (promotion failed): 17472K->2175K(19648K), 0.0041509 secs]}. */
  private static final Pattern YOUNG =
      Pattern.compile("\\[(?:ParNew|DefNew|PSYoungGen)\\b[^\\[\\]]*?: ?" + Figures.HEAP);

  /**
   * The old generation is collected inside this pause: {@code [CMS: ...}, {@code [Tenured: ...}.
   */
  private static final Pattern OLD = Pattern.compile("\\[(?:CMS(?! Perm)(?!-)|Tenured)");

  /**
   * G1's line of details: {@code [Eden: 7168.0K(7168.0K)->0.0B(4096.0K) Survivors: 0.0B->1024.0K
   * Heap: 10240.0K(65536.0K)->3352.5K(65536.0K)]}.
   */
  private static final Pattern DETAILS =
      Pattern.compile(
          "\\[Eden: "
              + Figures.HEAP
              + " Survivors: ([\\d.,]+)([BKMG])->([\\d.,]+)([BKMG]) Heap: "
              + Figures.HEAP
              + "\\].*");

  private static final Pattern TIMES =
      Pattern.compile(
          "\\[Times: user=(\\d+[.,]\\d+) sys=(\\d+[.,]\\d+),? real=(\\d+[.,]\\d+) secs\\].*");

  private BracketPause() {}

  /**
   * The pause of a record.
   *
   * @return empty if it ends without a time
   */
  static Optional<LoggedPause> of(BracketRecord pause, long line) {
    String outer = pause.outer();
    Optional<Duration> duration = seconds(outer);
    if (duration.isEmpty()) {
      return Optional.empty();
    }
    String all = pause.all();
    boolean failure =
        all.contains("promotion failed") || all.contains("to-space ") || outer.startsWith("GC--");
    LoggedHeap heap = new LoggedHeap(heap(outer), young(all), failure);
    return Optional.of(
        new LoggedPause(
            pause.start(),
            duration.get(),
            kind(outer, all),
            cause(outer),
            heap,
            Optional.empty(),
            pause.gcId(),
            line));
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
        ? Figures.seconds(outer.substring(start, end))
        : Optional.empty();
  }

  private static int digitsBefore(String text, int end) {
    int start = end;
    while (start > 0 && Character.isDigit(text.charAt(start - 1))) {
      start--;
    }
    return start;
  }

  private static Optional<HeapChange> heap(String outer) {
    // The last one counts. It is found from its arrow: there are many more numbers than arrows.
    for (int arrow = outer.lastIndexOf("->");
        arrow > 0;
        arrow = outer.lastIndexOf("->", arrow - 1)) {
      Matcher change = HEAP.matcher(outer);
      if (change.region(sizeBefore(outer, arrow), outer.length()).lookingAt()) {
        return Optional.of(Figures.heap(change, 1));
      }
    }
    Matcher unchanged = UNCHANGED_HEAP.matcher(outer);
    if (!unchanged.find()) {
      return Optional.empty();
    }
    Bytes used = Figures.size(unchanged.group(1), "K");
    return Optional.of(new HeapChange(used, used, Figures.size(unchanged.group(2), "K")));
  }

  /** Where the size that ends there begins: {@code 16384K} or {@code 16384K(18944K)}. */
  private static int sizeBefore(String text, int end) {
    int start = end;
    while (start > 0 && SIZE_CHARACTERS.indexOf(text.charAt(start - 1)) >= 0) {
      start--;
    }
    while (start < end && !Character.isDigit(text.charAt(start))) {
      start++;
    }
    return start;
  }

  private static Optional<HeapChange> young(String all) {
    boolean named =
        all.contains("[ParNew") || all.contains("[DefNew") || all.contains("[PSYoungGen");
    Matcher matcher = YOUNG.matcher(all);
    return named && matcher.find() ? Optional.of(Figures.heap(matcher, 1)) : Optional.empty();
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
  private static String cause(String outer) {
    for (String group : PauseName.groups(outer.substring(0, causeEnd(outer)))) {
      if (!isVariant(group)) {
        return group;
      }
    }
    return "";
  }

  /** Causes stand before the first figure, such as a stamp or a size. */
  private static int causeEnd(String outer) {
    for (int i = 1; i < outer.length(); i++) {
      char before = outer.charAt(i - 1);
      if (Character.isDigit(outer.charAt(i)) && (before == ' ' || before == ')')) {
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

  /** The CPU times that a text begins with. */
  static Optional<CpuTimes> cpu(String text) {
    Matcher matcher = TIMES.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    Optional<Duration> user = Figures.seconds(matcher.group(1));
    Optional<Duration> system = Figures.seconds(matcher.group(2));
    Optional<Duration> real = Figures.seconds(matcher.group(3));
    return user.isPresent() && system.isPresent() && real.isPresent()
        ? Optional.of(new CpuTimes(user.get(), system.get(), real.get()))
        : Optional.empty();
  }

  /** What G1's line of details adds to the pause before it. */
  static Optional<LoggedHeap> details(String text, LoggedHeap before) {
    Matcher matcher = DETAILS.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    HeapChange eden = Figures.heap(matcher, 1);
    Bytes survivorsBefore = Figures.size(matcher.group(7), matcher.group(8));
    Bytes survivorsAfter = Figures.size(matcher.group(9), matcher.group(10));
    HeapChange young =
        new HeapChange(
            eden.usedBefore().plus(survivorsBefore),
            eden.usedAfter().plus(survivorsAfter),
            eden.committedAfter().plus(survivorsAfter));
    return Optional.of(
        new LoggedHeap(
            Optional.of(Figures.heap(matcher, 11)),
            Optional.of(young),
            before.evacuationFailure()));
  }
}
