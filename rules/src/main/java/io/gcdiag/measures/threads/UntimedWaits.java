package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.GroupTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.ServedRequests;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Request threads whose state the recording does not show: on average this many were neither in a
 * recorded wait (with or without work), nor on a CPU, nor stopped by a pause. They were in waits
 * below the events' thresholds, waited for CPU, or were idle for less than the threshold. The
 * recording does not show which, so the number is an upper bound for each of the three.
 *
 * <p>For short waits there is a second upper bound. Each of them is a context switch, and the
 * machine counts these for all its threads: context switches per second times the threshold.
 * Whatever exceeds it can only have been waiting for CPU.
 *
 * @param present request threads, on average
 * @param threads upper bound of those whose state nothing recorded shows
 * @param shortCalls those that samples of native calls find in calls too short for events; an
 *     estimate
 * @param shortWaits upper bound of those in waits below the thresholds, by the machine's context
 *     switches; empty if these or the thresholds are unknown
 * @param ofAll whether these threads do all the work of requests; otherwise event loops do a part
 */
public record UntimedWaits(
    double present, double threads, double shortCalls, OptionalDouble shortWaits, boolean ofAll) {

  /**
   * Empty if no thread is known to serve requests, as with virtual threads, or if event loops do
   * most of the work, and more than to hand requests to these threads and to write the answers.
   */
  public static Optional<UntimedWaits> of(Timeline timeline, Window window) {
    Groups groups = Groups.of(timeline, window);
    Optional<Cpu> cpu = Cpu.of(timeline, window, groups.patterns());
    if (groups.present() <= 0 || cpu.isEmpty()) {
      return Optional.empty();
    }
    double ours = cpu.get().threads();
    double onLoops = cpu.get().others();
    if (ours < onLoops
        && LoadTestDelays.mayMultiply(onLoops / ServedRequests.roundsPerSecond(timeline, window))) {
      return Optional.empty();
    }
    Calls calls = Calls.of(timeline, window, groups.names());
    // Allocation stalls are recorded separately from the other waits.
    double stalled = WaitSeries.threads(UserWaits.of(timeline, WaitKind.ALLOCATION_STALL), window);
    // For blocking servers the events already include the waiting for the next request.
    double polling =
        Math.max(0, (1 - Policy.SAMPLES_GOOD_TO) * calls.polling() - groups.inNative());
    double known = groups.timed() + polling + stalled + ours;
    double stopped = PauseTotals.of(timeline, window).shareStopped();
    double threads = Math.max(0, (groups.present() - known) * (1 - stopped));
    double shortCalls = Math.min(threads, Math.max(0, calls.threads() - groups.inNative()));
    return Optional.of(
        new UntimedWaits(
            groups.present(),
            threads,
            shortCalls,
            byContextSwitches(timeline, window),
            ours >= Policy.FULL * (ours + onLoops)));
  }

  private static OptionalDouble byContextSwitches(Timeline timeline, Window window) {
    OptionalDouble perSecond = MachineLoad.switchesPerSecond(timeline, window);
    OptionalDouble longest =
        List.of(Signal.THREAD_PARKS, Signal.MONITOR_WAITS, Signal.SOCKET_READS, Signal.FILE_IO)
            .stream()
            .flatMap(signal -> timeline.threshold(signal).stream())
            .mapToDouble(Durations::seconds)
            .max();
    return perSecond.isPresent() && longest.isPresent()
        ? OptionalDouble.of(perSecond.getAsDouble() * longest.getAsDouble())
        : OptionalDouble.empty();
  }

  /**
   * Lower bound of the threads that waited for CPU: those that cannot have been in short waits by
   * the context switches; 0 if these are unknown.
   */
  public double queuedAtLeast() {
    return shortWaits.isPresent() ? Math.max(0, threads - shortWaits.getAsDouble()) : 0;
  }

  /**
   * Upper bound of the threads delayed by something not recorded, compared with the baseline.
   * Samples show short calls in both windows, so of these only the growth counts. For the rest
   * nothing shows how much of it the baseline had, so all of it counts.
   *
   * @param baseline the same for the baseline, if known
   */
  public double moreAtMost(Optional<UntimedWaits> baseline) {
    double calls = (1 - Policy.SAMPLES_GOOD_TO) * shortCalls;
    double usual =
        baseline.map(before -> (1 - Policy.SAMPLES_GOOD_TO) * before.shortCalls()).orElse(calls);
    return threads - calls + Math.max(0, calls - usual);
  }

  /**
   * The groups that serve requests; numbers of threads on average.
   *
   * @param timed in recorded waits, including native calls
   */
  private record Groups(
      double present, double timed, double inNative, Set<String> names, Set<String> patterns) {

    static Groups of(Timeline timeline, Window window) {
      double present = 0;
      double waited = 0;
      double inNative = 0;
      Set<String> names = new HashSet<>();
      Set<String> patterns = new HashSet<>();
      for (GroupTime time : timeline.samples(GroupTime.class)) {
        double inside =
            Durations.seconds(window.overlap(time.at(), time.length()))
                / Durations.seconds(time.length())
                / window.seconds();
        if (time.onRequestThread() && inside > 0) {
          present += inside * time.presentSeconds();
          waited += inside * time.waitedSeconds();
          inNative += inside * time.nativeSeconds();
          names.add(time.group());
          patterns.add(time.pattern());
        }
      }
      return new Groups(present, waited + inNative, inNative, names, patterns);
    }
  }

  /**
   * CPU use of request threads.
   *
   * @param threads how many threads of the groups were on a CPU, on average
   * @param others how many other request threads, as event loops
   */
  private record Cpu(double threads, double others) {

    static Optional<Cpu> of(Timeline timeline, Window window, Set<String> patterns) {
      double ours = 0;
      double all = 0;
      boolean known = false;
      double cores = MachineLoad.cores(timeline) * MachineLoad.threadScale(timeline);
      for (ThreadGroupCpu cpu : timeline.samples(ThreadGroupCpu.class)) {
        double inside =
            Durations.seconds(window.overlap(cpu.at().minus(cpu.interval()), cpu.interval()));
        known |= inside > 0;
        if (cpu.kind() == ThreadGroupCpu.Kind.REQUEST) {
          double seconds = inside * cores * cpu.share();
          all += seconds;
          ours += patterns.contains(cpu.group()) ? seconds : 0;
        }
      }
      return known
          ? Optional.of(new Cpu(ours / window.seconds(), (all - ours) / window.seconds()))
          : Optional.empty();
    }
  }

  /**
   * Threads of the groups in native calls, on average by samples.
   *
   * @param threads in calls to other hosts and in file I/O, of any length
   * @param polling at a server's sockets without work
   */
  private record Calls(double threads, double polling) {

    static Calls of(Timeline timeline, Window window, Set<String> groups) {
      double calls = 0;
      double polling = 0;
      for (SampledTime sample : timeline.samples(SampledTime.class, window)) {
        if (groups.contains(sample.group()) && sample.waiting().isPresent()) {
          WaitKind kind = sample.waiting().get();
          calls += kind == WaitKind.DOWNSTREAM || kind == WaitKind.FILE ? sample.seconds() : 0;
          polling += kind == WaitKind.IDLE ? sample.seconds() : 0;
        }
      }
      return new Calls(calls / window.seconds(), polling / window.seconds());
    }
  }
}
