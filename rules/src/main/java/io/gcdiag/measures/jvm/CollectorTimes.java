package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.GcCpu;
import io.gcdiag.evidence.jvm.MemorySample.SwapSpace;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Nanos;
import io.gcdiag.units.Ratio;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * CPU times of the GC pauses of one window. Logs state them in steps of about 10 ms; the rounding
 * errors average out over many pauses.
 *
 * @param pauses number of pauses with CPU times
 * @param userSeconds CPU time in the collector's own code, over all threads
 * @param cpuSeconds the same plus CPU time in the kernel
 * @param realSeconds elapsed time
 * @param waits the pauses of these that a user notices and in which not even one thread ran most of
 *     the time
 * @param file where the first was read; empty if there is none
 */
public record CollectorTimes(
    int pauses,
    double userSeconds,
    double cpuSeconds,
    double realSeconds,
    Waits waits,
    String file) {

  /** 25 steps: with that many pauses of one step each the error is below a tenth. */
  static final double LEAST_SECONDS = 0.25;

  /**
   * A single GC thread uses a whole core. If all GC threads together use less than this on average,
   * they did not get a CPU all the time.
   */
  private static final double STARVED = 0.6;

  private static final Predicate<String> NO_SWAP = Pattern.compile("swap 0k\\b").asPredicate();

  /**
   * Pauses that waited.
   *
   * @param cpuSeconds their CPU time
   * @param realSeconds their elapsed time
   */
  public record Waits(int pauses, double cpuSeconds, double realSeconds) {

    /** Time in which the GC threads did not run. */
    public double seconds() {
      return realSeconds - cpuSeconds;
    }
  }

  public static CollectorTimes of(Timeline timeline, Window window) {
    List<GcCpu> times = timeline.gcCpu(window);
    int waits = 0;
    long waitsCpu = 0;
    long waitsReal = 0;
    long user = 0;
    long system = 0;
    long real = 0;
    // The list creates its elements on each access, so this reads each of them once.
    for (GcCpu cpu : times) {
      user = Nanos.plus(user, Nanos.of(cpu.user()));
      system = Nanos.plus(system, Nanos.of(cpu.system()));
      real = Nanos.plus(real, Nanos.of(cpu.real()));
      long ran = Nanos.of(cpu.user().plus(cpu.system()));
      if (cpu.real().compareTo(Policy.FELT_DELAY) >= 0 && ran < STARVED * Nanos.of(cpu.real())) {
        waits++;
        waitsCpu = Nanos.plus(waitsCpu, ran);
        waitsReal = Nanos.plus(waitsReal, Nanos.of(cpu.real()));
      }
    }
    return new CollectorTimes(
        times.size(),
        Nanos.seconds(user),
        Nanos.seconds(Nanos.plus(user, system)),
        Nanos.seconds(real),
        new Waits(waits, Nanos.seconds(waitsCpu), Nanos.seconds(waitsReal)),
        times.isEmpty() ? "" : times.get(0).file());
  }

  /** Whether the CPU times are the only CPU figures: there is no load of machine or container. */
  public static boolean areAllThereIs(Incident incident) {
    return incident.timeline().cpu(incident.window()).isEmpty();
  }

  /**
   * Whether memory may have been swapped out: a log of JDK 8 begins with the machine's swap space,
   * of which {@code swap 0k(0k free)} is none.
   */
  public static boolean mayBeSwapped(Timeline timeline) {
    return timeline.jvm().flag("Memory").map(Flag::value).filter(NO_SWAP).isEmpty()
        && timeline.samples(SwapSpace.class).stream()
            .noneMatch(one -> one.total().filter(Bytes.ZERO::equals).isPresent());
  }

  /** How much of their CPU time the kernel had, where it is most; and what it cannot be then. */
  public Optional<String> ofKernel(Timeline timeline) {
    return kernel() == 0
        ? Optional.empty()
        : Optional.of(
            new Ratio(kernel())
                + " of the CPU time of pauses is kernel time"
                + (mayBeSwapped(timeline) ? "" : ", and the machine has no swap space"));
  }

  /** What the kernel may do in pauses, with what spares it. */
  public static String pages(boolean swap) {
    return ": the collector waits for pages that are "
        + (swap ? "swapped in, " : "")
        + "touched for the first time (-XX:+AlwaysPreTouch) or merged into huge pages (echo madvise"
        + " > /sys/kernel/mm/transparent_hugepage/enabled)";
  }

  /** Whether there are enough of these pauses for a statement, or one waited long enough. */
  private boolean areEnough() {
    return pauses >= Policy.FEWEST_COUNTED && realSeconds >= LEAST_SECONDS
        || waits.seconds() >= Durations.seconds(Policy.SUSTAINED);
  }

  /** Cores that the GC threads used in the pauses that did not wait; 0 if there is none. */
  public double coresOfOthers() {
    double real = realSeconds - waits.realSeconds();
    return waits.pauses() == pauses || real <= 0 ? 0 : (cpuSeconds - waits.cpuSeconds()) / real;
  }

  /** Whether the other pauses, most of them short, had their cores while these waited. */
  public boolean onlySomeWait() {
    return waits.pauses() > 0 && coresOfOthers() >= STARVED;
  }

  /** Cores that the GC threads used in pauses, on average. */
  public double cores() {
    return realSeconds <= 0 ? 0 : cpuSeconds / realSeconds;
  }

  /**
   * Share of the pause time in which not even one GC thread was on a CPU; 0 if it is within the
   * error.
   */
  public double starved() {
    if (!areEnough()) {
      return 0;
    }
    double waited = realSeconds <= 0 ? 0 : waits.seconds() / realSeconds;
    if (cores() < STARVED) {
      return 1 - cores();
    }
    return waited > Policy.MAJORITY ? waited : 0;
  }

  /** Share of the pauses' CPU time in the kernel; 0 if it is less than half. */
  public double kernel() {
    double share = cpuSeconds <= 0 ? 0 : 1 - userSeconds / cpuSeconds;
    return areEnough() && share > Policy.MAJORITY ? share : 0;
  }
}
