package io.gcdiag.causes.workers;

import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.OccupiedWorkers;
import io.gcdiag.measures.threads.UnrestedLoops;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The fully busy group of threads that requests queue for.
 *
 * @param name their name without numbers
 * @param loop whether they were seen idle in a selector, as event loops are
 * @param source where it was read
 */
record FullGroup(String name, int count, boolean loop, Source source) {

  /** The group of an incident; an executor is preferred to the request threads that wait for it. */
  static Optional<FullGroup> of(MeasuredIncident incident) {
    List<ThreadSnapshot> dumps = ExhaustedGroup.dumps(incident);
    Optional<OccupiedWorkers> occupied =
        OccupiedWorkers.of(incident).stream()
            .min(
                Comparator.comparing(OccupiedWorkers::serving)
                    .thenComparing(OccupiedWorkers::group));
    return ExhaustedGroup.of(dumps, false)
        .flatMap(name -> named(dumps, name))
        .or(() -> awaited(incident))
        .or(
            () ->
                occupied.map(
                    group ->
                        new FullGroup(
                            group.group(),
                            group.workers(),
                            false,
                            incident.timeline().recorded("jdk.ThreadPark"))))
        .or(() -> ExhaustedGroup.of(dumps, true).flatMap(name -> named(dumps, name)))
        .or(
            () ->
                BusyLoops.busiest(incident)
                    .map(
                        group ->
                            new FullGroup(
                                group,
                                Math.max(1, UnrestedLoops.members(incident.timeline(), group)),
                                true,
                                incident.timeline().recorded(BusyLoops.SAMPLES))));
  }

  /** The threads whose results request threads wait for. */
  private static Optional<FullGroup> awaited(MeasuredIncident incident) {
    return incident
        .workerQueue()
        .filter(queue -> queue.role().ofTasks() && queue.client().isEmpty())
        .map(queue -> new FullGroup(queue.group(), queue.workers(), false, queue.sources().get(0)));
  }

  private static Optional<FullGroup> named(List<ThreadSnapshot> dumps, String name) {
    return dumps.stream()
        .map(
            dump -> {
              long count = dump.threads().stream().filter(thread -> isOf(thread, name)).count();
              return new FullGroup(name, (int) count, false, dump.source());
            })
        .max(Comparator.comparingInt(FullGroup::count));
  }

  private static boolean isOf(ThreadState thread, String group) {
    return ThreadNames.numbered(thread.name()).equals(group);
  }

  boolean has(ThreadState thread) {
    return isOf(thread, name);
  }

  /** Whether they are event loops, which must never block: seen as such, or named like Netty's. */
  boolean isEventLoop() {
    String lower = name.toLowerCase(Locale.ROOT);
    return loop || lower.contains("eventloop") || lower.contains("reactor-http");
  }
}
