package io.gcdiag.read.dumps;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * HikariCP's statistics of a pool: {@code HikariPool-1 - Pool stats (total=10, active=10, idle=0,
 * waiting=25)}, from version 6.3 on {@code (total=10/10, idle=0/10, active=10, waiting=25)}, at
 * level DEBUG every 30 s, and with each timeout.
 *
 * @param pool the pool's name
 * @param max its maximum size, if the line shows it
 * @param active connections in use
 * @param idle idle connections
 * @param waiting threads waiting for one
 */
record PoolStats(String pool, OptionalInt max, int active, int idle, int waiting) {

  /** Shows that a log has such lines; timeouts contain figures of the pool as well. */
  static final String MARK = " stats (total=";

  /** The order of the figures differs, and the newer form has limits behind two of them. */
  private static final Pattern LINE =
      Pattern.compile(
          "(\\S+) - [^(]{0,80}\\(total=(\\d{1,6})(?:/(\\d{1,6}))?(?=[^)]*, active=(\\d{1,6}))"
              + "(?=[^)]*, idle=(\\d{1,6}))[^)]*, waiting=(\\d{1,6})\\)");

  static Optional<PoolStats> in(String line) {
    if (!line.contains("(total=")) {
      return Optional.empty();
    }
    Matcher matcher = LINE.matcher(line);
    if (!matcher.find()) {
      return Optional.empty();
    }
    int waiting = Integer.parseInt(matcher.group(6));
    // Threads wait only if the pool has reached its maximum size.
    String max = matcher.group(3) == null && waiting > 0 ? matcher.group(2) : matcher.group(3);
    return Optional.of(
        new PoolStats(
            matcher.group(1),
            max == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(max)),
            Integer.parseInt(matcher.group(4)),
            Integer.parseInt(matcher.group(5)),
            waiting));
  }
}
