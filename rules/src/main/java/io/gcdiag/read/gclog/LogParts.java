package io.gcdiag.read.gclog;

import io.gcdiag.read.bytes.IngestContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The logs of one analysis as the parts of a rotated set, to find missing parts. Collections are
 * numbered from 0 without gaps, and rotation deletes the oldest parts.
 */
public final class LogParts {

  /**
   * Up to this many consecutive GC numbers may have no pause: a cancelled concurrent cycle has a
   * number and stops no thread.
   */
  private static final long SILENT_CYCLES = 8;

  /**
   * Up to this many collections may run during a concurrent cycle, so its final pauses, with the
   * lower number, may be in the next part.
   */
  private static final long DURING_A_CYCLE = 64;

  private final List<Part> parts = new ArrayList<>();
  private final PlacedLogs placed = new PlacedLogs();

  /** The object shared by the logs of an analysis. */
  public static LogParts of(IngestContext intake) {
    return intake.shared(LogParts.class, LogParts::new);
  }

  /** A log and its GC numbers, in order, each once. */
  private record Part(String file, long[] numbers) {

    long first() {
      return numbers[0];
    }

    long last() {
      return numbers[numbers.length - 1];
    }
  }

  /** Adds a log; a log with several runs of a JVM has no single order and is ignored. */
  void add(String file, GcLog log) {
    long[] numbers = numbers(log);
    if (numbers.length > 0 && log.extent().runs() == 1) {
      parts.add(new Part(file, numbers));
    }
  }

  /** The logs already on the common clock. */
  PlacedLogs placed() {
    return placed;
  }

  private static long[] numbers(GcLog log) {
    long[] all = new long[log.pauses().size()];
    int count = 0;
    for (int i = 0; i < all.length; i++) {
      long id = log.pauses().gcId(i);
      if (id >= 0) {
        all[count++] = id;
      }
    }
    Arrays.sort(all, 0, count);
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      if (i == 0 || all[i] != all[i - 1]) {
        all[distinct++] = all[i];
      }
    }
    return Arrays.copyOf(all, distinct);
  }

  /** One sentence for each range of collections that no part contains. */
  public List<String> missing() {
    List<String> notes = new ArrayList<>();
    List<Part> sorted = parts.stream().sorted(Comparator.comparingLong(Part::first)).toList();
    for (int i = 0; i < sorted.size(); i++) {
      inside(sorted.get(i), notes);
    }
    if (sorted.isEmpty() || overlap(sorted)) {
      return notes;
    }
    Part first = sorted.get(0);
    if (first.first() > SILENT_CYCLES) {
      notes.add(
          ("%s begins with collection %s of its JVM: what was before is not in these" + " inputs")
              .formatted(first.file(), first.first()));
    }
    for (int i = 1; i < sorted.size(); i++) {
      Part earlier = sorted.get(i - 1);
      Part later = sorted.get(i);
      if (isGap(earlier.last(), later.first())) {
        notes.add(
            "%s lie between %s and %s and are not in these inputs"
                .formatted(range(earlier.last(), later.first()), earlier.file(), later.file()));
      }
    }
    return notes;
  }

  /** Logs with overlapping numbers are of different JVMs, or copies, and no parts of one set. */
  private static boolean overlap(List<Part> sorted) {
    for (int i = 1; i < sorted.size(); i++) {
      Part earlier = sorted.get(i - 1);
      Part later = sorted.get(i);
      if (later.last() <= earlier.last() || earlier.last() - later.first() > DURING_A_CYCLE) {
        return true;
      }
    }
    return false;
  }

  private static void inside(Part part, List<String> notes) {
    for (int i = 1; i < part.numbers().length; i++) {
      if (isGap(part.numbers()[i - 1], part.numbers()[i])) {
        notes.add(
            "%s lacks %s: a part of it is missing"
                .formatted(part.file(), range(part.numbers()[i - 1], part.numbers()[i])));
      }
    }
  }

  private static boolean isGap(long before, long after) {
    return after - before > SILENT_CYCLES + 1;
  }

  private static String range(long before, long after) {
    return "collections " + (before + 1) + " to " + (after - 1);
  }
}
