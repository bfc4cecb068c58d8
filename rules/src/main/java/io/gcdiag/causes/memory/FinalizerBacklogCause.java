package io.gcdiag.causes.memory;

import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.PlaceText;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Objects wait for finalization, and the finalizer thread is blocked or too slow. */
public final class FinalizerBacklogCause extends CollectionsRemoved.OfCause {
  public FinalizerBacklogCause() {
    super(
        Hypothesis.FINALIZER_BACKLOG,
        "Finalizer backlog: finalizers do not keep up",
        "look at what the named finalizer waits for; close such objects "
            + "explicitly, and replace finalize() by java.lang.ref.Cleaner or "
            + "try-with-resources",
        List.of(new FinalizerThreadRule()));
  }

  @Override
  public void place(PlaceParts found) {
    found.code(found.own().inDumps(thread -> FinalizerBacklog.THREADS.contains(thread.name())));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.code(
        "let no finalizer wait: close the objects where they are used (try-with-resources), and do"
            + " this work there or in a thread of its own");
  }

  /**
   * Asks whether finalizers keep up: whether the finalizer thread waits in thread dumps, and
   * whether the number of objects with a finalizer grows in a recording.
   */
  // Thread dumps or a recording suffice.
  @Judges(Hypothesis.FINALIZER_BACKLOG)
  static final class FinalizerThreadRule implements Rule {

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      List<Finding> findings = new ArrayList<>();
      FinalizerBacklog.THREADS.stream()
          .sorted()
          .forEach(name -> stuck(incident, name).ifPresent(findings::add));
      FinalizerBacklog.growing(incident).map(this::told).ifPresent(findings::add);
      return findings;
    }

    private Optional<Finding> stuck(Incident incident, String name) {
      List<ThreadState> states = FinalizerBacklog.stuck(incident, name);
      if (states.isEmpty()) {
        return Optional.empty();
      }
      String count = Numbers.counted(states.size(), "dump");
      FindingBuilder finding =
          Finding.of(
                  id(),
                  ("the thread %s is %s in %s; objects that wait for their finalizers stay in"
                          + " the heap meanwhile")
                      .formatted(
                          name,
                          PlaceText.of(states.get(0)),
                          states.size() == 1 ? count : "all " + count))
              .figure(
                  "thread " + name + " in " + states.get(0).standing().at(),
                  states.size() == 1 ? "in the only dump" : "in all " + count)
              .value("dumps", states.size())
              .from(FinalizerBacklog.dumps(incident).stream().map(ThreadSnapshot::source).toList());
      boolean often = states.size() >= Policy.FEWEST_DUMPS;
      return Optional.of(finding.supports(Hypothesis.FINALIZER_BACKLOG, often).build());
    }

    private Finding told(FinalizerBacklog.Growth growth) {
      return Finding.of(
              id(),
              ("objects of %s whose finalizer has not run: %s -> %s, while %s finalizers of"
                      + " the class ran")
                  .formatted(
                      growth.last().type(),
                      Numbers.count(growth.first().objects()),
                      Numbers.count(growth.last().objects()),
                      Numbers.count(growth.finalized())))
          .figure(
              "objects of " + growth.last().type() + " not finalized",
              Optional.of(Numbers.count(growth.first().objects())),
              Numbers.count(growth.last().objects()))
          .value("objectsFirst", growth.first().objects())
          .value("objectsLast", growth.last().objects())
          .value("finalized", growth.finalized())
          .from(growth.first().source())
          .supports(Hypothesis.FINALIZER_BACKLOG)
          .build();
    }
  }
}
