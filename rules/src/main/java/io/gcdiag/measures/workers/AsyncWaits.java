package io.gcdiag.measures.workers;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.AsyncClient;
import io.gcdiag.evidence.waits.SampledTime;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Services that wait without a thread: their event loops start a call and go on with other work. No
 * event and no dump shows what a request waits for then.
 *
 * @param clients clients and pools of that kind that the recording's stacks show, by name
 * @param idle share of their time in which the event loops had nothing to do, by samples
 * @param source where the clients were seen
 */
public record AsyncWaits(String clients, double idle, Source source) {

  private static final List<WaitKind> SEEN =
      List.of(
          WaitKind.POOL,
          WaitKind.LOCK,
          WaitKind.LOG_QUEUE,
          WaitKind.DIRECT_MEMORY,
          WaitKind.CLIENT,
          WaitKind.DOWNSTREAM,
          WaitKind.SLEEP,
          WaitKind.OTHER);

  /**
   * Absent where no such client was seen, where requests do not run on event loops, or where
   * request threads are seen to wait themselves.
   */
  public static Optional<AsyncWaits> of(Timeline timeline, Window window) {
    List<AsyncClient> seen = timeline.samples(AsyncClient.class);
    OptionalDouble idle = idle(timeline, window);
    return seen.isEmpty()
            || idle.isEmpty()
            || waiting(timeline, window) >= Policy.LEAST_THREADS_FELT
        ? Optional.empty()
        : Optional.of(
            new AsyncWaits(
                seen.stream()
                    .map(AsyncClient::name)
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining(", ")),
                idle.getAsDouble(),
                seen.get(0).source()));
  }

  /** Request threads that wait for something, on average. */
  private static double waiting(Timeline timeline, Window window) {
    return SEEN.stream()
            .flatMap(kind -> timeline.waits(kind).stream())
            .filter(series -> series.site().onRequestThread())
            .mapToDouble(series -> series.within(window).waitedSeconds())
            .sum()
        / window.seconds();
  }

  /** What samples found the threads of one group at, in thread-seconds. */
  private record Group(double idle, double running, double all) {
    Group plus(SampledTime sample) {
      boolean rests = sample.waiting().filter(kind -> kind == WaitKind.IDLE).isPresent();
      return new Group(
          idle + (rests ? sample.seconds() : 0),
          running + (sample.waiting().isEmpty() ? sample.seconds() : 0),
          all + sample.seconds());
    }

    boolean isLoop() {
      return idle >= Policy.NOTABLE * all;
    }
  }

  /**
   * Share of their time in which the event loops that requests run on rest; empty if requests run
   * on worker threads, which wait themselves.
   */
  private static OptionalDouble idle(Timeline timeline, Window window) {
    Map<String, Group> groups = new TreeMap<>();
    for (SampledTime sample : timeline.samples(SampledTime.class, window)) {
      if (sample.onRequestThread()) {
        Group so = groups.getOrDefault(sample.group(), new Group(0, 0, 0));
        groups.put(sample.group(), so.plus(sample));
      }
    }
    List<Group> loops = groups.values().stream().filter(Group::isLoop).toList();
    double onLoops = loops.stream().mapToDouble(Group::running).sum();
    double everywhere = groups.values().stream().mapToDouble(Group::running).sum();
    double all = loops.stream().mapToDouble(Group::all).sum();
    return all <= 0 || onLoops < Policy.MAJORITY * everywhere
        ? OptionalDouble.empty()
        : OptionalDouble.of(loops.stream().mapToDouble(Group::idle).sum() / all);
  }
}
