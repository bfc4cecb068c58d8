package io.gcdiag.read.text;

import io.gcdiag.units.Bytes;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The heap as {@code GC.heap_info} and {@code jhsdb jmap --heap} print it, line by line. Collectors
 * with two generations print one line for each; the heap is their sum.
 */
final class HeapText {

  private static final String SIZE = "(\\d{1,12})([KMGT])";

  /** The spelling of JDK 8 to 25, and the collector that alone has such a heap. */
  private enum Shape {
    G1("garbage-first heap\\s+total (?:reserved " + SIZE + ", committed )?", "G1"),
    PARALLEL("(?:PSYoungGen|ParOldGen|PSOldGen)\\s+total ", "Parallel"),
    SERIAL("(?:(?:def new|tenured) generation|DefNew|Tenured)\\s+total ", "Serial"),
    CMS("(?:par new|concurrent mark-sweep) generation\\s+total ", "ParNew + CMS");

    private final Pattern pattern;
    private final String collector;

    Shape(String words, String collector) {
      this.pattern = Pattern.compile("^\\s*" + words + SIZE + ", used " + SIZE);
      this.collector = collector;
    }
  }

  private static final Pattern Z =
      Pattern.compile(
          "^\\s*ZHeap\\s+used " + SIZE + ", capacity " + SIZE + ", max capacity " + SIZE);

  private static final Pattern SHENANDOAH =
      Pattern.compile("^\\s*" + SIZE + " max, .*?" + SIZE + " committed, " + SIZE + " used");

  /** The heading of {@code jmap -heap} names the collector; serial has this older name. */
  private static final Pattern USING =
      Pattern.compile(
          "^(Garbage-First \\(G1\\) GC|Parallel GC|Mark Sweep Compact GC|Concurrent Mark-Sweep GC"
              + "|ZGC|Shenandoah GC|Epsilon GC)(?: with \\d+ thread\\(s\\))?\\s*$");

  private Optional<String> collector = Optional.empty();
  private Optional<Bytes> max = Optional.empty();
  private long committed;
  private long used;

  /** Takes a line; says whether it was one of these. */
  boolean accept(String line) {
    for (Shape shape : Shape.values()) {
      Matcher matcher = shape.pattern.matcher(line);
      if (matcher.find()) {
        int last = matcher.groupCount() - 3;
        committed += size(matcher, last);
        used += size(matcher, last + 2);
        collector = Optional.of(shape.collector);
        if (last > 1 && matcher.group(1) != null) {
          max = Optional.of(Bytes.of(size(matcher, 1)));
        }
        return true;
      }
    }
    Matcher z = Z.matcher(line);
    if (z.find()) {
      whole("ZGC", size(z, 5), size(z, 3), size(z, 1));
      return true;
    }
    Matcher shenandoah = SHENANDOAH.matcher(line);
    if (shenandoah.find()) {
      whole("Shenandoah", size(shenandoah, 1), size(shenandoah, 3), size(shenandoah, 5));
      return true;
    }
    Matcher using = USING.matcher(line);
    if (using.matches()) {
      collector = Optional.of(name(using.group(1)));
      return true;
    }
    return false;
  }

  private void whole(String name, long most, long now, long inUse) {
    collector = Optional.of(name);
    max = Optional.of(Bytes.of(most));
    committed = now;
    used = inUse;
  }

  private static String name(String heading) {
    return switch (heading) {
      case "Garbage-First (G1) GC" -> "G1";
      case "Mark Sweep Compact GC" -> "Serial";
      case "Concurrent Mark-Sweep GC" -> "ParNew + CMS";
      default -> heading.replace(" GC", "");
    };
  }

  private static long size(Matcher matcher, int group) {
    return Bytes.parse(matcher.group(group) + matcher.group(group + 1)).value();
  }

  Optional<String> collector() {
    return collector;
  }

  /** The heap's maximum size, where it is printed. */
  Optional<Bytes> max() {
    return max;
  }

  /** What is committed; zero if no heap was printed. */
  Bytes committed() {
    return Bytes.of(committed);
  }

  /** What is in use. */
  Bytes used() {
    return Bytes.of(used);
  }
}
