package io.gcdiag.accounts.files;

import io.gcdiag.accounts.workers.ThreadsAtWork;
import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.measures.effects.EffectTimes;
import io.gcdiag.measures.waits.DumpTimes;
import io.gcdiag.measures.waits.Effect;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Asks thread dumps whether requests read, write or force files for most of their time, where no
 * recording can see it. A call that the page cache answers is over in microseconds: dumps that meet
 * several at once meet calls that take far longer.
 */
public final class ThreadsInFilesRule implements Rule {

  @Override
  public Set<Signal> needs() {
    return Set.of(Signal.THREAD_DUMPS);
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.SLOW_DISK);
  }

  @Override
  public List<Finding> examine(Incident incident) {
    if (!EffectTimes.of(incident).fromDumps().contains(Effect.FILE_WAIT)) {
      return List.of();
    }
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    List<ThreadSnapshot> found = ThreadsAtWork.mostly(dumps, ThreadActivity.IN_FILE);
    return found.isEmpty() ? List.of() : List.of(blame(dumps.size(), found));
  }

  private Finding blame(int dumps, List<ThreadSnapshot> found) {
    ThreadSnapshot worst =
        found.stream().max(Comparator.comparingLong(ThreadsInFilesRule::inFiles)).orElseThrow();
    return Finding.of(
            id(),
            inFiles(worst)
                + " of "
                + ThreadsAtWork.of(worst).size()
                + " threads at work are in file I/O, most at "
                + ThreadsAtWork.most(found, ThreadActivity.IN_FILE, true)
                + "; at least half of those at work are in "
                + found.size()
                + " of "
                + dumps
                + (dumps == 1 ? " dump" : " dumps"))
        .value("inFiles", inFiles(worst))
        .value("atWork", ThreadsAtWork.of(worst).size())
        .value("dumps", found.size())
        .from(found.stream().map(ThreadSnapshot::source).toList())
        .explains(Hypothesis.SLOW_DISK, Effect.FILE_WAIT, 1)
        .build();
  }

  private static long inFiles(ThreadSnapshot dump) {
    return ThreadsAtWork.count(dump, ThreadActivity.IN_FILE);
  }
}
