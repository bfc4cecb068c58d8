package io.gcdiag.read.dumps;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * HikariCP's statistics of a pool: {@code HikariPool-1 - Pool stats (total=10, active=10, idle=0,
 * waiting=25)}, at level DEBUG every 30 s, and with each timeout.
 *
 * @param pool the pool's name
 * @param total its connections
 * @param active connections in use
 * @param idle idle connections
 * @param waiting threads waiting for one
 */
record PoolStats(String pool, int total, int active, int idle, int waiting) {

  /** Shows that a log has such lines; timeouts contain figures of the pool as well. */
  static final String MARK = " stats (total=";

  private static final Pattern LINE =
      Pattern.compile(
          "(\\S+) - [^(]{0,80}\\(total=(\\d{1,6}), active=(\\d{1,6}), idle=(\\d{1,6}),"
              + " waiting=(\\d{1,6})\\)");

  static Optional<PoolStats> in(String line) {
    if (!line.contains("(total=")) {
      return Optional.empty();
    }
    Matcher matcher = LINE.matcher(line);
    return matcher.find()
        ? Optional.of(
            new PoolStats(
                matcher.group(1),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3)),
                Integer.parseInt(matcher.group(4)),
                Integer.parseInt(matcher.group(5))))
        : Optional.empty();
  }
}
