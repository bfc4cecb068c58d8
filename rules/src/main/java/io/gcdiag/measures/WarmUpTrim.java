package io.gcdiag.measures;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.JvmSample.CompilerCount;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.time.CounterReadings;
import io.gcdiag.evidence.time.TimeOrder;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The first seconds of a recording, in which the JVM settles. The first recording of a JVM has
 * classes rewritten (java.io, java.net, java.lang.Throwable: jdk.jfr's instrumentation), whose
 * callers are thrown out of compiled code; a JVM that has just begun compiles everything. Both pass
 * by themselves and are not what the recording was made for.
 */
final class WarmUpTrim {

  /** A stretch that begins later has a time before it that was normal. */
  private static final Duration AT_ONCE = Duration.ofSeconds(2);

  /** A service that runs compiled needs next to no compiler: less of the cores than this. */
  private static final double COMPILING = 0.03;

  /** Hot code is compiled again within some seconds, on a full machine some more. */
  private static final Duration LONGEST = Duration.ofSeconds(20);

  /**
   * The longest that code is compiled at once after a start. A method goes to the optimising
   * compiler when it was called 5,000 times ({@code Tier4InvocationThreshold}): one that each
   * request calls once gets there in a minute at 80 requests a second.
   */
  private static final Duration LONGEST_COMPILING = Duration.ofSeconds(60);

  /** Rewriting classes takes about a second, and what queued meanwhile some more to clear. */
  private static final Duration BEGINNING = Duration.ofSeconds(5);

  /** What the virtual machine calls the rewriting (vmOperation.hpp). */
  private static final String REWRITING = "RedefineClasses";

  /** The opening stands out if each of its steps lost so many times what nearly all others did. */
  private static final double STANDS_OUT = 5;

  private WarmUpTrim() {}

  /**
   * What comes after the settling, if the incident that was found is no more than that.
   *
   * @param span in which it was found
   */
  static Optional<Window> rest(Timeline timeline, Window span, Windows found) {
    Window incident = found.incident();
    if (found.chosenBy() == Windows.ChosenBy.WHOLE_RECORDING && found.dated()) {
      return opening(timeline, span)
          .filter(first -> isLongEnough(first, span))
          .filter(
              first ->
                  isRecordingsBegin(timeline, first)
                      || !queues(timeline, first)
                          && (compilesMore(timeline, first) || isRewritten(timeline, first)))
          .map(first -> new Window(first.to(), span.to()));
    }
    if (Duration.between(incident.to(), span.to()).compareTo(Policy.SUSTAINED) < 0) {
      return Optional.empty();
    }
    Window rest = new Window(incident.to(), span.to());
    Duration before = Duration.between(span.from(), incident.from());
    boolean first =
        before.compareTo(AT_ONCE) <= 0 && incident.length().compareTo(LONGEST) <= 0
            || before.compareTo(Policy.SUSTAINED) < 0 && isWhileCompiling(timeline, span, incident);
    return found.chosenBy() == Windows.ChosenBy.CHANGE_POINT
            && first
            && settles(timeline, span, incident, rest)
        ? Optional.of(rest)
        : Optional.empty();
  }

  /** Whether the warm-up ends when JIT compilation ends and its queue has cleared. */
  private static boolean isWhileCompiling(Timeline timeline, Window span, Window incident) {
    Duration until = CompilerRate.of(timeline).settledWithin(LONGEST_COMPILING, span);
    return !until.isZero() && !incident.to().isAfter(span.from().plus(until).plus(BEGINNING));
  }

  private static boolean isLongEnough(Window first, Window span) {
    return Duration.between(first.to(), span.to()).compareTo(Policy.SUSTAINED) >= 0;
  }

  /**
   * The first steps in which far more was lost than later. They are too few for a stretch that
   * statistics would vouch for, and lose so much that they decide what is seen of the whole.
   */
  private static Optional<Window> opening(Timeline timeline, Window span) {
    Duration bucket = LostTime.bucket(span);
    double[] lost =
        RequestDelays.over(timeline, span, bucket)
            .orElseGet(() -> LostTime.over(timeline, span, bucket));
    int most = (int) Math.min(lost.length / 2, LONGEST.dividedBy(bucket));
    double[] later = Arrays.stream(lost).skip(most).sorted().toArray();
    if (later.length == 0 || most <= AT_ONCE.dividedBy(bucket)) {
      return Optional.empty();
    }
    double usual = later[(int) ((1 - Policy.NOTABLE) * (later.length - 1))];
    int steps = 0;
    while (steps < AT_ONCE.dividedBy(bucket) && lost[steps] <= STANDS_OUT * usual) {
      // The load may begin a moment later.
      steps++;
    }
    double first = 0;
    while (steps < most && lost[steps] > STANDS_OUT * usual) {
      first += lost[steps++];
    }
    return first <= 0 || first < Policy.SUBSTANTIAL * Arrays.stream(lost).sum()
        ? Optional.empty()
        : Optional.of(new Window(span.from(), span.from().plus(bucket.multipliedBy(steps))));
  }

  /**
   * Whether it is no longer than a recording takes to begin: classes are rewritten then in any
   * case, mostly before the events that would show it are recorded. What queues then and never
   * again is no incident either.
   */
  private static boolean isRecordingsBegin(Timeline timeline, Window first) {
    return !timeline.cpu().isEmpty() && first.length().compareTo(BEGINNING) <= 0;
  }

  /** Whether the compilers were at work, by how many methods they were done with. */
  private static boolean compilesMore(Timeline timeline, Window first) {
    List<CompilerCount> counts = timeline.samples(CompilerCount.class);
    Optional<CompilerCount> end =
        counts.stream().filter(count -> !count.at().isBefore(first.to())).findFirst();
    return end.isPresent()
        && perSecond(counts.get(0), end.get())
            >= Policy.CLEARLY_MORE * perSecond(end.get(), counts.get(counts.size() - 1));
  }

  private static double perSecond(CompilerCount from, CompilerCount to) {
    return CounterReadings.perSecond(List.of(from, to), CompilerCount::compiled).orElse(0);
  }

  private static boolean settles(Timeline timeline, Window span, Window incident, Window rest) {
    double during = compiler(timeline, incident);
    boolean compiling =
        during >= COMPILING
            && (isRewritten(timeline, incident)
                || during >= Policy.CLEARLY_MORE * compiler(timeline, rest)
                || isWhileCompiling(timeline, span, incident));
    // On a full machine compilers get as little of the cores as all others.
    return !queues(timeline, incident) && (compiling || compilesMore(timeline, incident));
  }

  private static boolean queues(Timeline timeline, Window window) {
    return UserWaits.inQueues(timeline, window) >= Policy.LASTING_QUEUE;
  }

  private static boolean isRewritten(Timeline timeline, Window window) {
    return timeline.safepoints(window).stream()
        .map(SafepointStop::operation)
        .anyMatch(REWRITING::equals);
  }

  private static double compiler(Timeline timeline, Window window) {
    return CpuUse.of(timeline, window).map(CpuUse::compiler).orElse(0.0);
  }

  /**
   * How many methods the JVM compiles a second, over time. It falls from hundreds after a start to
   * a few when the code that is used has been compiled.
   */
  static final class CompilerRate {

    /** Single seconds vary by ten times: some together show the level. */
    private static final Duration STEP = Duration.ofSeconds(5);

    private final List<CompilerCount> counts;

    private CompilerRate(List<CompilerCount> counts) {
      this.counts = counts;
    }

    static CompilerRate of(Timeline timeline) {
      return new CompilerRate(timeline.samples(CompilerCount.class));
    }

    /**
     * After how long it is down to the level of the second half, for the first time; zero if it was
     * there from the start, if the counters were not read, or if it stays above it until the half
     * or for longer than asked about.
     */
    Duration settledWithin(Duration most, Window span) {
      Duration half = span.length().dividedBy(2);
      double later = perSecond(span.from().plus(half), span.to());
      Duration after = Duration.ZERO;
      while (after.compareTo(half) <= 0 && after.compareTo(most) <= 0) {
        Instant from = span.from().plus(after);
        if (perSecond(from, from.plus(STEP)) <= Policy.CLEARLY_MORE * later) {
          return after;
        }
        after = after.plusSeconds(1);
      }
      return Duration.ZERO;
    }

    /** Between the first and the last reading of a stretch; 0 with less than two. */
    private double perSecond(Instant from, Instant to) {
      List<CompilerCount> inside =
          TimeOrder.within(counts, CompilerCount::at, new Window(from, to.plusNanos(1)));
      return CounterReadings.perSecond(inside, CompilerCount::compiled).orElse(0);
    }
  }
}
