package io.gcdiag.read.jfr.events;

import io.gcdiag.evidence.threads.WaitSample.LockHold;
import io.gcdiag.evidence.threads.WaitSample.LockHold.Doing;
import io.gcdiag.evidence.time.Source;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Who held a lock while others waited for it, and what for.
 *
 * <p>A wait for a lock ends when its owner lets go. While threads queue, the owner is the thread
 * whose own wait for the same lock ended last; for a monitor the event names it as well ({@code
 * previousOwner}). From that moment, or from the beginning of the wait if that is later, to the end
 * of the wait the lock was held by it, and what it did meanwhile is in its own events.
 */
public final class LockHandovers {

  private final String file;
  private final ThreadSpans<Doing> spans = new ThreadSpans<>();
  private final ThinnedSeconds<Lock, Handover> handovers = new ThinnedSeconds<>(Handover::end);

  private record Lock(String name, long address, String event) {}

  private record Handover(long start, long end, long thread, OptionalLong previousOwner) {}

  private record Slot(long second, String lock, String event) {}

  /** A second's sums in the making. */
  private static final class Sums {
    private long holds;
    private double held;
    private final Map<Doing, Double> timed = new LinkedHashMap<>();
    private final Map<Doing, Double> sampled = new LinkedHashMap<>();
  }

  public LockHandovers(String file) {
    this.file = file;
  }

  /** What threads do; a sample has no length. */
  ThreadSpans<Doing> spans() {
    return spans;
  }

  /**
   * A thread got a lock that it had to wait for.
   *
   * @param name the lock's class
   * @param address tells locks of one class apart
   * @param start in nanoseconds since 1970
   * @param length in nanoseconds
   * @param previousOwner the thread that let go, if the event says so
   */
  void add(
      String event,
      String name,
      long address,
      long start,
      long length,
      long thread,
      OptionalLong previousOwner) {
    handovers.add(
        new Lock(name, address, event), new Handover(start, start + length, thread, previousOwner));
  }

  /**
   * What the owners did, second by second.
   *
   * @param sampleSeconds the thread time that one sample at that instant stands for
   */
  List<LockHold> holds(ToDoubleFunction<Instant> sampleSeconds) {
    Map<Slot, Sums> sums =
        new TreeMap<>(
            Comparator.comparingLong(Slot::second)
                .thenComparing(Slot::lock)
                .thenComparing(Slot::event));
    handovers.forEach(
        (lock, list) -> {
          for (int i = 0; i < list.size(); i++) {
            Optional<Handover> before = i == 0 ? Optional.empty() : Optional.of(list.get(i - 1));
            hold(lock, before, list.get(i), sampleSeconds, sums);
          }
        });
    List<LockHold> holds = new ArrayList<>();
    sums.forEach(
        (slot, sum) ->
            holds.add(
                new LockHold(
                    Instant.ofEpochSecond(slot.second()),
                    slot.lock(),
                    sum.holds,
                    sum.held,
                    sum.timed,
                    sum.sampled,
                    new Source(file, slot.event()))));
    return holds;
  }

  private void hold(
      Lock lock,
      Optional<Handover> before,
      Handover next,
      ToDoubleFunction<Instant> sampleSeconds,
      Map<Slot, Sums> sums) {
    Optional<Handover> queued = before.filter(one -> one.end() >= next.start());
    OptionalLong owner =
        next.previousOwner().isPresent()
            ? next.previousOwner()
            : queued.map(one -> OptionalLong.of(one.thread())).orElse(OptionalLong.empty());
    // Where seconds were left out, the thread before may be among them.
    boolean blind =
        handovers.isThinned()
            && queued.isEmpty()
            && ThreadSpans.second(next.start()) < ThreadSpans.second(next.end());
    long from = queued.map(Handover::end).orElse(next.start());
    if (owner.isEmpty() || blind || from >= next.end() || !spans.keeps(from, next.end())) {
      return;
    }
    Sums sum =
        sums.computeIfAbsent(
            new Slot(ThreadSpans.second(next.end()), lock.name(), lock.event()), any -> new Sums());
    sum.holds++;
    sum.held += (next.end() - from) / (double) ThreadSpans.SECOND;
    spans.within(
        owner.getAsLong(),
        from,
        next.end(),
        (doing, begin, end) -> {
          if (begin == end) {
            double seconds = sampleSeconds.applyAsDouble(Instant.ofEpochSecond(0, from));
            sum.sampled.merge(doing, seconds, Double::sum);
          } else {
            sum.timed.merge(doing, (end - begin) / (double) ThreadSpans.SECOND, Double::sum);
          }
        });
  }
}
