package io.gcdiag.diagnosis;

import io.gcdiag.evidence.SafepointStop;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.WaitKind;
import io.gcdiag.evidence.Window;
import io.gcdiag.evidence.Windows;
import io.gcdiag.ledger.CpuUse;
import io.gcdiag.ledger.EffectTimes;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The first seconds of a recording, in which the JVM settles. The first recording of a JVM has
 * classes rewritten (java.io, java.net, java.lang.Throwable: jdk.jfr's instrumentation), whose
 * callers are thrown out of compiled code; a JVM that has just begun compiles everything. Both pass
 * by themselves and are not what the recording was made for.
 */
final class Settling {

  /** A stretch that begins later has a time before it that was calm. */
  private static final Duration AT_ONCE = Duration.ofSeconds(2);

  /** Hot code is compiled again within some seconds, on a full machine some more. */
  private static final Duration LONGEST = Duration.ofSeconds(20);

  /** What is left must be long enough to judge. */
  private static final Duration LEAST_REST = Duration.ofSeconds(15);

  /** A service that runs compiled needs next to no compiler: less of the cores than this. */
  private static final double COMPILING = 0.03;

  /** So many times what the compilers take afterwards, where nothing was rewritten. */
  private static final double MORE = 2;

  /**
   * So many threads that wait for a lock or a pool at a time are more than code that runs slowly
   * for a while: something is scarce, and that is worth being told.
   */
  private static final double QUEUE = 1;

  /** What the virtual machine calls the rewriting (vmOperation.hpp). */
  private static final String REWRITING = "RedefineClasses";

  private Settling() {}

  /** What comes after the settling, if the incident that was found is no more than that. */
  static Optional<Window> rest(Timeline timeline, Windows found) {
    Window span = timeline.span();
    Window incident = found.incident();
    if (Duration.between(incident.to(), span.to()).compareTo(LEAST_REST) < 0) {
      return Optional.empty();
    }
    Window rest = new Window(incident.to(), span.to());
    boolean first =
        found.chosenBy() == Windows.ChosenBy.CHANGE_POINT
            && Duration.between(span.from(), incident.from()).compareTo(AT_ONCE) <= 0
            && incident.length().compareTo(LONGEST) <= 0;
    return first && settles(timeline, incident, rest) ? Optional.of(rest) : Optional.empty();
  }

  private static boolean settles(Timeline timeline, Window incident, Window rest) {
    double during = compiler(timeline, incident);
    return during >= COMPILING
        && !queues(timeline, incident)
        && (isRewritten(timeline, incident) || during >= MORE * compiler(timeline, rest));
  }

  private static boolean queues(Timeline timeline, Window window) {
    double waited =
        Stream.of(WaitKind.LOCK, WaitKind.POOL)
            .flatMap(kind -> EffectTimes.userWaits(timeline, kind).stream())
            .mapToDouble(series -> series.within(window).waitedSeconds())
            .sum();
    return waited >= QUEUE * window.seconds();
  }

  private static boolean isRewritten(Timeline timeline, Window window) {
    return timeline.safepoints(window).stream()
        .map(SafepointStop::operation)
        .anyMatch(REWRITING::equals);
  }

  private static double compiler(Timeline timeline, Window window) {
    return CpuUse.of(timeline, window).map(CpuUse::compiler).orElse(0.0);
  }
}
