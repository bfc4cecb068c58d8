package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.threads.DumpSamples;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.units.Estimate;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Request threads whose activity in dumps explains nothing, if the ledger is based on dumps. These
 * threads have work and are in no wait that counts as lost time. They run, wait for CPU, for calls
 * or for something of their own; dumps do not show how much of that is normal.
 *
 * @param threads on average
 * @param atMost upper end of the 95 % interval, by the number of independent dumps
 * @param present request threads on average, busy or idle
 */
public record UnaccountedInDumps(double threads, double atMost, double present, int dumps) {

  /**
   * Empty without dumps, if no thread is known to serve requests, or if a load test or a recording
   * measures the time.
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
    // Waits right after pauses have a line of their own.
    times.afterStops().keySet().forEach(effect -> DumpTimes.activity(effect).ifPresent(told::add));
    Function<ThreadSnapshot, List<ThreadState>> others =
        dump ->
            dump.requestThreads().stream().filter(one -> !told.contains(one.activity())).toList();
    double present = dumps.stream().mapToDouble(dump -> dump.requestThreads().size()).sum();
    double rest = dumps.stream().mapToDouble(dump -> others.apply(dump).size()).sum();
    int independent = DumpSamples.of(dumps, others).independent();

    double running = DumpTimes.running(incident.timeline(), incident.window());
    double scale = running / dumps.size();
    double atMost = Estimate.ofShare(rest / present, independent).high();
    return new UnaccountedInDumps(
        rest * scale, atMost * present * scale, present * scale, dumps.size());
  }
}
