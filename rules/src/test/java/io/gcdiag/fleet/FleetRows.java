package io.gcdiag.fleet;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.verdict.Confidence;
import io.gcdiag.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Rows of hourly cases, for tests. */
final class FleetRows {

  static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  private FleetRows() {}

  static Instant hour(int hour) {
    return START.plus(Duration.ofHours(hour));
  }

  static CaseRow healthy(String service, String host, String build, int hour) {
    return row(service, host, build, hour, CaseOutcome.HEALTHY, List.of(), OptionalDouble.empty());
  }

  static CaseRow undecided(String service, int hour) {
    return row(service, "a", "1", hour, CaseOutcome.UNDECIDED, List.of(), OptionalDouble.empty());
  }

  static CaseRow failed(String service, int hour) {
    return CaseRow.failed(
        key(service, "a", hour), origin(service, "a", "1"), time(hour), "not enough memory");
  }

  /** One that explains half of the lost time by its cause. */
  static CaseRow sick(
      String service, String host, String build, int hour, Hypothesis cause, double lost) {
    Suspect suspect =
        new Suspect(
            cause,
            Verdict.PRIMARY_SUSPECT,
            OptionalDouble.of(0.5),
            Optional.of(Confidence.HIGH),
            "");
    return row(
        service,
        host,
        build,
        hour,
        CaseOutcome.PRIMARY_SUSPECT,
        List.of(suspect),
        OptionalDouble.of(lost));
  }

  private static CaseRow row(
      String service,
      String host,
      String build,
      int hour,
      CaseOutcome outcome,
      List<Suspect> suspects,
      OptionalDouble lost) {
    return new CaseRow(
        key(service, host, hour),
        origin(service, host, build),
        time(hour),
        outcome,
        suspects,
        lost,
        List.of(),
        "",
        "");
  }

  private static CaseKey key(String service, String host, int hour) {
    return new CaseKey(service + "/" + host + "/" + hour, "digest", "1");
  }

  private static CaseOrigin origin(String service, String host, String build) {
    return new CaseOrigin(
        Optional.of(service),
        Optional.of(host),
        Optional.of(build).filter(text -> !text.isEmpty()));
  }

  private static Optional<Window> time(int hour) {
    return Optional.of(new Window(hour(hour), hour(hour + 1)));
  }
}
