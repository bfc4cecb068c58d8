package io.gcdiag.causes.cores;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuProfile;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.time.SampleCounts;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Ordered;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Names the code and the threads that use the CPU. */
final class HotCode {

  /** Number of samples of threads running Java code in the incident. */
  static long samples(Incident incident) {
    return incident.timeline().profiles().cpu().within(incident.window()).java();
  }

  /** The hottest method, for a sentence; empty without enough samples, or if none stands out. */
  static String hottest(Timeline timeline, Window window) {
    CpuProfile profile = timeline.profiles().cpu();
    SampleCounts counts = profile.within(window);
    if (counts.java() < Policy.FEWEST_FOR_A_MEAN) {
      return "";
    }
    return profile.methods(window).entrySet().stream()
        .findFirst()
        .filter(hot -> hot.getValue() >= Policy.NEGLIGIBLE * counts.java())
        .map(
            hot ->
                "; %s of the samples are in or below %s"
                    .formatted(new Ratio((double) hot.getValue() / counts.java()), hot.getKey()))
        .orElse("");
  }

  /** The code that was running, and the threads that used the CPU, one line each. */
  static List<String> lines(Timeline timeline, Window window) {
    List<String> lines = new ArrayList<>();
    SampleCounts counts = timeline.profiles().cpu().within(window);
    if (counts.java() >= Policy.FEWEST_FOR_A_MEAN) {
      lines.add(
          Numbers.count(counts.java())
              + " samples of threads executing Java code, "
              + (counts.onRequestThreads() == 0
                  ? "none"
                  : new Ratio((double) counts.onRequestThreads() / counts.java()))
              + " of them on request threads");
    }
    lines.addAll(threads(timeline, window));
    return lines;
  }

  private static List<String> threads(Timeline timeline, Window window) {
    Map<String, Double> shares = new HashMap<>();
    Map<String, Integer> count = new HashMap<>();
    Set<Instant> readings = new HashSet<>();
    Duration interval = Duration.ZERO;
    for (ThreadGroupCpu group : timeline.samples(ThreadGroupCpu.class, window)) {
      shares.merge(group.group(), group.share(), Double::sum);
      count.merge(group.group(), group.threads(), Math::max);
      readings.add(group.at());
      interval = group.interval();
    }
    if (interval.isZero()) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    String whole =
        MachineLoad.part(timeline).isPresent() ? "the CPUs that it may use" : "the machine";
    double each = readings.size() / MachineLoad.threadScale(timeline);
    Ordered.largestFirst(shares).stream()
        .limit(Policy.MOST_NAMED)
        .filter(entry -> entry.getValue() / each >= Policy.NEGLIGIBLE)
        .forEach(
            entry ->
                lines.add(
                    of(whole, entry.getValue() / each)
                        + Numbers.count(count.get(entry.getKey()))
                        + (count.get(entry.getKey()) == 1 ? " thread " : " threads ")
                        + entry.getKey()));
    return lines;
  }

  /**
   * CPU times of threads are read one after the other. On full CPUs that takes long, and the shares
   * may add up to more than the whole.
   */
  private static String of(String whole, double share) {
    return share > 1
        ? "all of " + whole + " (readings add up to " + new Ratio(share) + "): "
        : new Ratio(share) + " of " + whole + ": ";
  }
}
