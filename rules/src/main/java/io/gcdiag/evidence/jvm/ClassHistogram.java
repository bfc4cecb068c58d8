package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Bytes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Number and size of the objects in the heap by class. Several of them show which class grows.
 *
 * @param at when it was made; tools print no timestamp, so only a histogram in a log, or after the
 *     output of {@code date}, has one
 * @param scope which objects were counted
 * @param instances number of all objects that were counted
 * @param bytes their size
 * @param classes the largest classes, largest first, at most {@link #MOST_CLASSES}
 * @param complete whether the table was read to its end, so that a class not in {@link #classes} is
 *     no larger than the last one there
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
    /** Reachable objects: a full GC came just before. */
    LIVE,
    /** All objects, reachable or not. */
    ALL,
    /** Unknown: both variants print the same table. */
    UNSTATED
  }

  public ClassHistogram {
    classes = List.copyOf(classes);
  }

  /** A class by its name, if it is among those kept. */
  public Optional<ClassCount> ofClass(String name) {
    return classes.stream().filter(count -> count.name().equals(name)).findFirst();
  }

  /**
   * One line of a {@link ClassHistogram}.
   *
   * @param name the class as in source code: {@code java.lang.String}, {@code byte[]}; lambdas of
   *     one class are counted together
   * @param bytes shallow size: without the objects that they refer to
   */
  public record ClassCount(String name, long instances, Bytes bytes) {

    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    /** Whether it is not one of the JDK's classes, which are numerous in every heap. */
    public boolean outsideJdk() {
      // Arrays of primitives have no package.
      return (name.contains(".") || !name.endsWith("[]"))
          && JDK.stream().noneMatch(name::startsWith);
    }
  }
}
