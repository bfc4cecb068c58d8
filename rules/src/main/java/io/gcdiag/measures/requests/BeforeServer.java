package io.gcdiag.measures.requests;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;

/**
 * The same requests as their users measure them and as the server does: by an access log, spans or
 * timers, which begin when a thread takes the request up. What lies between the two is the network,
 * and what queues before the server.
 *
 * @param users mean latency for the users
 * @param server mean latency in the server
 * @param seconds by how much more the two differ than without a queue, of a request, at least 0
 * @param client where the first was measured
 * @param own where the second was measured
 */
public record BeforeServer(
    Duration users, Duration server, double seconds, Source client, Source own) {

  /**
   * Of the incident's requests. A test without figures over time has the mean of all its requests,
   * which is at most that of the incident's: what it exceeds the server's incident by is a lower
   * bound. Empty if not both ends were measured.
   */
  public static Optional<BeforeServer> of(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    Optional<RequestSeries> own =
        server(timeline, window)
            .filter(
                one -> TestedRequests.secondsIn(one, window) >= Policy.COVERED * window.seconds());
    Optional<RequestSeries> client = timeline.mainRequestSeries().filter(timeline::isOfClient);
    return client.isPresent()
        ? own.flatMap(one -> of(client.get(), one, window, network(incident, client.get(), one)))
        : own.flatMap(
            one ->
                timeline
                    .mainRequestStats()
                    .flatMap(test -> ofRun(test, latencies(one, window), one.source())));
  }

  private static Optional<BeforeServer> ofRun(RequestStats test, Latencies served, Source own) {
    double network = Durations.seconds(test.shortest().orElse(Duration.ZERO));
    return test.mean().flatMap(mean -> difference(mean, test.source(), served, own, network));
  }

  /** Whether requests spend most of their time there, and users notice it. */
  public boolean isFelt() {
    return seconds >= Policy.MAJORITY * Durations.seconds(users)
        && seconds >= Durations.seconds(Policy.FELT_DELAY);
  }

  /** Both figures, in one sentence. */
  public String words() {
    return "requests took %s on average for the users and %s in the server (%s): %s of it pass"
            .formatted(
                Durations.format(users),
                Durations.format(server),
                own.file(),
                Durations.format(Durations.ofSeconds(seconds)))
        + " before the server takes them up";
  }

  /** The measurements of the server with most requests of a window. */
  private static Optional<RequestSeries> server(Timeline timeline, Window window) {
    return timeline.requests().series().stream()
        .filter(series -> !timeline.isOfClient(series))
        .max(Comparator.comparingLong(series -> latencies(series, window).count()));
  }

  private static Latencies latencies(RequestSeries series, Window window) {
    return series.within(window).latencies();
  }

  /** What lies between the two where nothing queues: as before; unknown without a baseline. */
  private static double network(Incident incident, RequestSeries client, RequestSeries own) {
    return incident
        .baseline()
        .flatMap(before -> of(client, own, before, 0))
        .map(BeforeServer::seconds)
        .orElseGet(
            () ->
                incident
                    .timeline()
                    .mainRequestStats()
                    .flatMap(RequestStats::shortest)
                    .map(Durations::seconds)
                    .orElse(0.0));
  }

  private static Optional<BeforeServer> of(
      RequestSeries client, RequestSeries own, Window window, double network) {
    return latencies(client, window)
        .mean()
        .flatMap(
            mean ->
                difference(mean, client.source(), latencies(own, window), own.source(), network));
  }

  private static Optional<BeforeServer> difference(
      Duration users, Source client, Latencies served, Source own, double network) {
    return served
        .mean()
        .filter(any -> served.count() >= Policy.FEWEST_FOR_A_MEAN)
        .map(
            mean ->
                new BeforeServer(
                    users,
                    mean,
                    Math.max(0, Durations.seconds(users.minus(mean)) - network),
                    client,
                    own));
  }
}
