package io.gcdiag.accounts.heap;

import io.gcdiag.accounts.workers.PlaceText;
import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.heap.FinalizableObjects;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.waits.DumpTimes;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Asks whether finalizers keep up: by thread dumps, in which the thread that runs them waits for
 * something, and by a recording's counts of objects that have one.
 */
public final class FinalizerThreadRule implements Rule {

  /** As HotSpot and OpenJ9 name those that run finalizers and what JDK 8 cleans up itself. */
  private static final Set<String> THREADS =
      Set.of("Finalizer", "Finalizer thread", "Reference Handler");

  /** Of a few hundred bytes each: fewer take no memory worth a word. */
  private static final long FEWEST_MORE = 10_000;

  /** A service that warms up has more of everything; a backlog multiplies. */
  private static final int TIMES_MORE = 2;

  /** Dumps or a recording, whichever there are. */
  @Override
  public Set<Signal> needs() {
    return Set.of();
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.FINALIZER_BACKLOG);
  }

  @Override
  public List<Finding> examine(Incident incident) {
    List<Finding> findings = new ArrayList<>();
    THREADS.stream().sorted().forEach(name -> stuck(incident, name).ifPresent(findings::add));
    growing(incident).ifPresent(findings::add);
    return findings;
  }

  /** The thread that waits in each dump for something other than objects to finalize. */
  private Optional<Finding> stuck(Incident incident, String name) {
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    List<ThreadState> states =
        dumps.stream()
            .flatMap(dump -> dump.threads().stream())
            .filter(thread -> thread.name().equals(name) && !thread.virtual())
            .filter(thread -> !thread.standing().at().isEmpty())
            .toList();
    boolean waits =
        !states.isEmpty()
            && states.stream()
                .allMatch(
                    thread ->
                        thread.activity() != ThreadActivity.IDLE
                            && thread.activity() != ThreadActivity.RUNNING)
            && states.stream().map(ThreadState::standing).map(at -> at.stack()).distinct().count()
                == 1;
    if (!waits) {
      return Optional.empty();
    }
    String count = states.size() + (states.size() == 1 ? " dump" : " dumps");
    FindingBuilder finding =
        Finding.of(
                id(),
                "the thread "
                    + name
                    + " is "
                    + PlaceText.of(states.get(0))
                    + " in "
                    + (states.size() == 1 ? count : "all " + count)
                    + "; objects that wait for their finalizers stay in the heap meanwhile")
            .value("dumps", states.size())
            .from(dumps.stream().map(ThreadSnapshot::source).toList());
    return Optional.of(
        (states.size() < Policy.FEWEST_DUMPS
                ? finding.supports(Hypothesis.FINALIZER_BACKLOG)
                : finding.warns(Hypothesis.FINALIZER_BACKLOG))
            .build());
  }

  /** The class whose objects with a finalizer that has not run became most more. */
  private Optional<Finding> growing(Incident incident) {
    Map<String, List<FinalizableObjects>> classes =
        incident.timeline().samples(FinalizableObjects.class).stream()
            .collect(
                Collectors.groupingBy(FinalizableObjects::type, TreeMap::new, Collectors.toList()));
    return classes.values().stream()
        .filter(counts -> counts.size() > 1)
        .map(counts -> new Growth(counts.get(0), counts.get(counts.size() - 1)))
        .filter(growth -> growth.more() >= FEWEST_MORE)
        .filter(growth -> growth.last().objects() >= TIMES_MORE * growth.first().objects())
        .max(Comparator.comparingLong(Growth::more))
        .map(this::told);
  }

  private record Growth(FinalizableObjects first, FinalizableObjects last) {
    long more() {
      return last.objects() - first.objects();
    }

    long finalized() {
      return Math.max(0, last.finalized() - first.finalized());
    }
  }

  private Finding told(Growth growth) {
    List<Source> sources = List.of(growth.first().source());
    return Finding.of(
            id(),
            "objects of "
                + growth.last().type()
                + " whose finalizer has not run: "
                + Numbers.count(growth.first().objects())
                + " -> "
                + Numbers.count(growth.last().objects())
                + ", while "
                + Numbers.count(growth.finalized())
                + " finalizers of the class ran")
        .value("objectsFirst", growth.first().objects())
        .value("objectsLast", growth.last().objects())
        .value("finalized", growth.finalized())
        .from(sources)
        .supports(Hypothesis.FINALIZER_BACKLOG)
        .build();
  }
}
