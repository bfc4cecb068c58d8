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
 * The first seconds of a recording, in which the JVM warms up. The first recording of a JVM
 * redefines classes (java.io, java.net, java.lang.Throwable: jdk.jfr's instrumentation), and
 * compiled code that calls them is discarded. A JVM that has just started compiles everything. Both
 * pass by themselves and are not what the recording was made for.
 */
final class WarmUpTrim {

  /** If an episode begins later than this, the time before it was normal. */
  private static final Duration AT_ONCE = Duration.ofSeconds(2);

  /** A service whose code is compiled uses less than this share of the CPUs for compiling. */
  private static final double COMPILING = 0.03;

  /** Hot code is compiled again within some seconds, on a full machine a little later. */
  private static final Duration LONGEST = Duration.ofSeconds(20);

  /**
   * The longest initial compilation after a start. A method goes to the optimising compiler after
   * 5,000 calls ({@code Tier4InvocationThreshold}); one that each request calls once gets there in
   * a minute at 80 requests per second.
   */
  private static final Duration LONGEST_COMPILING = Duration.ofSeconds(60);

  /** Redefining classes takes about a second, and its queue a few more seconds to drain. */
  private static final Duration BEGINNING = Duration.ofSeconds(5);

  /** The JVM's name for redefining classes (vmOperation.hpp). */
  private static final String REWRITING = "RedefineClasses";

  /**
   * The opening is an outlier if each of its steps lost this many times what nearly all others
   * lost.
   */
  private static final double STANDS_OUT = 5;

  /**
   * The time after the warm-up, if the incident that was found is nothing but warm-up, or if most
   * of what was lost before it was lost in the warm-up: no baseline.
   *
   * @param span in which it was found
   */
  static Optional<Window> rest(Timeline timeline, Window span, Windows found) {
    Window incident = found.incident();
    boolean whole = found.chosenBy() == Windows.ChosenBy.WHOLE_RECORDING && found.dated();
    Optional<Window> opening =
        opening(timeline, span)
            .filter(
                first ->
                    whole
                        ? Duration.between(first.to(), span.to()).compareTo(Policy.SUSTAINED) >= 0
                        : !first.to().plus(Policy.SUSTAINED).isAfter(incident.from()))
            .filter(
                first ->
                    isRecordingsBegin(timeline, first)
                        || (!whole || !queues(timeline, first))
                            && (compilesMore(timeline, first) || isRewritten(timeline, first)))
            .map(first -> new Window(first.to(), span.to()));
    if (whole || opening.isPresent()) {
      return opening;
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
            && (isStart(timeline, before) || first && settles(timeline, span, incident, rest))
        ? Optional.of(rest)
        : Optional.empty();
  }

  /** Whether a log alone begins with the JVM, whose first collections are many and long. */
  private static boolean isStart(Timeline timeline, Duration before) {
    return timeline.cpu().isEmpty()
        && !timeline.areRequestsMeasured()
        && !timeline.pauses().isEmpty()
        && timeline.pauses().get(0).gcId().orElse(-1) == 0
        && before.compareTo(Policy.SUSTAINED) < 0;
  }

  /** Whether the warm-up ends when JIT compilation ends and its queue has cleared. */
  private static boolean isWhileCompiling(Timeline timeline, Window span, Window incident) {
    Duration until = CompilerRate.of(timeline).settledWithin(LONGEST_COMPILING, span);
    return !until.isZero() && !incident.to().isAfter(span.from().plus(until).plus(BEGINNING));
  }

  /**
   * The first steps, if far more time was lost in them than later, until it is no more than nearly
   * all later ones lost. They are too few for change-point analysis, and lose so much that they
   * dominate the figures of the whole.
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
      // The load may begin a little later.
      steps++;
    }
    double first = 0;
    while (steps < most && lost[steps] > (first > 0 ? usual : STANDS_OUT * usual)) {
      first += lost[steps++];
    }
    return first <= 0 || first < Policy.SUBSTANTIAL * Arrays.stream(lost).sum()
        ? Optional.empty()
        : Optional.of(new Window(span.from(), span.from().plus(bucket.multipliedBy(steps))));
  }

  /**
   * Whether it is no longer than the start of a recording takes. Classes are redefined then in any
   * case, mostly before the events that would show it are recorded. A queue of that time that never
   * returns is no incident.
   */
  private static boolean isRecordingsBegin(Timeline timeline, Window first) {
    return !timeline.cpu().isEmpty() && first.length().compareTo(BEGINNING) <= 0;
  }

  /** Whether the JIT compilers were busy, by the number of methods they compiled. */
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
    // On a full machine compilers get as small a share of the CPUs as all other threads.
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
   * Methods compiled per second, over time. The rate falls from hundreds after a start to a few
   * once the used code is compiled.
   */
  record CompilerRate(List<CompilerCount> counts) {

    /** Rates of single seconds differ by a factor of ten, so several are averaged. */
    private static final Duration STEP = Duration.ofSeconds(5);

    static CompilerRate of(Timeline timeline) {
      return new CompilerRate(timeline.samples(CompilerCount.class));
    }

    /**
     * Time until the compile rate first falls to the level of the second half. Zero if it was there
     * from the start, if the counters were not read, or if it takes longer than half of the span or
     * than the given limit.
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

    /**
     * Methods per second between the first and the last reading of a stretch; 0 with fewer than
     * two.
     */
    private double perSecond(Instant from, Instant to) {
      List<CompilerCount> inside =
          TimeOrder.within(counts, CompilerCount::at, new Window(from, to.plusNanos(1)));
      return CounterReadings.perSecond(inside, CompilerCount::compiled).orElse(0);
    }
  }
}
