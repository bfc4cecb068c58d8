package io.gcdiag.read.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Sessions of PostgreSQL as psql prints {@code pg_stat_activity}: a table, or a line for each
 * column ({@code \x}). Statements are not kept.
 */
final class SessionText {

  private static final String WAIT = "wait_event_type";
  private static final Pattern BAR = Pattern.compile("\\s*\\|\\s*");
  private static final Pattern RECORD = Pattern.compile("^-\\[ RECORD \\d+ ][-+]*$");

  private final List<Map<String, String>> sessions = new ArrayList<>();
  private List<String> heading = List.of();

  /** Reads a line; returns whether it is of a session. */
  boolean line(String line) {
    if (RECORD.matcher(line).matches()) {
      sessions.add(new HashMap<>());
      heading = List.of();
      return true;
    }
    List<String> cells = List.of(BAR.split(line.strip(), -1));
    if (cells.size() > 2 && cells.contains(WAIT)) {
      heading = cells;
    } else if (cells.size() >= heading.size() && !heading.isEmpty()) {
      Map<String, String> session = new HashMap<>();
      for (int i = 0; i < heading.size(); i++) {
        session.put(heading.get(i), cells.get(i));
      }
      sessions.add(session);
    } else if (cells.size() > 1 && !sessions.isEmpty()) {
      sessions.get(sessions.size() - 1).putIfAbsent(cells.get(0), cells.get(1));
    } else {
      return false;
    }
    return true;
  }

  /** What each session that waits for a lock waits for, and which sessions may hold it. */
  List<String> locks() {
    String idle =
        sessions.stream()
            .filter(session -> session.getOrDefault("state", "").startsWith("idle in transaction"))
            .map(session -> session.getOrDefault("pid", "one"))
            .collect(Collectors.joining(", "));
    return sessions.stream()
        .filter(session -> session.getOrDefault(WAIT, "").equals("Lock"))
        .map(
            session ->
                session.getOrDefault("wait_event", "lock")
                    + (idle.isEmpty() ? "" : "; idle in transaction: " + idle))
        .toList();
  }
}
