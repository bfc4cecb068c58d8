package io.gcdiag.evidence;

import io.gcdiag.evidence.time.TimeOrder;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Requests of one endpoint over time, by the name that the load test or the service's meter gives
 * it.
 *
 * @param endpoint such as {@code GET /orders/{id}}; names of paths are without host and query
 * @param slots by time; none where there was no request
 */
public record EndpointSeries(String endpoint, List<Slot> slots) {

  /** The name of those beyond what is kept by name. */
  public static final String OTHERS = "all other endpoints";

  /**
   * The requests that began in one interval.
   *
   * @param from its start
   * @param requests how many, at least 0
   * @param latencySeconds how long all of them took together, at least 0
   */
  public record Slot(Instant from, long requests, double latencySeconds) {}

  /**
   * Requests of a window.
   *
   * @param requests how many
   * @param latencySeconds how long all of them took together
   */
  public record Total(long requests, double latencySeconds) {

    /** Of both. */
    public Total plus(Total other) {
      return new Total(requests + other.requests, latencySeconds + other.latencySeconds);
    }

    /** Zero if there was none. */
    public Duration mean() {
      return requests == 0 ? Duration.ZERO : Durations.ofSeconds(latencySeconds / requests);
    }
  }

  /** Copies the slots. */
  public EndpointSeries {
    slots = List.copyOf(slots);
  }

  /** The same under another name. */
  EndpointSeries named(String name) {
    return new EndpointSeries(name, slots);
  }

  /** All requests of the slots that begin inside the window. */
  public Total within(Window window) {
    return TimeOrder.within(slots, Slot::from, window).stream()
        .map(slot -> new Total(slot.requests(), slot.latencySeconds()))
        .reduce(new Total(0, 0), Total::plus);
  }
}
