package io.gcdiag.accounts.cores;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.profile.CodeSite;
import io.gcdiag.evidence.profile.CpuProfile;
import io.gcdiag.evidence.threads.ThreadGroupCpu;
import io.gcdiag.evidence.time.SampleCounts;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.cores.MachineLoad;
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

  private HotCode() {}

  /** How many samples of threads executing Java code the incident has. */
  static long samples(Incident incident) {
    return incident.timeline().cpuProfile().within(incident.window()).java();
  }

  /** The hottest method, for a sentence: empty without enough samples, or if none stands out. */
  static String hottest(Timeline timeline, Window window) {
    CpuProfile profile = timeline.cpuProfile();
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

  /** The hot methods by their own time and by all, and the threads, a line each. */
  static List<String> lines(Timeline timeline, Window window) {
    List<String> lines = new ArrayList<>();
    CpuProfile profile = timeline.cpuProfile();
    SampleCounts counts = profile.within(window);
    if (counts.java() >= Policy.FEWEST_FOR_A_MEAN) {
      lines.add(
          Numbers.count(counts.java())
              + " samples of threads executing Java code, "
              + (counts.onRequestThreads() == 0
                  ? "none"
                  : new Ratio((double) counts.onRequestThreads() / counts.java()))
              + " of them on request threads");
      self(profile, window, counts.java()).forEach(lines::add);
      profile.methods(window).entrySet().stream()
          .limit(Policy.MOST_NAMED)
          .forEach(hot -> add(lines, hot.getValue(), counts.java(), "in or below " + hot.getKey()));
    }
    lines.addAll(threads(timeline, window));
    return lines;
  }

  private static List<String> self(CpuProfile profile, Window window, long all) {
    Map<String, Long> own = new HashMap<>();
    Map<String, String> callers = new HashMap<>();
    profile
        .sites(window)
        .forEach(
            (CodeSite site, Long samples) -> {
              if (!site.nativeCode()) {
                own.merge(site.method(), samples, Long::sum);
                // They come by size: the first caller is the one with most samples.
                callers.putIfAbsent(site.method(), site.caller());
              }
            });
    List<String> lines = new ArrayList<>();
    Ordered.largestFirst(own).stream()
        .limit(Policy.MOST_NAMED)
        .forEach(
            entry -> {
              String caller = callers.get(entry.getKey());
              String below = caller.equals(entry.getKey()) ? "" : ", called from " + caller;
              add(lines, entry.getValue(), all, "in " + entry.getKey() + " itself" + below);
            });
    return lines;
  }

  private static void add(List<String> lines, long samples, long all, String where) {
    if (samples >= Policy.NEGLIGIBLE * all) {
      lines.add(new Ratio((double) samples / all) + " of the samples " + where);
    }
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
    double each = readings.size() / MachineLoad.threadScale(timeline);
    Ordered.largestFirst(shares).stream()
        .limit(Policy.MOST_NAMED)
        .filter(entry -> entry.getValue() / each >= Policy.NEGLIGIBLE)
        .forEach(
            entry ->
                lines.add(
                    ofMachine(entry.getValue() / each)
                        + Numbers.count(count.get(entry.getKey()))
                        + (count.get(entry.getKey()) == 1 ? " thread " : " threads ")
                        + entry.getKey()));
    return lines;
  }

  /** Threads are read one after the other: on full cores that takes long, and adds up to more. */
  private static String ofMachine(double share) {
    return share > 1
        ? "all of the machine (readings add up to " + new Ratio(share) + "): "
        : new Ratio(share) + " of the machine: ";
  }
}
