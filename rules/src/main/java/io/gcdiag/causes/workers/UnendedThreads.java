package io.gcdiag.causes.workers;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadTurnover;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.CoreQueue;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Threads that some code starts again and again and that do not end: a leak.
 *
 * <p>Pools start threads and keep them as well, but have a limit ({@link #MOST_OF_A_POOL} at most);
 * their number of threads is the amount of work that was waiting at once. A server starts its own
 * threads within moments. The rest is code that starts a thread for each task, which is a leak
 * unless the threads end.
 *
 * @param group the threads' name with {@code *} for each number
 * @param site the code that started them
 * @param started number started in the recording, up to the end of the incident
 * @param ended number of these that ended
 * @param source where this was read
 */
public record UnendedThreads(String group, String site, long started, long ended, Source source) {

  /** Servers and libraries start some dozens of threads for themselves, one by one. */
  static final long FEWEST = 50;

  /**
   * No pool has so many threads by its default, and hardly any by its settings: Tomcat's and
   * Jetty's end at 200, the common pool's spares at 256. A group that grows beyond is made of many
   * pools, each of a few threads.
   */
  static final long MOST_OF_A_POOL = 1_000;

  /** The time is cut into this many parts, and the number must grow in all but one of them. */
  private static final int PARTS = 4;

  long kept() {
    return started - ended;
  }

  /** The leaks, largest first. */
  public static List<UnendedThreads> of(Incident incident) {
    Instant end = incident.window().to();
    List<UnendedThreads> leaks = new ArrayList<>();
    incident.timeline().samples(ThreadTurnover.class).stream()
        .filter(turnover -> turnover.at().isBefore(end))
        .collect(
            Collectors.groupingBy(
                turnover -> List.of(turnover.group(), turnover.site(), turnover.pooled())))
        .values()
        .forEach(turnovers -> leak(turnovers, end).ifPresent(leaks::add));
    leaks.sort(
        Comparator.comparingLong(UnendedThreads::kept)
            .reversed()
            .thenComparing(UnendedThreads::group)
            .thenComparing(UnendedThreads::site));
    return leaks;
  }

  private static Optional<UnendedThreads> leak(List<ThreadTurnover> turnovers, Instant end) {
    ThreadTurnover any = turnovers.get(0);
    long started = turnovers.stream().mapToLong(ThreadTurnover::started).sum();
    long ended = turnovers.stream().mapToLong(ThreadTurnover::ended).sum();
    UnendedThreads kept = new UnendedThreads(any.group(), any.site(), started, ended, any.source());
    long fewest = any.pooled() ? MOST_OF_A_POOL : FEWEST;
    return kept.kept() >= fewest
            && kept.kept() >= Policy.MAJORITY * started
            && goesOn(turnovers, any.at(), end)
        ? Optional.of(kept)
        : Optional.empty();
  }

  /**
   * Whether the number grew in all parts of the time but one; a pool that fills up to its limit
   * stops growing.
   */
  private static boolean goesOn(List<ThreadTurnover> turnovers, Instant from, Instant to) {
    Duration length = Duration.between(from, to);
    long[] grown = new long[PARTS];
    for (ThreadTurnover turnover : turnovers) {
      double part = Duration.between(from, turnover.at()).toMillis() / (double) length.toMillis();
      grown[Math.min(PARTS - 1, Math.max(0, (int) (part * PARTS)))] +=
          turnover.started() - turnover.ended();
    }
    return LongStream.of(grown).filter(more -> more > 0).count() >= PARTS - 1;
  }

  /**
   * Whether such threads take most of the JVM's CPU, and are so many that a request waits for the
   * turns of over {@link CoreQueue#MOST_COMPETING} of them at each core.
   */
  public static boolean takeTheCores(Incident incident) {
    Timeline timeline = incident.timeline();
    List<UnendedThreads> leaks = of(incident);
    long kept = leaks.stream().mapToLong(UnendedThreads::kept).sum();
    return kept > (long) CoreQueue.MOST_COMPETING * MachineLoad.cores(timeline)
        && cpuShare(timeline, incident.window(), leaks) >= Policy.MAJORITY;
  }

  /** Share of these threads in the CPU time of all Java threads in a window, 0 to 1. */
  public static double cpuShare(Timeline timeline, Window window, List<UnendedThreads> leaks) {
    Set<String> groups = new HashSet<>();
    leaks.forEach(leak -> groups.add(leak.group()));
    Map<Boolean, Double> loads =
        timeline.samples(ThreadGroupCpu.class, window).stream()
            .collect(
                Collectors.partitioningBy(
                    cpu -> groups.contains(cpu.group()),
                    Collectors.summingDouble(ThreadGroupCpu::share)));
    double all = loads.get(true) + loads.get(false);
    return all > 0 ? loads.get(true) / all : 0;
  }
}
