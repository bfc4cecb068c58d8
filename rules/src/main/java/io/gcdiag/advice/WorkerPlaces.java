package io.gcdiag.advice;

import io.gcdiag.accounts.workers.ExhaustedGroup;
import io.gcdiag.advice.Place.Part;
import io.gcdiag.advice.Place.Role;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.profile.OwnCode.Activity;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.measures.workers.OccupiedWorkers;
import io.gcdiag.measures.workers.WorkerQueue;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Where the threads of a group are that is never free, or that block their carriers. */
final class WorkerPlaces {

  private final PlaceParts found;
  private final Incident incident;
  private final Timeline timeline;
  private final Window window;
  private final OwnPlaces own;

  WorkerPlaces(PlaceParts found) {
    this.found = found;
    this.incident = found.incident();
    this.timeline = found.timeline();
    this.window = found.window();
    this.own = found.own();
  }

  /**
   * A group of threads of which none is free.
   *
   * @param name their name without numbers
   * @param count how many they are
   * @param source where it was read
   */
  record Group(String name, int count, Source source) {}

  /** The group that requests queue for; an executor before the request threads that wait for it. */
  static Optional<Group> group(Incident incident) {
    List<ThreadSnapshot> dumps = ExhaustedGroup.dumps(incident);
    Optional<OccupiedWorkers> occupied =
        OccupiedWorkers.of(incident).stream()
            .min(
                Comparator.comparing(OccupiedWorkers::serving)
                    .thenComparing(OccupiedWorkers::group));
    return ExhaustedGroup.of(dumps, false)
        .flatMap(name -> group(dumps, name))
        .or(() -> awaited(incident))
        .or(
            () ->
                occupied.map(
                    group ->
                        new Group(
                            group.group(),
                            group.workers(),
                            incident.timeline().recorded("jdk.ThreadPark"))))
        .or(() -> ExhaustedGroup.of(dumps, true).flatMap(name -> group(dumps, name)));
  }

  /** The threads whose results request threads wait for. */
  private static Optional<Group> awaited(Incident incident) {
    return WorkerQueue.of(incident)
        .filter(queue -> queue.role() == WorkerQueue.Role.EXECUTOR && queue.client().isEmpty())
        .map(queue -> new Group(queue.group(), queue.workers(), queue.sources().get(0)));
  }

  private static Optional<Group> group(List<ThreadSnapshot> dumps, String name) {
    return dumps.stream()
        .map(dump -> new Group(name, count(dump, name), dump.source()))
        .max(Comparator.comparingInt(Group::count));
  }

  private static int count(ThreadSnapshot dump, String name) {
    return (int) dump.threads().stream().filter(thread -> isOf(thread, name)).count();
  }

  private static boolean isOf(ThreadState thread, String group) {
    return ThreadNames.numbered(thread.name()).equals(group);
  }

  void threads() {
    Optional<Group> group = group(incident);
    found.code(
        group
            .flatMap(one -> own.inDumps(thread -> isOf(thread, one.name())))
            .or(() -> own.most(Activity.CALLING))
            .or(() -> own.most(Activity.SAMPLED_CALLING))
            .or(() -> own.most(Activity.RUNNING)));
    group.ifPresent(
        one ->
            found.add(
                new Part(
                    Role.THREADS,
                    one.name(),
                    one.count() + (one.count() == 1 ? " thread" : " threads"),
                    one.source())));
  }

  void pinned() {
    Optional<WaitSeries> most =
        timeline.waits(WaitKind.PINNED).stream()
            .max(
                Comparator.comparingDouble((WaitSeries s) -> s.within(window).waitedSeconds())
                    .thenComparing(WaitSeries::site));
    own.most(Activity.PINNED)
        .ifPresent(
            at ->
                found.add(
                    new Part(
                        Role.CODE,
                        at.place().toString(),
                        most.map(series -> series.site().name()).orElse(""),
                        at.source())));
  }
}
