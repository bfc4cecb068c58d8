package io.gcdiag.read.jfr;

import io.gcdiag.evidence.threads.WaitSample.LockHold;
import io.gcdiag.evidence.threads.WaitSample.LockHold.Doing;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.jfr.PoolHolds.Slot;
import io.gcdiag.read.jfr.PoolHolds.Sums;
import io.gcdiag.read.jfr.PoolHolds.ThinnedSeconds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Which threads held a lock while others waited for it, and what they did.
 *
 * <p>A wait for a lock ends when its owner releases it. While threads queue, the owner is the
 * thread whose own wait for the same lock ended last; for a monitor the event also names it ({@code
 * previousOwner}). It held the lock from that time, or from the beginning of the wait if that is
 * later, until the end of the wait. Its own events show what it did in that time.
 */
final class LockHandovers {

  private final String file;

  /** What threads did; a sample has no duration. */
  final ThreadSpans<Doing> spans = new ThreadSpans<>();

  private final ThinnedSeconds<Lock, Handover> handovers = new ThinnedSeconds<>(Handover::end);

  private record Lock(String name, long address, String event) {}

  private record Handover(long start, long end, long thread, OptionalLong previousOwner) {}

  LockHandovers(String file) {
    this.file = file;
  }

  /**
   * Adds a thread that got a lock after waiting for it.
   *
   * @param name the lock's class
   * @param address distinguishes locks of one class
   * @param start in nanoseconds since 1970
   * @param length in nanoseconds
   * @param previousOwner the thread that released it, if the event has it
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
   * What the owners did, by second.
   *
   * @param sampleSeconds thread time per sample at an instant
   */
  List<LockHold> holds(ToDoubleFunction<Instant> sampleSeconds) {
    Map<Slot, Sums<Doing, Double>> sums = new TreeMap<>();
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
                    slot.name(),
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
      Map<Slot, Sums<Doing, Double>> sums) {
    Optional<Handover> queued = before.filter(one -> one.end() >= next.start());
    OptionalLong owner =
        next.previousOwner().isPresent()
            ? next.previousOwner()
            : queued.map(one -> OptionalLong.of(one.thread())).orElse(OptionalLong.empty());
    // If seconds were left out, the previous owner may be among them.
    boolean blind =
        handovers.isThinned()
            && queued.isEmpty()
            && ThreadSpans.second(next.start()) < ThreadSpans.second(next.end());
    long from = queued.map(Handover::end).orElse(next.start());
    if (owner.isEmpty() || blind || from >= next.end() || !spans.keeps(from, next.end())) {
      return;
    }
    Sums<Doing, Double> sum =
        sums.computeIfAbsent(
            new Slot(ThreadSpans.second(next.end()), lock.name(), lock.event()),
            any -> new Sums<>());
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
