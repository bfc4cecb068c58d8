package io.gcdiag.figures;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CodeSite;
import io.gcdiag.evidence.jvm.CpuProfile;
import io.gcdiag.evidence.jvm.StackProfile;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Which code the samples of the incident window saw executing.
 *
 * @param samples how many there are, of Java code
 * @param self by the method that executed, most first
 * @param withCalled by method of the service and its libraries, with all that it called; most first
 */
public record CpuSummary(
    long samples, List<HotSpot> self, List<HotSpot> withCalled, StackTree stacks) {

  /** So many are what a reader looks at. */
  private static final int MOST = 8;

  /** Fewer samples say nothing on shares: each would be more than 3 %. */
  private static final int FEWEST_SAMPLES = 30;

  public CpuSummary {
    self = List.copyOf(self);
    withCalled = List.copyOf(withCalled);
  }

  /** Nothing was sampled. */
  public static CpuSummary none() {
    return new CpuSummary(0, List.of(), List.of(), StackTree.none());
  }

  public static CpuSummary of(Timeline timeline, Windows windows) {
    CpuProfile profile = timeline.profiles().cpu();
    Window incident = windows.incident();
    long samples = profile.within(incident).java();
    if (samples < FEWEST_SAMPLES) {
      return none();
    }
    return new CpuSummary(
        samples,
        spots(profile, windows, window -> self(profile, window)),
        spots(profile, windows, profile::methods),
        StackTree.of(timeline, windows, StackProfile.Kind.CPU));
  }

  /** Samples by method and caller, on whatever thread; native code waits more than it computes. */
  private static Map<String, Long> self(CpuProfile profile, Window window) {
    Map<String, Long> counts = new LinkedHashMap<>();
    profile
        .sites(window)
        .forEach(
            (site, count) -> {
              if (!site.nativeCode()) {
                counts.merge(name(site), count, Long::sum);
              }
            });
    return counts;
  }

  private static String name(CodeSite site) {
    return site.caller().isEmpty() || site.caller().equals(site.method())
        ? site.method()
        : site.method() + ", called by " + site.caller();
  }

  private interface Counts {
    Map<String, Long> in(Window window);
  }

  private static List<HotSpot> spots(CpuProfile profile, Windows windows, Counts counts) {
    double all = profile.within(windows.incident()).java();
    Map<String, Long> before = windows.baseline().map(counts::in).orElse(Map.of());
    double allBefore = windows.baseline().map(w -> profile.within(w).java()).orElse(0L);
    List<HotSpot> spots = new ArrayList<>();
    counts.in(windows.incident()).entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(MOST)
        .forEach(
            spot ->
                spots.add(
                    new HotSpot(
                        spot.getKey(),
                        allBefore < FEWEST_SAMPLES
                            ? OptionalDouble.empty()
                            : OptionalDouble.of(before.getOrDefault(spot.getKey(), 0L) / allBefore),
                        spot.getValue() / all)));
    return spots;
  }

  /**
   * Code that was seen executing.
   *
   * @param method the method, and on whose behalf if that is another
   * @param baseline share of the samples of the baseline window, 0 to 1; absent without a baseline
   *     or samples in it
   * @param incident the same in the incident window
   */
  public record HotSpot(String method, OptionalDouble baseline, double incident) {}
}
