package io.gcdiag.causes.waits;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.OwnPlaces;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.threads.HostService;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.measures.threads.CallMeters;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.UserWaits;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A database or remote service answers slowly. */
public final class SlowDownstreamCause extends Cause {

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

  private static final String OF_SERVICE =
      "find why it answers slowly: its own latency, load and latest change";

  public SlowDownstreamCause() {
    super(
        Hypothesis.SLOW_DOWNSTREAM,
        "Slow database or remote service",
        "look at what answers the calls: its own latency, its slowest statements or calls",
        List.of(new DownstreamTimeRule(), new LoggedErrorsRule()),
        Trait.PART_OF_NORMAL_WORK,
        Trait.OF_SOME_REQUESTS,
        Trait.SEEN_IN_WAITS);
    chartLine("for a downstream call", "Downstream calls");
    askedFirst(1);
    lengthens(Effect.DOWNSTREAM_WAIT);
  }

  @Override
  public void place(PlaceParts found) {
    Optional<WaitSeries> busiest =
        found.longest(UserWaits.of(found.timeline(), WaitKind.DOWNSTREAM));
    Predicate<Spot> ofIt =
        spot ->
            busiest
                .map(series -> series.site().client())
                .filter(client -> !client.isEmpty())
                .map(spot.subject()::equals)
                .orElse(true);
    found.code(
        found
            .own()
            .most(Activity.CALLING, ofIt)
            .or(() -> found.own().most(Activity.SAMPLED_CALLING))
            .or(() -> found.own().inDumps(thread -> thread.is(ThreadActivity.IN_DOWNSTREAM_CALL))));
    if (CallMeters.areAlone(found.timeline())) {
      CallMeters.mostGrown(found.incident())
          .ifPresent(
              calls ->
                  found.add(
                      new Part(
                          calls.isQuery() ? Role.QUERY : Role.HOST,
                          calls.target(),
                          calls.source())));
    }
    busiest
        .filter(series -> !series.site().label().isEmpty())
        .ifPresent(
            series ->
                found.add(
                    HostService.isRandom(series.site().label())
                        ? new Part(Role.FILE, HostService.RANDOM, series.source())
                        : PlaceParts.host(series)));
  }

  @Override
  public Optional<String> kind(SuspectContext suspect) {
    Optional<Part> host = called(suspect);
    boolean database =
        host.filter(one -> one.role() == Role.QUERY || sessions(one).isPresent()).isPresent();
    if (isManyCalls(suspect)) {
      return Optional.of(
          "Too many " + (database ? "database" : "downstream") + " calls per request");
    }
    if (isOutsideCalled(suspect)) {
      return Optional.of("Calls that wait outside of the called service");
    }
    return host.map(Part::toString)
        .map(
            name ->
                HostService.isLookup(name)
                    ? "Slow DNS lookups"
                    : HostService.isRandom(name)
                        ? "Slow random numbers: the host has too little entropy"
                        : database ? "Slow database" : "Slow remote service");
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    if (isManyCalls(suspect)) {
      return suspect.code(
          "fetch everything in one query or call, not one per row (a batch)" + loop(suspect));
    }
    return called(suspect)
        .filter(any -> !isOutsideCalled(suspect))
        .map(
            host ->
                suspect.infrastructure(
                    host.toString(),
                    ofHost(host.toString()).or(() -> ofDatabase(host)).orElse(OF_SERVICE)))
        .orElse(List.of());
  }

  /**
   * The loop that makes the calls is searched in the frames that nearly all of their stacks share.
   */
  private static String loop(SuspectContext suspect) {
    return new OwnPlaces(suspect.incident())
        .shared(Activity.CALLING)
        .map(CodePlace::toString)
        .filter(frame -> suspect.at(Role.CODE).filter(at -> at.name().equals(frame)).isEmpty())
        .map(frame -> "; the loop is at or below " + frame)
        .orElse("");
  }

  /** The remote host, or a device of the machine. */
  private static Optional<Part> called(SuspectContext suspect) {
    return Stream.of(Role.HOST, Role.QUERY, Role.FILE, Role.MACHINE)
        .flatMap(role -> suspect.at(role).stream())
        .findFirst();
  }

  /** Whether requests make too many calls of normal length. */
  private boolean isManyCalls(SuspectContext suspect) {
    return suspect.about().stream()
        .map(finding -> finding.actions().getOrDefault(hypothesis(), ""))
        .anyMatch(CallsWithoutEvents.OF_MANY_CALLS::contains);
  }

  private static boolean isOutsideCalled(SuspectContext suspect) {
    return suspect.about().stream()
        .anyMatch(finding -> finding.values().containsKey(CallsWithoutEvents.SERVED));
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

  private static Optional<String> ofDatabase(Part host) {
    return sessions(host)
        .map(
            view ->
                "find the statement that blocks or is slow there ("
                    + view
                    + ": what waits for a lock, what runs longest) and end or rewrite it");
  }

  /** Where the database lists its sessions; empty if the host is none. */
  private static Optional<String> sessions(Part host) {
    return SESSIONS.entrySet().stream()
        .filter(database -> isOf(database.getKey(), host))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  private static boolean isOf(String database, Part called) {
    return called.role() == Role.QUERY
        ? called.name().regionMatches(true, 0, database, 0, database.length())
        : called.toString().contains(database);
  }
}
