package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu.Kind;
import io.gcdiag.evidence.time.Window;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Who used the cores, as mean shares of all that the JVM may use.
 *
 * @param machine all processes together, 0 to 1; at least that where the JVM is confined to some of
 *     the machine's
 * @param most all processes together at most, 0 to 1
 * @param jvm this JVM, 0 to 1
 * @param collector of the JVM's, the collector's: its pauses, and its concurrent threads where the
 *     recording holds the CPU of all Java threads, as what these leave of the JVM's
 * @param compiler of the JVM's, the compiler threads'; 0 where CPU by thread is not recorded
 * @param requestThreads share of the CPU of the service's threads that threads serving requests
 *     have, 0 to 1; 1 where none is known to serve requests
 */
public record CpuUse(
    double machine,
    double most,
    double jvm,
    double collector,
    double compiler,
    double requestThreads) {

  /** Collectors that work in pauses alone. */
  private static final Set<String> STOPPING = Set.of("Serial", "Parallel", "ParallelOld");

  /** Means over a window; absent without readings. */
  public static Optional<CpuUse> of(Timeline timeline, Window window) {
    return of(timeline, window, timeline.cpu(window));
  }

  /**
   * Means over some readings of a window. How the JVM's part is split among its threads is only
   * known for longer stretches, and taken from the whole window.
   */
  static Optional<CpuUse> of(Timeline timeline, Window window, List<CpuLoad> loads) {
    return of(timeline, window, loads, load -> 1);
  }

  /**
   * The same, each reading by how much the JVM did then: when it had little to do, little of its
   * work waited, whichever process used the cores.
   */
  static Optional<CpuUse> byOwnWork(Timeline timeline, Window window, List<CpuLoad> loads) {
    return of(timeline, window, loads, CpuLoad::jvm);
  }

  private static Optional<CpuUse> of(
      Timeline timeline, Window window, List<CpuLoad> loads, ToDoubleFunction<CpuLoad> weight) {
    if (loads.isEmpty()) {
      return Optional.empty();
    }
    double jvm = mean(loads, weight, CpuLoad::jvm);
    double inWindow = MachineLoad.jvm(timeline, window).orElse(0);
    double scale = inWindow > 0 ? jvm / inWindow : 0;
    Threads threads = Threads.of(timeline, window);
    boolean stopping = timeline.jvm().collector().filter(STOPPING::contains).isPresent();
    double concurrent = stopping ? 0 : threads.unlisted() * jvm;
    double collector = Math.max(pauses(timeline, window) * scale, concurrent);
    double compiler = threads.compiler() * jvm;
    return Optional.of(
        new CpuUse(
            mean(loads, weight, CpuLoad::machineTotal),
            mean(loads, weight, CpuLoad::most),
            jvm,
            Math.min(jvm, collector),
            Math.min(Math.max(0, jvm - collector), compiler),
            threads.serving()));
  }

  private static double mean(
      List<CpuLoad> loads, ToDoubleFunction<CpuLoad> weight, ToDoubleFunction<CpuLoad> what) {
    double weights = loads.stream().mapToDouble(weight).sum();
    return weights <= 0
        ? loads.stream().mapToDouble(what).average().orElse(0)
        : loads.stream()
                .mapToDouble(load -> weight.applyAsDouble(load) * what.applyAsDouble(load))
                .sum()
            / weights;
  }

  /** What pauses took, as a share of all cores. */
  private static double pauses(Timeline timeline, Window window) {
    double cores = Math.max(1, MachineLoad.cores(timeline));
    return CollectorTimes.of(timeline, window).cpuSeconds() / (window.seconds() * cores);
  }

  /** The service's own threads: all of the JVM's but the collector's and the compiler's. */
  public double service() {
    return Math.max(0, jvm - collector - compiler);
  }

  /** Other processes at most. */
  public double othersAtMost() {
    return Math.max(0, most - jvm);
  }

  /** Other processes, at least. */
  public double others() {
    return Math.max(0, machine - jvm);
  }

  /** Whether the service itself uses the cores at least as much as all other processes do. */
  public boolean isOwnWork() {
    return service() >= others();
  }

  /**
   * Shares of the JVM's CPU by threads, over the intervals that lie in a window for the most part.
   *
   * @param compiler compiler threads
   * @param unlisted what Java threads and compiler threads leave: the collector and the JVM itself
   * @param serving share of the other listed threads' CPU that request threads have
   */
  private record Threads(double compiler, double unlisted, double serving) {

    static Threads of(Timeline timeline, Window window) {
      double jvm = 0;
      double compiler = 0;
      double serving = 0;
      double other = 0;
      Instant counted = Instant.MIN;
      double scale = MachineLoad.threadScale(timeline);
      for (ThreadGroupCpu group : timeline.samples(ThreadGroupCpu.class)) {
        Instant from = group.at().minus(group.interval());
        Window interval = new Window(from, group.at());
        if (2 * window.overlap(from, group.interval()).toNanos() < group.interval().toNanos()) {
          continue;
        }
        if (group.at().isAfter(counted)) {
          counted = group.at();
          jvm += MachineLoad.jvm(timeline, interval).orElse(0);
        }
        compiler += group.kind() == Kind.COMPILER ? scale * group.share() : 0;
        serving += group.kind() == Kind.REQUEST ? scale * group.share() : 0;
        other += group.kind() == Kind.OTHER ? scale * group.share() : 0;
      }
      double all = compiler + serving + other;
      return jvm <= 0 || all <= 0
          ? new Threads(0, 0, 1)
          : new Threads(
              Math.min(1, compiler / jvm),
              Math.max(0, 1 - all / jvm),
              serving > 0 ? serving / (serving + other) : 1);
    }
  }
}
