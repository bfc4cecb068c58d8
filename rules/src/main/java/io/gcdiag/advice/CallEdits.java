package io.gcdiag.advice;

import io.gcdiag.advice.Place.Part;
import io.gcdiag.advice.Place.Role;
import java.util.List;
import java.util.Optional;

/** What to do about calls that take long. */
final class CallEdits {

  private final SuspectContext suspect;

  CallEdits(SuspectContext suspect) {
    this.suspect = suspect;
  }

  List<Edit> downstream() {
    boolean many =
        suspect.about().stream()
            .map(finding -> finding.actions().getOrDefault(suspect.hypothesis(), ""))
            .anyMatch(text -> text.contains("one call"));
    if (many) {
      return suspect.code("fetch everything in one query or call, not one per row (a batch)");
    }
    Optional<Part> host = suspect.at(Role.HOST);
    if (host.isEmpty()) {
      return List.of();
    }
    Optional<String> service = ofHost(host.get().toString());
    if (service.isPresent()) {
      return suspect.infrastructure(host.get().toString(), service.get());
    }
    boolean database = isDatabase(host.get());
    return suspect.infrastructure(
        host.get().toString(),
        database
            ? "find the statement that blocks or is slow there (pg_stat_activity, processlist: what"
                + " waits for a lock, what runs longest) and end or rewrite it"
            : "find why it answers slowly: its own latency, load and latest change");
  }

  /** What the host itself answers slowly, and how to have it answer faster. */
  private static Optional<String> ofHost(String host) {
    if (host.contains("DNS") || host.contains("looking up the host")) {
      return Optional.of(
          "time a lookup with 'getent hosts NAME'; find a slow name server or search domains that fail"
              + " first (resolv.conf: ndots, options timeout), and let the JVM keep answers"
              + " (networkaddress.cache.ttl)");
    }
    return host.contains("/dev/random")
        ? Optional.of(
            "use SecureRandom without generateSeed and not NativePRNGBlocking (JDK 8:"
                + " -Djava.security.egd=file:/dev/./urandom), or give the machine more entropy"
                + " (rng-tools)")
        : Optional.empty();
  }

  private static boolean isDatabase(Part host) {
    String text = host.toString();
    return List.of("PostgreSQL", "MySQL", "MariaDB", "Oracle", "SQL Server", "DB2", "H2").stream()
        .anyMatch(text::contains);
  }
}
