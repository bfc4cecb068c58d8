package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Bytes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How many objects of which class the heap held. Several of them show what grows.
 *
 * @param at when it was made; the tools print no time, so only one that stands in a log, or after
 *     the output of {@code date}, has one
 * @param scope which objects were counted
 * @param instances all objects that were counted
 * @param bytes what they take
 * @param classes the classes that take most, largest first, at most {@link #MOST_CLASSES}
 * @param complete whether the table was read to its end, so that a class that is not in {@link
 *     #classes} takes no more than the last one there
 * @param source its heading
 */
public record ClassHistogram(
    Optional<Instant> at,
    Scope scope,
    long instances,
    Bytes bytes,
    List<ClassCount> classes,
    boolean complete,
    Source source) {

  /**
   * Classes kept. Services have some ten thousand; those after the first thousand take less than a
   * thousandth of the heap each, since tables are sorted by size.
   */
  public static final int MOST_CLASSES = 1_000;

  /** Which objects a histogram counts. */
  public enum Scope {
    /** Those that can be reached: a full GC came just before. */
    LIVE,
    /** All, also those that nothing refers to any more. */
    ALL,
    /** It does not say; both ways of asking print the same table. */
    UNSTATED
  }

  /** Copies the list. */
  public ClassHistogram {
    classes = List.copyOf(classes);
  }

  /** A class by its name, if it is among those kept. */
  public Optional<ClassCount> ofClass(String name) {
    return classes.stream().filter(count -> count.name().equals(name)).findFirst();
  }
}
