package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.threads.DumpSamples;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.stats.SampledShare;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What dumps do not account for where they are what the ledger rests on: request threads requests
 * and have work, and stand in no wait that is counted as lost. They compute, wait for CPU, for
 * answers or for something of their own, and how much of that is usual no dump shows.
 *
 * @param threads on average
 * @param atMost the upper end of the interval of 95 %, by those of the dumps that are independent
 * @param present request threads, at work or not, on average
 * @param dumps how many it rests on
 */
public record UnaccountedInDumps(double threads, double atMost, double present, int dumps) {

  /**
   * Absent without dumps, where no thread is known to serve requests, and where others show the
   * rest: a load test or a recording.
   */
  static Optional<UnaccountedInDumps> of(
      Incident incident,
      Optional<RequestExcess> requests,
      Optional<HiddenTime> hidden,
      EffectTimes times) {
    boolean told = requests.isPresent() || hidden.isPresent();
    List<ThreadSnapshot> dumps =
        told
            ? List.of()
            : DumpTimes.during(incident).stream().filter(dump -> dump.showsRequests()).toList();
    return dumps.isEmpty() ? Optional.empty() : Optional.of(of(incident, dumps, times));
  }

  private static UnaccountedInDumps of(
      Incident incident, List<ThreadSnapshot> dumps, EffectTimes times) {
    Set<ThreadActivity> told = EnumSet.of(ThreadActivity.IDLE);
    for (Effect effect : times.fromDumps()) {
      if (times.excessSeconds(effect) > 0) {
        DumpTimes.activity(effect).ifPresent(told::add);
      }
    }
    // These have a line of their own.
    times.afterStops().keySet().forEach(effect -> DumpTimes.activity(effect).ifPresent(told::add));
    Function<ThreadSnapshot, List<ThreadState>> others =
        dump ->
            dump.requestThreads().stream().filter(one -> !told.contains(one.activity())).toList();
    double present = dumps.stream().mapToDouble(dump -> dump.requestThreads().size()).sum();
    double rest = dumps.stream().mapToDouble(dump -> others.apply(dump).size()).sum();
    int independent = DumpSamples.of(dumps, others).independent();

    double running = DumpTimes.running(incident.timeline(), incident.window());
    double scale = running / dumps.size();
    double atMost = SampledShare.of(rest / present, independent).high();
    return new UnaccountedInDumps(
        rest * scale, atMost * present * scale, present * scale, dumps.size());
  }
}
