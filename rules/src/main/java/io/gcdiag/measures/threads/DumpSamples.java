package io.gcdiag.measures.threads;

import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How many independent samples of a wait the dumps are. Dumps taken during one and the same wait
 * count as one sample. That the wait lasts from dump to dump is observed and needs no estimate, and
 * the time between these dumps is known.
 *
 * @param independent dumps that do not mostly show the waits of an earlier dump, 1 or more
 * @param between time in which waits were seen to go on
 */
public record DumpSamples(int independent, Duration between) {

  public static DumpSamples of(
      List<ThreadSnapshot> dumps, Function<ThreadSnapshot, List<ThreadState>> waiting) {
    int independent = 0;
    Duration between = Duration.ZERO;
    Map<String, ThreadState> before = Map.of();
    Optional<Instant> last = Optional.empty();
    for (ThreadSnapshot dump : dumps) {
      List<ThreadState> now = waiting.apply(dump);
      Map<String, ThreadState> earlier = before;
      Duration since =
          last.flatMap(from -> dump.at().map(to -> Duration.between(from, to)))
              .orElse(Duration.ZERO);
      long same =
          now.stream()
              .filter(one -> earlier.containsKey(one.name()))
              .filter(one -> StillThread.isInSameWait(earlier.get(one.name()), one, since))
              .count();
      if (2 * same > now.size()) {
        between = between.plus(since);
      } else {
        independent++;
      }
      before = now.stream().collect(Collectors.toMap(ThreadState::name, t -> t, (a, b) -> a));
      last = dump.at();
    }
    return new DumpSamples(independent, between);
  }
}
