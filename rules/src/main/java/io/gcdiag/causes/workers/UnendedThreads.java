package io.gcdiag.causes.workers;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadTurnover;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
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
 * Threads that some code starts again and again and that do not end.
 *
 * <p>A pool starts threads as well, and keeps them; but it has a bound, and the number of its
 * threads is how much work waited at once. A server's own threads are started within moments. What
 * is left is code that starts a thread for each piece of work: a leak, unless they end.
 *
 * @param group the threads' name with {@code *} for each number
 * @param site the code that started them
 * @param started how many began in the recording, up to the end of the incident
 * @param ended how many of these ended
 * @param source where this was read
 */
public record UnendedThreads(String group, String site, long started, long ended, Source source) {

  /** Servers and libraries start some dozens of threads for themselves, one by one. */
  static final long FEWEST = 50;

  /** The time is cut into so many parts, in all but one of which the number grows. */
  private static final int PARTS = 4;

  long kept() {
    return started - ended;
  }

  /** The leaks, the largest first. */
  public static List<UnendedThreads> of(Incident incident) {
    Instant end = incident.window().to();
    List<UnendedThreads> leaks = new ArrayList<>();
    incident.timeline().samples(ThreadTurnover.class).stream()
        .filter(turnover -> !turnover.pooled() && turnover.at().isBefore(end))
        .collect(Collectors.groupingBy(turnover -> List.of(turnover.group(), turnover.site())))
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
    return kept.kept() >= FEWEST
            && kept.kept() >= Policy.MAJORITY * started
            && goesOn(turnovers, any.at(), end)
        ? Optional.of(kept)
        : Optional.empty();
  }

  /** Whether the number grew in all parts of the time but one; what fills up to a bound stops. */
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

  /** What these threads used of the CPU time of all Java threads in a window, 0 to 1. */
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
