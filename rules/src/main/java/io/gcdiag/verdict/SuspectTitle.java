package io.gcdiag.verdict;

import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.calls.CallEdits;
import io.gcdiag.causes.memory.RequestedGcEdits;
import io.gcdiag.causes.workers.BusyLoops;
import io.gcdiag.causes.workers.FullGroup;
import io.gcdiag.evidence.threads.HostService;
import java.util.Optional;

/** The title of a suspect whose kind is known. */
final class SuspectTitle {

  private SuspectTitle() {}

  /** Empty if the cause has one kind only, or if the kind is unknown. */
  static Optional<String> of(SuspectContext suspect) {
    return switch (suspect.hypothesis()) {
      case CONNECTION_LEAK -> held(suspect);
      case THREAD_POOL_EXHAUSTED -> full(suspect);
      case EXPLICIT_GC -> new RequestedGcEdits(suspect).title();
      case JIT_PRESSURE -> interpreted(suspect);
      case SLOW_DOWNSTREAM -> call(suspect);
      case REQUESTS_SLEEP -> sleep(suspect);
      default -> Optional.empty();
    };
  }

  private static Optional<String> held(SuspectContext suspect) {
    if (new PoolEdits(suspect).isHeldForOtherWork()) {
      return Optional.of("Connections held during work that does not use them");
    }
    return suspect.at(Role.CODE).map(part -> "Connection leak: connections are not returned");
  }

  private static Optional<String> full(SuspectContext suspect) {
    Optional<FullGroup> group = FullGroup.of(suspect.incident());
    if (group.filter(FullGroup::isEventLoop).isPresent()) {
      return Optional.of(
          BusyLoops.isComputing(suspect.incident())
              ? "Event loop busy computing"
              : "Event loop blocked by a call that waits");
    }
    return group
        .filter(threads -> threads.count() == 1)
        .map(threads -> "One worker thread for all requests");
  }

  private static Optional<String> interpreted(SuspectContext suspect) {
    if (suspect.says("code cache")) {
      return Optional.of("Code cache full: hot code runs interpreted");
    }
    return suspect.says("deoptimized")
        ? Optional.of("Repeated deoptimization: hot code runs interpreted")
        : Optional.empty();
  }

  private static Optional<String> call(SuspectContext suspect) {
    CallEdits calls = new CallEdits(suspect);
    Optional<String> host = calls.called().map(Part::toString);
    boolean database = host.flatMap(CallEdits::database).isPresent();
    if (calls.isManyCalls()) {
      return Optional.of(
          "Too many " + (database ? "database" : "downstream") + " calls per request");
    }
    return host.map(
        name ->
            HostService.isLookup(name)
                ? "Slow DNS lookups"
                : HostService.isRandom(name)
                    ? "Slow random numbers: the host has too little entropy"
                    : database ? "Slow database" : "Slow remote service");
  }

  private static Optional<String> sleep(SuspectContext suspect) {
    if (suspect.says("RateLimiter")) {
      return Optional.of("Requests wait in a rate limiter");
    }
    return Optional.of(
        suspect.about().stream()
                .anyMatch(
                    finding ->
                        finding
                            .actions()
                            .getOrDefault(suspect.hypothesis(), "")
                            .contains("first attempt fails"))
            ? "Requests sleep between retries"
            : "Requests sleep");
  }
}
