package io.gcdiag.causes.cores;

import io.gcdiag.causes.workers.UnendedThreads;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.JvmSample.ExceptionCount;
import io.gcdiag.evidence.time.CounterReadings;
import io.gcdiag.evidence.time.SampleCounts;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.FetchedPages;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.policy.Policy;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * How much of the growth of the service's CPU use is overhead and not work of the service: leaked
 * threads, exceptions, code that is interpreted because it is not compiled, and pages that the
 * kernel reads from disk again.
 *
 * @param grownCores growth of the JVM's CPU use in cores, without GC pauses and compilers, against
 *     the baseline; without one, against the part of the window with the least CPU use
 * @param keptThreads share of it used by leaked threads, 0 to 1
 * @param exceptions share of it spent creating exceptions, 0 to 1
 * @param interpreted share of it that ran in the interpreter, 0 to 1
 * @param fetching share of it that the kernel used to read pages again, 0 to 1
 */
record RuntimeWork(
    double grownCores, double keptThreads, double exceptions, double interpreted, double fetching) {

  /** Without a baseline, one of this many parts of the window serves as one. */
  private static final int PARTS = 4;

  /**
   * The baseline. Without one, the quarter of the incident window with the least CPU use of the
   * JVM, if that is clearly less than in the whole window; empty if CPU use did not change.
   */
  static Optional<Window> baseline(Incident incident) {
    if (incident.baseline().isPresent()) {
      return incident.baseline();
    }
    Window window = incident.window();
    Duration length = window.length().dividedBy(PARTS);
    double all = serviceCores(incident.timeline(), window);
    return IntStream.range(0, PARTS)
        .mapToObj(part -> window.part(length, part))
        .filter(part -> !incident.timeline().cpu(part).isEmpty())
        .min(Comparator.comparingDouble(part -> serviceCores(incident.timeline(), part)))
        .filter(part -> serviceCores(incident.timeline(), part) <= Policy.MAJORITY * all);
  }

  static RuntimeWork of(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    double during = serviceCores(timeline, window);
    double grown = during - baseline(incident).map(w -> serviceCores(timeline, w)).orElse(0.0);
    if (grown < Policy.NEGLIGIBLE) {
      return new RuntimeWork(Math.max(0, grown), 0, 0, 0, 0);
    }
    List<UnendedThreads> leaks = UnendedThreads.of(incident);
    // Leaked threads did not exist before, so all their CPU use is growth.
    double kept =
        leaks.isEmpty()
            ? 0
            : Math.min(1, UnendedThreads.cpuShare(timeline, window, leaks) * during / grown);
    double exceptions = Math.min(1 - kept, exceptionCores(incident, grown) / grown);
    InterpretedCode interpretation = InterpretedCode.of(incident);
    double interpreted =
        interpretation.hasCause() ? interpretation.growth() * (1 - kept - exceptions) : 0;
    double rest = 1 - kept - exceptions - interpreted;
    double fetching =
        FetchedPages.of(incident).map(pages -> Math.min(rest, pages.share())).orElse(0.0);
    return new RuntimeWork(grown, kept, exceptions, interpreted, fetching);
  }

  /** All overhead, 0 to 1. */
  double total() {
    return keptThreads + exceptions + interpreted + fetching;
  }

  /**
   * CPU time spent creating exceptions, in cores. The JVM's sampler does not see this work. It is
   * the CPU time by counters minus that by samples, limited by the maximum cost of the counted
   * exceptions.
   */
  private static double exceptionCores(Incident incident, double grown) {
    double growth = ExceptionRates.of(incident).map(ExceptionRates::growth).orElse(0.0);
    double most = growth * ExceptionRates.MOST_SECONDS;
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    SampleCounts counts = timeline.profiles().cpu().within(window);
    double seen =
        timeline.profiles().cpu().threadsSeen(window)
            - baseline(incident)
                .map(baseline -> timeline.profiles().cpu().threadsSeen(baseline))
                .orElse(0.0);
    double inSamples = counts.java() > 0 ? counts.creatingExceptions() / (double) counts.java() : 0;
    if (baseline(incident).isEmpty()) {
      double usual = growth * ExceptionRates.USUAL_SECONDS;
      double inside = Math.min(usual, unseenUserCores(timeline, window, seen));
      return Math.min(most, Math.max(inSamples * grown, Math.min(grown, inside)));
    }
    double unseen = Math.max(0, grown - Math.max(0, seen));
    return Math.min(most, unseen + inSamples * Math.max(0, seen));
  }

  /**
   * CPU use in cores that is neither in system calls nor seen by the sampler: inside the JVM, or in
   * native code.
   */
  private static double unseenUserCores(Timeline timeline, Window window, double seen) {
    double jvm = timeline.cpu(window).stream().mapToDouble(CpuLoad::jvm).sum();
    double user = timeline.cpu(window).stream().mapToDouble(CpuLoad::jvmUser).sum();
    double ofUser = jvm > 0 ? user / jvm : 0;
    return Math.max(0, serviceCores(timeline, window) * ofUser - seen);
  }

  private static double serviceCores(Timeline timeline, Window window) {
    return CpuUse.of(timeline, window).map(CpuUse::service).orElse(0.0)
        * Math.max(1, MachineLoad.cores(timeline));
  }

  /**
   * Exceptions per second.
   *
   * @param before in the baseline, or in the part of the incident with the least CPU use; empty if
   *     unknown
   * @param source where the counter was read
   */
  record ExceptionRates(double during, OptionalDouble before, Source source) {

    /**
     * Lower bound of the cost of one exception: an object and a stack walk of 20 frames. Measured
     * in a loop with default flags: 1.4 us on JDK 17, 0.6 us on JDK 25.
     */
    static final double LEAST_SECONDS = 1e-6;

    /**
     * Upper bound of the cost of one exception: the JVM walks at most 1,024 frames ({@code
     * MaxJavaStackTraceDepth}), each in 48 ns on JDK 17 and in 19 ns on JDK 25 (measured in the
     * same loop at depths of 100 to 1,024; compiled and interpreted code take the same time). A
     * slower machine takes longer, so the attributed cost may be too low, but not too high.
     */
    static final double MOST_SECONDS = 1024 * 50e-9;

    /**
     * Typical cost in a service at the same rates: 100 frames, as for a request below a framework
     * and its server, on JDK 17 or older. Newer JDKs take half as long.
     */
    static final double USUAL_SECONDS = 100 * 50e-9;

    /** Empty if the counter was not read twice in the incident. */
    static Optional<ExceptionRates> of(Incident incident) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      OptionalDouble during = rate(timeline, window);
      if (during.isEmpty()) {
        return Optional.empty();
      }
      OptionalDouble before =
          RuntimeWork.baseline(incident)
              .map(baseline -> rate(timeline, baseline))
              .orElse(OptionalDouble.empty());
      Source source = timeline.samples(ExceptionCount.class, window).get(0).source();
      return Optional.of(new ExceptionRates(during.getAsDouble(), before, source));
    }

    /** The increase over the baseline; without a baseline, all exceptions. */
    double growth() {
      return Math.max(0, during - before.orElse(0));
    }

    private static OptionalDouble rate(Timeline timeline, Window window) {
      return CounterReadings.perSecond(
          timeline.samples(ExceptionCount.class, window), ExceptionCount::total);
    }
  }
}
