package io.gcdiag.read.frames;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Recognises pools that {@code frames.txt} does not know, for example a service's own: a class that
 * is named as a pool and a method that takes something out of it.
 */
final class PoolWords {

  /** Number of frames inside the pool between the wait and the method that takes something. */
  private static final int DEPTH = 6;

  /** Outer class, and method. */
  private static final Pattern OF_POOL =
      Pattern.compile("(?:.*\\.)?(\\w*Pool\\w*)(?:\\$\\w+)*\\.(\\w+)");

  private static final Pattern OF_THREADS =
      Pattern.compile(".*(?:Thread|Worker|Executor|ForkJoin|Task|EventLoop).*");

  private static final Pattern BORROWS =
      Pattern.compile("(?:borrow|acquire|check[oO]ut|lease|getConn|getResource|getPool)\\w*");

  /**
   * JDBC's own interface: who waits inside without reading from a database waits for a connection.
   */
  private static final Pattern DATA_SOURCE =
      Pattern.compile("(?:.*\\.)?(\\w*DataSource)(?:\\$\\w+)*\\.getConnection\\w*");

  /**
   * Words with many uses, which count only if the class itself is the pool. A request thread that
   * waits inside wants what the pool holds.
   */
  private static final Pattern TAKES =
      Pattern.compile("(?:get|take|tryTake|poll|await|claim|obtain|rent)\\w*");

  /**
   * The name of the pool that a stack waits in, that of its class.
   *
   * @param at the innermost frame outside the JDK; those from there outward are looked at
   */
  static Optional<String> pool(List<String> frames, int at, boolean serving) {
    return frames.stream()
        .skip(at)
        .limit(DEPTH)
        .flatMap(frame -> pool(frame, serving).stream())
        .findFirst();
  }

  /** The name of the pool that the frame takes something out of. */
  static Optional<String> pool(String frame, boolean serving) {
    Matcher source = DATA_SOURCE.matcher(frame);
    if (source.matches()) {
      return Optional.of(source.group(1));
    }
    Matcher pool = OF_POOL.matcher(frame);
    return pool.matches()
            && !OF_THREADS.matcher(pool.group(1)).matches()
            && (BORROWS.matcher(pool.group(2)).matches()
                || serving
                    && pool.group(1).endsWith("Pool")
                    && TAKES.matcher(pool.group(2)).matches())
        ? Optional.of(pool.group(1))
        : Optional.empty();
  }
}
