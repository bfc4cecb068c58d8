package io.gcdiag.causes.memory;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.jvm.GcSample.FinalizableObjects;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.policy.Policy;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Whether objects wait for their finalizers and so keep everything reachable that they refer to.
 */
final class FinalizerBacklog {

  /** The HotSpot and OpenJ9 names of the threads that run finalizers and JDK 8 cleaners. */
  static final Set<String> THREADS = Set.of("Finalizer", "Finalizer thread", "Reference Handler");

  /** The libraries of a service have some hundred such objects: files, sockets, deflaters. */
  private static final long FEWEST_MORE = 1_000;

  /** During warm-up all counts grow somewhat; a backlog grows by a multiple. */
  private static final int TIMES_MORE = 2;

  /** The objects of a class whose finalizer has not run, first and last. */
  record Growth(FinalizableObjects first, FinalizableObjects last) {
    long more() {
      return last.objects() - first.objects();
    }

    long finalized() {
      return Math.max(0, last.finalized() - first.finalized());
    }
  }

  /**
   * Whether waiting finalizers explain a growing live set. Objects waiting for finalizers grow like
   * a leak. The sign that separates them is a thread in the same finalizer in several dumps, or in
   * any finalizer while the count of such objects multiplies.
   */
  static Hypothesis growth(Incident incident) {
    long most = THREADS.stream().mapToLong(name -> stuck(incident, name).size()).max().orElse(0);
    return most >= Policy.FEWEST_DUMPS || most > 0 && growing(incident).isPresent()
        ? Hypothesis.FINALIZER_BACKLOG
        : Hypothesis.MEMORY_LEAK;
  }

  /**
   * From the start of the incident on, because objects that wait then are still there at its end.
   */
  static List<ThreadSnapshot> dumps(Incident incident) {
    return incident.timeline().dumps().stream()
        .filter(dump -> dump.at().filter(at -> at.isBefore(incident.window().from())).isEmpty())
        .toList();
  }

  /**
   * The thread in each dump, if it waits at one and the same place in all of them, and not for
   * objects to finalize; else empty.
   */
  static List<ThreadState> stuck(Incident incident, String name) {
    List<ThreadState> states =
        dumps(incident).stream()
            .flatMap(dump -> dump.threads().stream())
            .filter(thread -> thread.name().equals(name) && !thread.virtual())
            .filter(thread -> !thread.standing().at().isEmpty())
            .toList();
    boolean waits =
        states.stream()
                .allMatch(
                    thread -> !thread.is(ThreadActivity.IDLE) && !thread.is(ThreadActivity.RUNNING))
            && states.stream().map(state -> state.standing().stack()).distinct().count() == 1;
    return waits ? states : List.of();
  }

  /** The class with the largest growth of objects waiting for their finalizer. */
  static Optional<Growth> growing(Incident incident) {
    Map<String, List<FinalizableObjects>> classes =
        incident.timeline().samples(FinalizableObjects.class).stream()
            .collect(
                Collectors.groupingBy(FinalizableObjects::type, TreeMap::new, Collectors.toList()));
    return classes.values().stream()
        .filter(counts -> counts.size() > 1)
        .map(counts -> new Growth(counts.get(0), counts.get(counts.size() - 1)))
        .filter(growth -> growth.more() >= FEWEST_MORE)
        .filter(growth -> growth.last().objects() >= TIMES_MORE * growth.first().objects())
        .max(Comparator.comparingLong(Growth::more));
  }
}
