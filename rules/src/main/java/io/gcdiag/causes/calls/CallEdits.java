package io.gcdiag.causes.calls;

import io.gcdiag.books.Edit;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.threads.HostService;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What to change if downstream calls take long. */
public final class CallEdits {

  /** The view or command of each database that lists what its sessions do. */
  private static final Map<String, String> SESSIONS =
      Map.of(
          "PostgreSQL", "pg_stat_activity",
          "MySQL", "SHOW PROCESSLIST",
          "MariaDB", "SHOW PROCESSLIST",
          "Oracle", "V$SESSION",
          "SQL Server", "sys.dm_exec_requests",
          "DB2", "MON_CURRENT_SQL",
          "H2", "INFORMATION_SCHEMA.SESSIONS");

  private final SuspectContext suspect;

  public CallEdits(SuspectContext suspect) {
    this.suspect = suspect;
  }

  public List<Edit> downstream() {
    if (isManyCalls()) {
      return suspect.code("fetch everything in one query or call, not one per row (a batch)");
    }
    Optional<Part> host = called();
    if (host.isEmpty()) {
      return List.of();
    }
    Optional<String> service = ofHost(host.get().toString());
    if (service.isPresent()) {
      return suspect.infrastructure(host.get().toString(), service.get());
    }
    return suspect.infrastructure(
        host.get().toString(),
        database(host.get().toString())
            .map(
                view ->
                    "find the statement that blocks or is slow there ("
                        + view
                        + ": what waits for a lock, what runs longest) and end or rewrite it")
            .orElse("find why it answers slowly: its own latency, load and latest change"));
  }

  /** The host, or the device of the machine. */
  public Optional<Part> called() {
    return suspect.at(Role.HOST).or(() -> suspect.at(Role.FILE)).or(() -> suspect.at(Role.MACHINE));
  }

  /** Whether requests make too many calls of normal length. */
  public boolean isManyCalls() {
    return suspect.about().stream()
        .map(finding -> finding.actions().getOrDefault(suspect.hypothesis(), ""))
        .anyMatch(text -> text.contains("one call"));
  }

  /** Advice for slow services of the host itself: DNS and random numbers. */
  private static Optional<String> ofHost(String host) {
    if (HostService.isLookup(host)) {
      return Optional.of(
          "time a lookup with 'getent hosts NAME'; find a slow name server or search domains that fail"
              + " first (resolv.conf: ndots, options timeout), and let the JVM keep answers"
              + " (networkaddress.cache.ttl)");
    }
    return HostService.isRandom(host)
        ? Optional.of(
            "use SecureRandom without generateSeed and not NativePRNGBlocking (JDK 8:"
                + " -Djava.security.egd=file:/dev/./urandom), or give the machine more entropy"
                + " (rng-tools)")
        : Optional.empty();
  }

  /** Where a database shows its sessions; empty if it is none. */
  public static Optional<String> database(String host) {
    return SESSIONS.entrySet().stream()
        .filter(database -> host.contains(database.getKey()))
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
