package io.gcdiag.evidence;

import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.TimeOrder;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Requests of one endpoint over time, by the name in the load test or in the service's metrics.
 *
 * @param endpoint such as {@code GET /orders/{id}}; names of paths are without host and query
 * @param slots by time; intervals without requests are left out
 * @param spreads the same requests with their latencies, in intervals as long or longer; empty if
 *     only sums are known
 */
public record EndpointSeries(String endpoint, List<Slot> slots, List<RequestInterval> spreads) {

  /** The name of all endpoints beyond the number that is kept by name. */
  public static final String OTHERS = "all other endpoints";

  /**
   * The requests that began in one interval.
   *
   * @param from start of the interval
   * @param requests number of requests, at least 0
   * @param latencySeconds sum of their latencies, at least 0
   */
  public record Slot(Instant from, long requests, double latencySeconds) {

    public Slot plus(Slot more) {
      return new Slot(from, requests + more.requests, latencySeconds + more.latencySeconds);
    }

    /** Mean latency; zero without requests. */
    public Duration mean() {
      return requests == 0 ? Duration.ZERO : Durations.ofSeconds(latencySeconds / requests);
    }
  }

  public EndpointSeries {
    slots = List.copyOf(slots);
    spreads = List.copyOf(spreads);
  }

  EndpointSeries named(String name) {
    return new EndpointSeries(name, slots, spreads);
  }

  EndpointSeries shifted(Duration by) {
    return new EndpointSeries(
        endpoint,
        slots.stream()
            .map(slot -> new Slot(slot.from().plus(by), slot.requests(), slot.latencySeconds()))
            .toList(),
        spreads.stream().map(spread -> spread.shifted(by)).toList());
  }

  /** The slot that begins there; one without requests if there is none. */
  public Slot at(Instant from) {
    int index =
        Collections.binarySearch(slots, new Slot(from, 0, 0), Comparator.comparing(Slot::from));
    return index < 0 ? new Slot(from, 0, 0) : slots.get(index);
  }

  /** The latencies of the intervals that are wholly inside the window. */
  public Latencies latencies(Window window) {
    return TimeOrder.within(spreads, RequestInterval::from, window).stream()
        .filter(spread -> !spread.from().plus(spread.length()).isAfter(window.to()))
        .map(RequestInterval::latencies)
        .reduce(Latencies.none(), Latencies::plus);
  }

  /** All requests of the slots that begin inside the window. */
  public Slot within(Window window) {
    return TimeOrder.within(slots, Slot::from, window).stream()
        .reduce(new Slot(window.from(), 0, 0), Slot::plus);
  }
}
