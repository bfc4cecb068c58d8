package io.gcdiag.causes.pool;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.CallPart;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.OpenedConnections;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.Occupancy;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.List;
import java.util.Optional;

/** Requests open connections that could be kept: each logs in anew. */
public final class ConnectionChurnCause extends Cause {
  public ConnectionChurnCause() {
    super(
        Hypothesis.CONNECTION_CHURN,
        "Connections opened anew for each request",
        "keep connections open and use them again: a pool that keeps as many idle ones as are in"
            + " use at a time, a client that is made once, keep-alive on both sides",
        List.of(new OpenedConnectionsRule()),
        Trait.OF_SOME_REQUESTS,
        Trait.SEEN_IN_WAITS);
    lengthens(Effect.DOWNSTREAM_WAIT);
  }

  @Override
  public void place(PlaceParts found) {
    found.code(
        found
            .own()
            .most(Activity.CALLING, spot -> CallPart.isOpening(spot.subject()))
            .or(() -> found.own().inDumps(thread -> CallPart.isOpening(thread.subject()))));
    found
        .longest(OpenedConnections.series(found.timeline()))
        .ifPresent(series -> found.add(PlaceParts.host(series)));
  }

  @Override
  public Optional<String> kind(SuspectContext suspect) {
    return Optional.of(
        isInPool(suspect)
            ? "The pool opens connections that it does not keep"
            : "Requests open a connection each, without a pool");
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return isInPool(suspect)
        ? suspect.infrastructure(
            "connection pool",
            "keep as many idle connections as are in use at a time (maxIdle, minimumIdle), with no"
                + " short idle time or lifetime")
        : suspect.code("take the connection from a pool, or make the client once and keep it");
  }

  private static boolean isInPool(SuspectContext suspect) {
    Window window = suspect.incident().window();
    return OpenedConnections.series(suspect.timeline()).stream()
            .filter(series -> series.within(window).count() > 0)
            .map(WaitSeries::site)
            .anyMatch(
                site ->
                    CallPart.isOpeningInPool(site.client())
                        || CallPart.isOpeningInPool(site.name()))
        || DumpTimes.during(suspect.incident()).stream()
            .flatMap(dump -> dump.threads().stream())
            .anyMatch(
                thread ->
                    thread.is(ThreadActivity.IN_DOWNSTREAM_CALL)
                        && CallPart.isOpeningInPool(thread.subject()));
  }

  /** Asks whether requests wait for new connections to log in, and did not before. */
  @Judges(
      value = Hypothesis.CONNECTION_CHURN,
      needs = Signal.SOCKET_READS,
      standIns = {Signal.CPU_SAMPLES, Signal.THREAD_DUMPS})
  static final class OpenedConnectionsRule implements Rule {

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      return OpenedConnections.of(incident, incident.effects())
          .map(opened -> finding(incident, opened))
          .stream()
          .toList();
    }

    private Finding finding(MeasuredIncident incident, OpenedConnections opened) {
      double share = OpenedConnections.shareOfCalls(incident, incident.effects());
      boolean baseline = incident.baseline().isPresent();
      String change =
          (baseline && !opened.inDumps() ? Numbers.threeDigits(opened.usual()) + " -> " : "")
              + Numbers.threeDigits(opened.threads());
      FindingBuilder finding =
          Finding.of(
                  id(),
                  "request threads that wait until a new connection has logged in: %s on average%s%s"
                      .formatted(
                          change,
                          opened.inDumps() ? ", by thread dumps" : "",
                          share > 0 ? ", " + new Ratio(share) + " of the time lost in calls" : ""))
              .figure(
                  "threads opening a connection, mean",
                  baseline && !opened.inDumps()
                      ? Optional.of(Numbers.threeDigits(opened.usual()))
                      : Optional.empty(),
                  Numbers.threeDigits(opened.threads()))
              .brief(change + " threads opening connections (mean)")
              .value("threadsOpening", opened.threads())
              .value("threadsOpeningBefore", opened.usual())
              .from(
                  opened.inDumps()
                      ? DumpTimes.during(incident).stream().map(dump -> dump.source()).toList()
                      : List.of(
                          incident
                              .timeline()
                              .recorded(
                                  opened.recorded().count() > 0
                                      ? "jdk.SocketRead"
                                      : "jdk.NativeMethodSample")));
      Occupancy.sum(
              incident,
              window -> occupancy(incident.timeline(), window),
              "reads of new connections"
                  + incident.timeline().coverage().of(Signal.SOCKET_READS).limit(),
              "threads in them, with what is outside the window")
          .ifPresent(finding::sum);
      return (share > 0
              ? finding.explains(Hypothesis.CONNECTION_CHURN, Effect.DOWNSTREAM_WAIT, share)
              : finding.supports(Hypothesis.CONNECTION_CHURN))
          .build();
    }

    private static Optional<Occupancy> occupancy(Timeline timeline, Window window) {
      WaitSeries.Totals totals = WaitSeries.totals(OpenedConnections.series(timeline), window);
      return Occupancy.of(totals.count(), totals.total().toNanos() / 1e9, window);
    }
  }
}
