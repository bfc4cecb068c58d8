package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.AsyncClient;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
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

  private static final Set<WaitKind> SEEN =
      Collections.unmodifiableSet(
          EnumSet.complementOf(
              EnumSet.of(
                  WaitKind.IDLE, WaitKind.FILE, WaitKind.PINNED, WaitKind.ALLOCATION_STALL)));

  /**
   * Empty if no such client was seen, if requests do not run on event loops, or if request threads
   * themselves wait.
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
                String.join(", ", clients(timeline)), idle.getAsDouble(), seen.get(0).source()));
  }

  /**
   * The same of a service of which no such client is known: the groups of threads that serve
   * requests, or all that were met if none is known to, rest in a selector most of the time, and
   * none waits for anything.
   */
  public static Optional<AsyncWaits> ofUnknown(Timeline timeline, Window window) {
    double waiting = WaitSeries.threads(seen(timeline), window);
    OptionalDouble idle =
        timeline.samples(AsyncClient.class).isEmpty()
            ? idle(timeline, ofServing(timeline.samples(SampledTime.class, window)))
            : OptionalDouble.empty();
    return idle.isEmpty() || waiting >= Policy.LEAST_THREADS_FELT
        ? Optional.empty()
        : Optional.of(
            new AsyncWaits("", idle.getAsDouble(), timeline.recorded("jdk.NativeMethodSample")));
  }

  /** The samples of groups that were seen to serve a request; all if none was. */
  private static List<SampledTime> ofServing(List<SampledTime> samples) {
    Set<String> serving =
        samples.stream()
            .filter(SampledTime::onRequestThread)
            .map(SampledTime::group)
            .collect(Collectors.toSet());
    return samples.stream()
        .filter(sample -> serving.isEmpty() || serving.contains(sample.group()))
        .toList();
  }

  /** Calls that no event shows, as no thread waits in them; empty if all would be seen. */
  public static String unseen(Timeline timeline, Window window) {
    String clients = String.join(", ", clients(timeline));
    if (!clients.isEmpty()) {
      return "of asynchronous clients (" + clients + ")";
    }
    return idle(timeline, window).isPresent() ? "of asynchronous clients on event loops" : "";
  }

  public static SortedSet<String> clients(Timeline timeline) {
    return timeline.samples(AsyncClient.class).stream()
        .map(AsyncClient::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Request threads that wait for something, on average. */
  private static double waiting(Timeline timeline, Window window) {
    return WaitSeries.threads(WaitSeries.ofRequests(seen(timeline)), window);
  }

  private static List<WaitSeries> seen(Timeline timeline) {
    return SEEN.stream().flatMap(kind -> timeline.waits(kind).stream()).toList();
  }

  /**
   * Share of their time in which the event loops that serve requests are idle. Empty if requests
   * run on worker threads, because those wait themselves. A group that parks when it has no work is
   * one of worker threads, even if its threads take turns at the selector, as Jetty's do.
   */
  private static OptionalDouble idle(Timeline timeline, Window window) {
    return idle(
        timeline,
        timeline.samples(SampledTime.class, window).stream()
            .filter(SampledTime::onRequestThread)
            .toList());
  }

  private static OptionalDouble idle(Timeline timeline, List<SampledTime> samples) {
    Map<String, SampledGroup> groups = SampledGroup.byName(samples);
    Set<String> workers = SampledGroup.parking(timeline);
    List<SampledGroup> loops =
        groups.entrySet().stream()
            .filter(group -> group.getValue().isLoop() && !workers.contains(group.getKey()))
            .map(Map.Entry::getValue)
            .toList();
    double onLoops = loops.stream().mapToDouble(SampledGroup::running).sum();
    double everywhere = groups.values().stream().mapToDouble(SampledGroup::running).sum();
    double all = loops.stream().mapToDouble(SampledGroup::all).sum();
    return all <= 0 || onLoops < Policy.MAJORITY * everywhere
        ? OptionalDouble.empty()
        : OptionalDouble.of(loops.stream().mapToDouble(SampledGroup::idle).sum() / all);
  }
}
