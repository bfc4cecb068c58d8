package io.gcdiag.ingest.jfr.waits;

import io.gcdiag.evidence.requests.Latencies;
import io.gcdiag.evidence.requests.WorkRounds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Counts how long the threads of one group work between two rests: see {@link WorkRounds}. */
final class RoundCounter {

  /** Half an hour by the second; a longer recording is counted in steps of two, four... seconds. */
  private static final int MOST_STEPS = 2_048;

  private static final long SECOND = ThreadSpans.SECOND;

  /** The latest rest of each thread. */
  private final Map<Long, Rest> latest = new HashMap<>();

  /** By the number of the step in which the rounds begin. */
  private TreeMap<Long, Step> steps = new TreeMap<>();

  private long stepSeconds = 1;

  /** In nanoseconds since 1970. */
  private record Rest(long from, long until) {
    Duration length() {
      return Duration.ofNanos(until - from);
    }
  }

  /** The rounds that begin in one step, and the rests before them. */
  private record Step(Latencies.Counter rounds, Latencies.Counter rests) {
    Step() {
      this(new Latencies.Counter(), new Latencies.Counter());
    }

    void add(Step other) {
      rounds.add(other.rounds);
      rests.add(other.rests);
    }
  }

  /**
   * A thread had no work for a while; a thread's rests come in their order.
   *
   * @param from in nanoseconds since 1970
   * @param until the same
   */
  void rested(long thread, long from, long until) {
    Optional<Rest> before = Optional.ofNullable(latest.put(thread, new Rest(from, until)));
    if (before.filter(rest -> rest.until() <= from).isEmpty()) {
      return;
    }
    Rest rest = before.get();
    Step step = steps.computeIfAbsent(rest.until() / SECOND / stepSeconds, any -> new Step());
    step.rounds().add(Duration.ofNanos(from - rest.until()));
    step.rests().add(rest.length());
    if (steps.size() > MOST_STEPS) {
      widen();
    }
  }

  private void widen() {
    stepSeconds *= 2;
    TreeMap<Long, Step> narrow = steps;
    steps = new TreeMap<>();
    narrow.forEach(
        (number, step) -> steps.computeIfAbsent(number / 2, any -> new Step()).add(step));
  }

  /** All of them. */
  List<WorkRounds> rounds(String group) {
    List<WorkRounds> rounds = new ArrayList<>();
    steps.forEach(
        (number, step) ->
            rounds.add(
                new WorkRounds(
                    Instant.ofEpochSecond(number * stepSeconds),
                    Duration.ofSeconds(stepSeconds),
                    group,
                    step.rounds().latencies(),
                    step.rests().latencies())));
    return rounds;
  }
}
