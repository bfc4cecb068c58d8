package io.gcdiag.read.jfr;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.jfr.reader.Chunk;
import io.gcdiag.read.jfr.reader.ReadChunk;
import io.gcdiag.read.jfr.reader.ReadChunk.Outcome;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The chunks of all recordings of an analysis. If a recording was dumped twice while it ran, both
 * files contain its first chunks, and so do a dump and the JVM's repository folder; each chunk
 * counts once. The JVM begins a chunk in the moment in which it ends the previous one, so a missing
 * chunk shows as a gap.
 */
public final class RecordedChunks {

  /**
   * JDK 17 and 25 leave 0.0 ms between two chunks of a recording; profilers that write their own
   * chunks leave some milliseconds.
   */
  private static final Duration NO_GAP = Duration.ofMillis(100);

  /** Largest number of gaps to list. */
  private static final int MOST_GAPS = 3;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Map<Object, String> files = new HashMap<>();

  /**
   * Complete chunks by start time, which is all that an unfinished copy has in common with the
   * complete one.
   */
  private final Map<Instant, String> wholeByStart = new HashMap<>();

  private final Map<Instant, String> cutByStart = new HashMap<>();

  /** The object shared by the files of an analysis. */
  static RecordedChunks of(IngestContext intake) {
    return intake.shared(RecordedChunks.class, RecordedChunks::new);
  }

  /** Whether it was read from another file. */
  boolean isKnown(Chunk chunk) {
    return fileOf(chunk).isPresent();
  }

  private Optional<String> fileOf(Chunk chunk) {
    return Optional.ofNullable(
        chunk.intact() ? files.get(ReadChunk.identity(chunk)) : wholeByStart.get(chunk.start()));
  }

  void add(String file, List<ReadChunk> parts) {
    for (ReadChunk part : parts) {
      Chunk chunk = part.chunk();
      if (part.outcome() == Outcome.WHOLE) {
        files.putIfAbsent(ReadChunk.identity(chunk), file);
        wholeByStart.putIfAbsent(chunk.start(), file);
      } else if (part.outcome() == Outcome.CUT
          || part.outcome() == Outcome.HOLED
          || part.outcome() == Outcome.BROKEN) {
        cutByStart.putIfAbsent(chunk.start(), file);
      }
    }
  }

  /**
   * A sentence about chunks of a file of which an unfinished copy was read before, as in a
   * repository folder that was copied while the JVM ran; empty if there are none.
   */
  Optional<String> begunBefore(List<ReadChunk> parts) {
    Set<String> elsewhere =
        parts.stream()
            .filter(part -> part.outcome() == Outcome.WHOLE)
            .flatMap(part -> Optional.ofNullable(cutByStart.get(part.chunk().start())).stream())
            .collect(Collectors.toCollection(TreeSet::new));
    return elsewhere.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "its whole chunk is unfinished in "
                + String.join(" and ", elsewhere)
                + ", and what that one holds of it counts twice; leave that one out");
  }

  /** A sentence about chunks of a file that were read before; empty if there are none. */
  Optional<String> known(List<ReadChunk> parts) {
    List<Chunk> known =
        parts.stream()
            .filter(part -> part.outcome() == Outcome.KNOWN)
            .map(ReadChunk::chunk)
            .toList();
    if (known.isEmpty()) {
      return Optional.empty();
    }
    Set<String> elsewhere =
        known.stream()
            .map(chunk -> fileOf(chunk).orElse("it twice"))
            .collect(Collectors.toCollection(TreeSet::new));
    return Optional.of(
        "%s of its %s chunks %s in %s%s"
            .formatted(
                known.size(),
                parts.size(),
                known.size() == 1 ? "is" : "are",
                String.join(" and ", elsewhere),
                known.size() == 1 ? " and counts once" : " and count once"));
  }

  /** A sentence about two clocks of a file that disagree; empty if they agree. */
  static Optional<String> clocks(List<ReadChunk> parts) {
    List<ReadChunk> wrong =
        parts.stream()
            .filter(part -> part.clockRatio() != 1 && !part.chunk().length().isZero())
            .toList();
    if (wrong.isEmpty()) {
      return Optional.empty();
    }
    double stated = wrong.stream().mapToDouble(part -> seconds(part.chunk())).sum();
    double ticks =
        wrong.stream().mapToDouble(part -> seconds(part.chunk()) * part.clockRatio()).sum();
    return Optional.of(
        ("its clocks disagree: %s of %s chunks last %s by the system clock and %s by the ticks of"
                + " their events, so the stated tick frequency is wrong. Times and durations are"
                + " corrected to the system clock")
            .formatted(
                wrong.size(), parts.size(), Durations.format(stated), Durations.format(ticks)));
  }

  private static double seconds(Chunk chunk) {
    return chunk.length().toNanos() / 1e9;
  }

  /** The gaps and damaged parts of a file, in words; empty if there are none. */
  static Optional<String> gaps(List<ReadChunk> parts) {
    List<ReadChunk> inOrder =
        parts.stream()
            .filter(part -> isWhole(part) || isDamaged(part, parts))
            .sorted(Comparator.comparing((ReadChunk part) -> part.chunk().start()))
            .toList();
    List<Window> gaps = new ArrayList<>();
    Instant end = Instant.MAX;
    for (ReadChunk part : inOrder) {
      Chunk chunk = part.chunk();
      if (end.isBefore(chunk.start().minus(NO_GAP))) {
        add(gaps, new Window(end, chunk.start()));
      }
      Instant own = chunk.start().plus(chunk.length());
      if (!isWhole(part)) {
        add(gaps, new Window(chunk.start(), own));
      }
      end = end.equals(Instant.MAX) || own.isAfter(end) ? own : end;
    }
    if (gaps.isEmpty()) {
      return Optional.empty();
    }
    String words =
        gaps.stream()
            .limit(MOST_GAPS)
            .map(gap -> TIME.format(gap.from()) + " to " + TIME.format(gap.to()))
            .collect(Collectors.joining(", "));
    int more = gaps.size() - MOST_GAPS;
    return Optional.of(words + " UTC" + (more > 0 ? " and " + more + " times more" : ""));
  }

  /** Adds a gap, or extends the last one if the two are adjacent. */
  private static void add(List<Window> gaps, Window gap) {
    int last = gaps.size() - 1;
    boolean goesOn = last >= 0 && !gaps.get(last).to().isBefore(gap.from().minus(NO_GAP));
    if (goesOn) {
      gaps.set(last, new Window(gaps.get(last).from(), gap.to()));
    } else {
      gaps.add(gap);
    }
  }

  private static boolean isWhole(ReadChunk part) {
    return part.outcome() == Outcome.WHOLE || part.outcome() == Outcome.KNOWN;
  }

  /**
   * Whether a chunk is damaged and its header states its length. For the last chunk, nothing is
   * known after its last event, which is reported instead.
   */
  private static boolean isDamaged(ReadChunk part, List<ReadChunk> parts) {
    boolean last = part == parts.get(parts.size() - 1);
    return part.chunk().intact()
        && !part.chunk().length().isZero()
        && (part.outcome() == Outcome.HOLED
            || !last && (part.outcome() == Outcome.BROKEN || part.outcome() == Outcome.LOST));
  }
}
