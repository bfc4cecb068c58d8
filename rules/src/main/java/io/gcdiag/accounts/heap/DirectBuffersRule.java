package io.gcdiag.accounts.heap;

import io.gcdiag.accounts.workers.ThreadsAtWork;
import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.machine.DirectBuffers;
import io.gcdiag.evidence.pauses.ExplicitCollection;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.measures.effects.EffectTimes;
import io.gcdiag.measures.waits.DumpTimes;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.measures.waits.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Asks whether direct buffers reach their limit, whether collections are made for them, and whether
 * requests wait for some to be freed.
 */
public final class DirectBuffersRule implements Rule {

  @Override
  public Set<Signal> needs() {
    return Set.of();
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.DIRECT_MEMORY);
  }

  @Override
  public List<Finding> examine(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.windows().incident();
    Optional<DirectBuffers> most = most(timeline, window);
    Optional<DirectBuffers> before =
        incident.windows().baseline().flatMap(baseline -> most(timeline, baseline));
    long collections =
        timeline.samples(ExplicitCollection.class, window).stream()
            .filter(ExplicitCollection::forDirectBuffers)
            .count();
    boolean filled =
        most.filter(GcRequester::isFull).isPresent()
            && before.filter(GcRequester::isFull).isEmpty();
    List<Finding> findings = new ArrayList<>();
    if (most.isPresent() && (filled || collections > 0)) {
      findings.add(finding(before, most.get(), collections));
    }
    EffectTimes times = EffectTimes.of(incident);
    if (times.during(Effect.DIRECT_MEMORY_WAIT) >= Policy.LEAST_THREADS_FELT) {
      findings.add(waits(incident, times));
    }
    return findings;
  }

  /** Requests that allocate a buffer at the limit and wait for others to be freed. */
  private Finding waits(Incident incident, EffectTimes times) {
    double threads = times.during(Effect.DIRECT_MEMORY_WAIT);
    OptionalDouble before = times.before(Effect.DIRECT_MEMORY_WAIT);
    FindingBuilder finding =
        (times.fromDumps().contains(Effect.DIRECT_MEMORY_WAIT)
                ? dumped(DumpTimes.during(incident))
                : recorded(incident))
            .value("threadsWaiting", threads);
    before.ifPresent(usual -> finding.value("threadsWaitingBefore", usual));
    return times.excessSeconds(Effect.DIRECT_MEMORY_WAIT) > 0
        ? finding.explains(Hypothesis.DIRECT_MEMORY, Effect.DIRECT_MEMORY_WAIT, 1).build()
        : finding.supports(Hypothesis.DIRECT_MEMORY).build();
  }

  private FindingBuilder recorded(Incident incident) {
    Window window = incident.windows().incident();
    List<WaitSeries> places = UserWaits.of(incident.timeline(), WaitKind.DIRECT_MEMORY);
    double waited = places.stream().mapToDouble(one -> one.within(window).waitedSeconds()).sum();
    WaitSeries most =
        places.stream()
            .max(Comparator.comparingDouble(one -> one.within(window).waitedSeconds()))
            .orElseThrow();
    return Finding.of(
            id(),
            "requests waited "
                + Durations.format(Durations.ofSeconds(waited))
                + " for direct buffer memory, most at "
                + most.site().stack()
                + " ("
                + Numbers.count(most.within(window).count())
                + " waits)")
        .from(most.source());
  }

  private FindingBuilder dumped(List<ThreadSnapshot> dumps) {
    ThreadSnapshot worst =
        dumps.stream().max(Comparator.comparingLong(DirectBuffersRule::waiting)).orElseThrow();
    long met = dumps.stream().filter(dump -> waiting(dump) > 0).count();
    return Finding.of(
            id(),
            waiting(worst)
                + " of "
                + ThreadsAtWork.of(worst).size()
                + " threads at work wait for direct buffer memory, most at "
                + ThreadsAtWork.most(dumps, ThreadActivity.WAITING_FOR_DIRECT_MEMORY, true)
                + ", in "
                + met
                + " of "
                + (dumps.size() == 1 ? "1 dump" : dumps.size() + " dumps"))
        .figure(
            "threads at work that wait for direct buffer memory, in a dump",
            waiting(worst) + " of " + ThreadsAtWork.of(worst).size())
        .value("waiting", waiting(worst))
        .value("atWork", ThreadsAtWork.of(worst).size())
        .from(dumps.stream().map(ThreadSnapshot::source).toList());
  }

  private static long waiting(ThreadSnapshot dump) {
    return ThreadsAtWork.count(dump, ThreadActivity.WAITING_FOR_DIRECT_MEMORY);
  }

  private static Optional<DirectBuffers> most(Timeline timeline, Window window) {
    return timeline.samples(DirectBuffers.class, window).stream()
        .max(Comparator.comparing(DirectBuffers::inUse));
  }

  private Finding finding(Optional<DirectBuffers> before, DirectBuffers most, long collections) {
    return Finding.of(
            id(),
            Numbers.count(most.count())
                + (most.count() == 1 ? " direct buffer takes " : " direct buffers take ")
                + most.inUse()
                + ", "
                + most.inUse().shareOf(most.limit())
                + " of their limit ("
                + most.limit()
                + ")"
                + requested(collections))
        .figure(
            "direct buffers, at most",
            before.map(DirectBuffers::inUse).map(Bytes::toString),
            most.inUse().toString())
        .figure("limit of direct buffers", most.limit().toString())
        .value("directBufferBytes", most.inUse().value())
        .value("directBufferLimitBytes", most.limit().value())
        .value("collectionsForDirectBuffers", collections)
        .from(most.source())
        .supports(Hypothesis.DIRECT_MEMORY)
        .build();
  }

  private static String requested(long collections) {
    return collections == 0
        ? ""
        : "; the JDK requested "
            + Numbers.count(collections)
            + (collections == 1 ? " GC" : " GCs")
            + " to free some";
  }
}
