package io.gcdiag.sketches;

import static io.gcdiag.sketches.IncidentBuilder.at;

import io.gcdiag.Made;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.WaitKind;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Threads of a group over some seconds of an incident made by hand. */
public final class WorkerSketch {

  /** What a recording tells of them at once. */
  public static final Duration STRETCH = Duration.ofSeconds(5);

  private WorkerSketch() {}

  /**
   * So many threads, so many of them in calls by samples.
   *
   * @param parked thread-seconds in each stretch, by what they park for
   */
  public static void group(
      IncidentBuilder to,
      int from,
      int until,
      String name,
      boolean serving,
      int workers,
      double calls,
      Map<WaitKind, Double> parked) {
    for (int second = from; second < until; second += (int) STRETCH.toSeconds()) {
      to.sample(new WorkerTime(at(second), STRETCH, name, serving, workers, 0, parked));
      to.sample(
          Made.sampled(
              at(second),
              STRETCH,
              Optional.of(WaitKind.DOWNSTREAM),
              "OkHttp",
              "Partner.ask",
              name,
              serving,
              100,
              calls));
    }
  }
}
