package io.gcdiag.read.jfr.events;

import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.time.Latencies;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Counts how long the threads of one group work between two rests: see {@link WorkRounds}. */
final class RoundCounter {

  /** Half an hour by the second; a longer recording is counted in steps of two, four... seconds. */
  private static final int MOST_STEPS = 2_048;

  private static final long SECOND = ThreadSpans.SECOND;

  /** The latest rest of each thread. */
  private final ByNumber<Rest> latest = new ByNumber<>(any -> new Rest());

  /** By the number of the step in which the rounds begin. */
  private ByNumber<Step> steps = new ByNumber<>(any -> new Step());

  private long stepSeconds = 1;

  /** In nanoseconds since 1970. */
  private static final class Rest {
    private boolean any;
    private long from;
    private long until;
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
    Rest rest = latest.at(thread);
    if (rest.any && rest.until <= from) {
      Step step = steps.at(rest.until / SECOND / stepSeconds);
      step.rounds().add(from - rest.until);
      step.rests().add(rest.until - rest.from);
      if (steps.size() > MOST_STEPS) {
        stepSeconds *= 2;
        steps = steps.halved(Step::add);
      }
    }
    rest.any = true;
    rest.from = from;
    rest.until = until;
  }

  /** All of them. */
  List<WorkRounds> rounds(String group) {
    List<WorkRounds> rounds = new ArrayList<>();
    for (long number : steps.numbers()) {
      Step step = steps.at(number);
      rounds.add(
          new WorkRounds(
              Instant.ofEpochSecond(number * stepSeconds),
              Duration.ofSeconds(stepSeconds),
              group,
              step.rounds().latencies(),
              step.rests().latencies()));
    }
    return rounds;
  }
}
