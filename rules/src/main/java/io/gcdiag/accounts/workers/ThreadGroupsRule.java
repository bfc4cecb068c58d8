package io.gcdiag.accounts.workers;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Judges;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Counts threads by name from dump to dump, and asks whether one kind grows without need. */
@Judges(value = Hypothesis.THREAD_LEAK, needs = Signal.THREAD_DUMPS)
public final class ThreadGroupsRule implements Rule {

  /**
   * The threads of one kind.
   *
   * @param counts how many there were in each dump
   * @param last those in the last dump
   */
  private record Group(String name, List<Integer> counts, List<ThreadState> last) {
    int growth() {
      return counts.get(counts.size() - 1) - counts.get(0);
    }

    long running() {
      return last.stream().filter(t -> t.activity() == ThreadActivity.RUNNING).count();
    }

    boolean isLeak() {
      long serving = last.stream().filter(ThreadState::requestThread).count();
      long blocked = last.stream().filter(DumpGroups::isInCallOrQueue).count();
      boolean steady = true;
      for (int i = 1; i < counts.size(); i++) {
        steady &= counts.get(i) > counts.get(i - 1);
      }
      return steady
          && !isOnePool()
          && growth() >= UnendedThreads.FEWEST
          && serving < Policy.MAJORITY * last.size()
          && blocked < Policy.MAJORITY * last.size();
    }

    /**
     * A pool or executor keeps as many threads as had work at once: its bound is not known, but it
     * has one. One that is made anew each time has a number of its own in its threads' names.
     */
    private boolean isOnePool() {
      long pooled = last.stream().filter(thread -> thread.standing().inPool()).count();
      return pooled >= Policy.MAJORITY * last.size()
          && last.stream().map(thread -> ThreadNames.pool(thread.name())).distinct().count() == 1;
    }
  }

  @Override
  public List<Finding> examine(Case incident) {
    // Growth may begin long before it hurts; undated dumps come last, in the order of the files.
    Instant end = incident.window().to();
    List<ThreadSnapshot> dumps =
        incident.timeline().dumps().stream()
            .filter(dump -> !dump.threads().isEmpty())
            .filter(dump -> dump.at().filter(at -> !at.isBefore(end)).isEmpty())
            .toList();
    if (dumps.size() < 2) {
      return List.of();
    }
    return groups(dumps).stream()
        .filter(Group::isLeak)
        .max(Comparator.comparingInt(Group::growth).thenComparing(Group::name))
        .map(group -> told(incident, dumps, group))
        .stream()
        .toList();
  }

  private static List<Group> groups(List<ThreadSnapshot> dumps) {
    List<Map<String, List<ThreadState>>> grouped = new ArrayList<>();
    for (ThreadSnapshot dump : dumps) {
      grouped.add(
          dump.threads().stream()
              .filter(thread -> !thread.virtual())
              .collect(Collectors.groupingBy(thread -> ThreadNames.group(thread.name()))));
    }
    Map<String, List<ThreadState>> last = grouped.get(grouped.size() - 1);
    return last.keySet().stream()
        .map(
            name ->
                new Group(
                    name,
                    grouped.stream().map(map -> map.getOrDefault(name, List.of()).size()).toList(),
                    last.get(name)))
        .toList();
  }

  private Finding told(Incident incident, List<ThreadSnapshot> dumps, Group group) {
    ThreadSnapshot lastDump = dumps.get(dumps.size() - 1);
    String counts = group.counts().stream().map(Numbers::count).collect(Collectors.joining(", "));
    FindingBuilder finding =
        Finding.of(
                id(),
                ("threads '%s' in %s dumps: %s; in the last one %s of them run and most of the"
                        + " rest are idle")
                    .formatted(group.name(), dumps.size(), counts, Numbers.count(group.running())))
            .value("first", group.counts().get(0))
            .value("last", group.last().size())
            .value("running", group.running())
            .from(dumps.get(0).source())
            .from(lastDump.source())
            .warns(Hypothesis.THREAD_LEAK);
    if (!incident.timeline().sees(Signal.CPU_LOAD)) {
      long running = Math.max(1, lastDump.count(ThreadActivity.RUNNING));
      double share = Math.min(1, group.running() / (double) running);
      finding.explains(Hypothesis.THREAD_LEAK, Effect.CPU_QUEUE, share);
    }
    return finding.build();
  }
}
