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
 * The same requests as their users or a proxy measure them and as the server does: by an access
 * log, spans or timers, which begin when a thread takes the request up. What lies between the two
 * is the network, and what queues before the server.
 *
 * @param users mean latency for the users
 * @param server mean latency in the server
 * @param network by how much the two differ without a queue, in seconds
 * @param usual mean latency for the users in the baseline, in seconds; 0 if unknown
 * @param client where the first was measured
 * @param own where the second was measured
 * @param tested whether the first was measured by a load test, and so surely of the same requests
 */
public record BeforeServer(
    Duration users,
    Duration server,
    double network,
    double usual,
    Source client,
    Source own,
    boolean tested) {

  /**
   * Of the incident's requests. A test without figures over time has the mean of all its requests,
   * which is at most that of the incident's: what it exceeds the server's incident by is a lower
   * bound. Without a test, of two files that have as many requests the one where they take longer
   * is the users'. Empty if not both ends were measured.
   */
  public static Optional<BeforeServer> of(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    Optional<RequestStats> test = timeline.mainRequestStats();
    boolean tested = timeline.areTested();
    Optional<RequestSeries> client =
        timeline.mainRequestSeries().filter(one -> !tested || timeline.isOfClient(one));
    Optional<RequestSeries> own =
        timeline.requests().series().stream()
            .filter(
                series ->
                    !timeline.isOfClient(series) && !client.equals(Optional.of(series))
                        || client.filter(one -> timeline.areTwoEnds(one, series)).isPresent())
            .max(Comparator.comparingLong(series -> latencies(series, window).count()))
            .filter(
                one -> TestedRequests.secondsIn(one, window) >= Policy.COVERED * window.seconds());
    Optional<Duration> server = own.flatMap(one -> served(one, window));
    if (server.isEmpty()) {
      return Optional.empty();
    }
    Source inServer = own.get().source();
    double shortest = test.flatMap(RequestStats::shortest).map(Durations::seconds).orElse(0.0);
    if (client.isEmpty()) {
      return test.flatMap(
          run ->
              run.mean()
                  .map(
                      mean ->
                          new BeforeServer(
                              mean, server.get(), shortest, 0, run.source(), inServer, true)));
    }
    Optional<Duration> usual = incident.baseline().flatMap(before -> mean(client.get(), before));
    double network =
        incident
            .baseline()
            .flatMap(before -> served(own.get(), before))
            .flatMap(inside -> usual.map(all -> Durations.seconds(all.minus(inside))))
            .map(difference -> Math.max(0, difference))
            .orElse(shortest);
    return mean(client.get(), window)
        .map(
            users ->
                new BeforeServer(
                    users,
                    server.get(),
                    network,
                    usual.map(Durations::seconds).orElse(0.0),
                    client.get().source(),
                    inServer,
                    tested));
  }

  /** By how much more the two differ than without a queue, of a request, at least 0. */
  public double seconds() {
    return Math.max(0, Durations.seconds(users.minus(server)) - network);
  }

  public static Optional<BeforeServer> felt(Incident incident) {
    return of(incident).filter(BeforeServer::isFelt);
  }

  /** Whether requests spend most of their time there, and users notice it. */
  public boolean isFelt() {
    return seconds() >= Policy.MAJORITY * Durations.seconds(users)
        && (seconds() >= Durations.seconds(Policy.FELT_DELAY)
            || LoadTestDelays.multiplies(seconds(), usual));
  }

  /** Both figures, in one sentence. */
  public String words() {
    double all = Math.max(0, Durations.seconds(users.minus(server)));
    String passes =
        Durations.format(Durations.ofSeconds(all))
            + " of it pass before the server takes them up"
            + (network < Policy.NEGLIGIBLE * all
                ? ""
                : ", usually " + Durations.format(Durations.ofSeconds(network)));
    return tested
        ? "requests took %s on average for the users and %s in the server (%s): %s"
            .formatted(Durations.format(users), Durations.format(server), own.file(), passes)
        : "requests took %s on average by %s and %s by %s: if both have the same requests, %s"
            .formatted(
                Durations.format(users),
                client.file(),
                Durations.format(server),
                own.file(),
                passes);
  }

  private static Optional<Duration> mean(RequestSeries series, Window window) {
    return latencies(series, window).mean();
  }

  /** The mean in the server, of enough requests. */
  private static Optional<Duration> served(RequestSeries own, Window window) {
    return Optional.of(latencies(own, window))
        .filter(all -> all.count() >= Policy.FEWEST_FOR_A_MEAN)
        .flatMap(Latencies::mean);
  }

  private static Latencies latencies(RequestSeries series, Window window) {
    return series.within(window).latencies();
  }
}
