package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu.Kind;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * CPU use by its users, as mean shares of all cores that the JVM may use.
 *
 * @param machine all processes together, 0 to 1; a lower bound if the JVM is confined to some of
 *     the machine's cores
 * @param most upper bound of all processes together, 0 to 1
 * @param jvm this JVM, 0 to 1
 * @param collector GC's part of the JVM's share: its pauses, and its concurrent threads and the VM
 *     thread if the recording has the CPU time of all Java threads, as the remainder
 * @param operations how much of that the VM thread can have used at safepoints that are no pauses
 * @param compiler the JIT compiler threads' part of the JVM's share; 0 if CPU by thread is not
 *     recorded
 * @param requestThreads share of request threads in the CPU time of the service's threads, 0 to 1;
 *     1 if no thread is known to serve requests
 */
public record CpuUse(
    double machine,
    double most,
    double jvm,
    double collector,
    double operations,
    double compiler,
    double requestThreads) {

  /** Collectors without concurrent threads. */
  private static final Set<String> STOPPING = Set.of("Serial", "Parallel", "ParallelOld");

  /** Means over a window; empty without readings. */
  public static Optional<CpuUse> of(Timeline timeline, Window window) {
    return of(timeline, window, timeline.cpu(window));
  }

  /**
   * Means over some readings of a window. How the JVM's share is split among its threads is known
   * only for longer intervals, and is taken from the whole window.
   */
  static Optional<CpuUse> of(Timeline timeline, Window window, List<CpuLoad> loads) {
    return of(timeline, window, loads, load -> 1);
  }

  /**
   * The same, with each reading weighted by the JVM's CPU use at that time: when the JVM had little
   * to do, little of its work waited, whichever process used the CPUs.
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
    double unlisted = threads.unlisted() * jvm;
    double pauses = pauses(timeline, window) * scale;
    double operations =
        SafepointTimes.of(timeline, window).share()
            / Math.max(1, MachineLoad.cores(timeline))
            * scale;
    double concurrent = stopping ? Math.min(unlisted, pauses + operations) : unlisted;
    double collector = Math.max(pauses, concurrent);
    double compiler = threads.compiler() * jvm;
    return Optional.of(
        new CpuUse(
            mean(loads, weight, CpuLoad::machineTotal),
            mean(loads, weight, CpuLoad::most),
            jvm,
            Math.min(jvm, collector),
            Math.min(collector, operations),
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

  /** CPU use of GC pauses as a share of all cores. */
  private static double pauses(Timeline timeline, Window window) {
    double cores = Math.max(1, MachineLoad.cores(timeline));
    return CollectorTimes.of(timeline, window).cpuSeconds() / (window.seconds() * cores);
  }

  /** The name of the collector's part, by what has most of it. */
  public String collectorName() {
    return operations > Policy.MAJORITY * collector ? "VM thread" : "collector";
  }

  /** CPU use of the service's own threads: the JVM's without GC and compilers. */
  public double service() {
    return Math.max(0, jvm - collector - compiler);
  }

  /** Upper bound of the other processes' share. */
  public double othersAtMost() {
    return Math.max(0, most - jvm);
  }

  /** Whether what others use is known to an interval alone, of a JVM confined to some CPUs. */
  public boolean isBounded() {
    return othersAtMost() - others() > Policy.NEGLIGIBLE;
  }

  /** Lower bound of the other processes' share. */
  public double others() {
    return Math.max(0, machine - jvm);
  }

  /** Whether the service itself uses the cores at least as much as all other processes do. */
  public boolean isOwnWork() {
    return service() >= others();
  }

  /**
   * Shares of the JVM's CPU by thread, over the intervals that lie mostly in a window.
   *
   * @param unlisted the remainder without Java and compiler threads: GC and the JVM itself
   * @param serving share of request threads in the CPU of the remaining listed threads
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
