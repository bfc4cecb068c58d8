package io.gcdiag.measures;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuSample.ThrottleCount;
import io.gcdiag.evidence.jvm.JvmSample.ExceptionCount;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitingThreads;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.measures.jvm.CollectorMeters;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.requests.Gauge;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.SampledCalls;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.ChangePoint;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * A quantity of the service that rose and stayed so until the end. Not all that slows a service is
 * recorded as a wait, and lost time comes in bursts: what changed beside it shows since when, and
 * that it has not passed.
 *
 * @param segment from the rise to the end, in the unit of the quantity
 * @param what the quantity, as in {@code exceptions per second}
 * @param format makes words of a value
 */
record ChangedActivity(ChangePoint.Segment segment, String what, DoubleFunction<String> format) {

  /** The time that requests lose: all else that rises may only go with it. */
  static final String LOST = "threads waiting or stopped";

  /** Where threads stand in line. In the sum of all that is lost one of them may not show. */
  private static final List<Effect> QUEUES =
      List.of(Effect.POOL_WAIT, Effect.LOCK_WAIT, Effect.LOG_WAIT);

  /** A large effect (Vargha and Delaney's A): a level that changed, and no ripple. */
  private static final double LARGE = 0.71;

  /** Buckets: edges of a stretch are set to about as many. */
  private static final int MOMENT = 2;

  /**
   * One measured quantity over time.
   *
   * @param least a rise by less is a ripple
   */
  private record Activity(
      String what, double least, double[] values, DoubleFunction<String> format) {

    Activity(String what, double least, double[] values) {
      this(what, least, values, Numbers::threeDigits);
    }

    Activity(String what, double[] values) {
      this(what, 0, values);
    }

    /** Since when it, or a part of it, is raised to the end. */
    private Optional<ChangedActivity> raised(double[] part, Duration bucket) {
      return ChangedActivity.raised(part, bucket)
          .filter(segment -> segment.meanInside() - segment.meanOutside() >= least)
          .map(segment -> new ChangedActivity(segment, what, format));
    }
  }

  /**
   * All that rose with time before it and none after it.
   *
   * @param lost threads waiting or stopped in each bucket
   */
  static List<ChangedActivity> all(Timeline timeline, Window span, Duration bucket, double[] lost) {
    return activities(timeline, span, bucket, lost, UserWaits.of(timeline, WaitKind.DOWNSTREAM))
        .stream()
        .flatMap(activity -> activity.raised(activity.values(), bucket).stream())
        .toList();
  }

  /**
   * All that rose before an incident, with time before it, and fell back neither before the
   * incident nor in it. Its levels are those before the incident.
   *
   * @param span from what came before the incident to its end
   * @param before buckets of it before the incident
   */
  static List<ChangedActivity> leading(
      Timeline timeline, Window span, Duration bucket, int before) {
    double[] lost = LostTime.over(timeline, span, bucket);
    // Calls of other threads delay requests later, or not at all.
    return activities(timeline, span, bucket, lost, timeline.waits(WaitKind.DOWNSTREAM)).stream()
        .flatMap(
            activity ->
                activity
                    .raised(Arrays.copyOf(activity.values(), before), bucket)
                    .filter(rise -> rise.isKept(activity.values(), before))
                    .map(rise -> rise.until(activity.values().length))
                    .stream())
        .toList();
  }

  /** Whether most of the rise is left on average from a bucket on. */
  private boolean isKept(double[] values, int from) {
    double rise = segment.meanInside() - segment.meanOutside();
    return mean(values, from, values.length) - segment.meanOutside() >= Policy.MAJORITY * rise;
  }

  /** The same with its levels up to a later bucket. */
  private ChangedActivity until(int toIndex) {
    return new ChangedActivity(
        new ChangePoint.Segment(
            segment.fromIndex(),
            toIndex,
            segment.meanInside(),
            segment.meanOutside(),
            segment.superiority(),
            segment.pValue()),
        what,
        format);
  }

  /**
   * Whether the incident goes on after a stretch of lost time, because this has not ended with it:
   * if it rose together with the lost time, or before it and time is lost again later.
   *
   * @param again whether as much is lost again after that stretch
   */
  boolean outlasts(Window incident, boolean again, Window span, Duration bucket) {
    Window risen = WindowFinder.window(span, segment, bucket);
    Instant moment = incident.from().minus(bucket.multipliedBy(MOMENT));
    return (again || !risen.from().isBefore(moment))
        && risen.from().isBefore(incident.to())
        && risen.to().isAfter(incident.to().plus(bucket));
  }

  /** Mean over the stretch of what another series of the same buckets has. */
  double threadsWithin(double[] threads) {
    return mean(threads, segment.fromIndex(), segment.toIndex());
  }

  boolean isLostTime() {
    return what.equals(LOST);
  }

  /**
   * {@code exceptions per second rose from 431 to 187,000 on average}. What fell has values below
   * 0.
   */
  String words() {
    return "%s %s from %s to %s on average"
        .formatted(
            what,
            segment.meanInside() < 0 ? "fell" : "rose",
            format.apply(segment.meanOutside()),
            format.apply(segment.meanInside()));
  }

  /** The same for those who judge for themselves. */
  Windows.Onset onset(Window span, Duration bucket) {
    Instant from = WindowFinder.window(span, segment, bucket).from();
    return new Windows.Onset(what, from, segment.meanOutside(), segment.meanInside(), words());
  }

  /** The same of one that goes on to the end after another one of a shorter time. */
  String toTheEnd(ChangedActivity shorter) {
    return (what.equals(shorter.what()) ? " and" : "; " + what) + " stayed raised to the end";
  }

  private static Optional<ChangePoint.Segment> raised(double[] values, Duration bucket) {
    double baseline = Durations.seconds(Policy.SUSTAINED);
    return ChangePoint.find(values)
        .filter(segment -> lasts(segment, values))
        .map(segment -> since(values, segment.fromIndex(), segment))
        .or(() -> afterLow(values))
        .filter(segment -> segment.superiority() >= LARGE)
        .filter(segment -> segment.fromIndex() * Durations.seconds(bucket) >= baseline);
  }

  /**
   * What comes after a low level from the beginning: bursts to which a low level is the contrast.
   */
  private static Optional<ChangePoint.Segment> afterLow(double[] values) {
    double[] turned = Arrays.stream(values).map(value -> -value).toArray();
    return ChangePoint.find(turned)
        .filter(low -> low.fromIndex() == 0)
        .map(low -> since(values, low.toIndex(), low));
  }

  private static ChangePoint.Segment since(double[] values, int from, ChangePoint.Segment tested) {
    return new ChangePoint.Segment(
        from,
        values.length,
        mean(values, from, values.length),
        mean(values, 0, from),
        tested.superiority(),
        tested.pValue());
  }

  private static double mean(double[] values, int from, int to) {
    return Arrays.stream(values, from, to).filter(Double::isFinite).average().orElse(0);
  }

  /** The last buckets may hold the end of the recording or of the load. */
  private static boolean lasts(ChangePoint.Segment segment, double[] values) {
    int rest = values.length - segment.toIndex();
    return rest * 10 <= segment.toIndex() - segment.fromIndex();
  }

  private static List<Activity> activities(
      Timeline timeline, Window span, Duration bucket, double[] lost, List<WaitSeries> inCalls) {
    Function<ToDoubleFunction<Window>, double[]> means =
        mean -> means(span, bucket, lost.length, mean);
    List<WaitSeries> calls = timeline.waits(WaitKind.DOWNSTREAM);
    WaitingThreads calling = WaitingThreads.at(inCalls);
    double[] inEvents = means.apply(part -> calling.seconds(part) / part.seconds());
    // Calls that are too short for events, or end after the recording, may become more.
    double[] onlyInSamples = SampledCalls.over(timeline, span, bucket, lost.length);
    Arrays.setAll(onlyInSamples, i -> Math.max(0, onlyInSamples[i] - inEvents[i]));
    Rates exceptions = new Rates(span, bucket, lost.length);
    timeline.samples(ExceptionCount.class).forEach(one -> exceptions.add(one.at(), one.total()));
    Rates throttled = new Rates(span, bucket, lost.length);
    timeline
        .samples(ThrottleCount.class)
        .forEach(one -> throttled.add(one.at(), Durations.seconds(one.throttledTime())));
    Rates collected = new Rates(span, bucket, lost.length);
    CollectorMeters.of(timeline).stream()
        .flatMap(meters -> meters.seconds().points().stream())
        .forEach(one -> collected.add(one.at(), one.value()));
    Stream<Activity> queues =
        QUEUES.stream()
            .map(
                queue -> {
                  WaitingThreads waiting = WaitingThreads.at(UserWaits.of(timeline, queue));
                  return new Activity(
                      "threads " + queue.title(),
                      WindowFinder.RIPPLE,
                      means.apply(part -> waiting.seconds(part) / part.seconds()));
                });
    Stream<Activity> latencies =
        timeline.metrics(MetricMeaning.LATENCY).stream()
            .filter(series -> series.percentile().isPresent())
            .map(
                series ->
                    new Activity(
                        "the P%s latency by meter"
                            .formatted(Numbers.threeDigits(series.percentile().orElseThrow())),
                        0,
                        means.apply(part -> new Gauge(series).at(part.from())),
                        seconds -> Durations.format(Durations.ofSeconds(seconds))));
    return Stream.of(
            Stream.of(
                new Activity(LOST, WindowFinder.RIPPLE, lost),
                new Activity(
                    "CPU use of the JVM",
                    0,
                    means.apply(part -> MachineLoad.jvm(timeline, part).orElse(Double.NaN)),
                    share -> new Ratio(share).share()),
                new Activity(
                    "the allocation rate",
                    0,
                    means.apply(
                        part ->
                            timeline
                                .profiles()
                                .allocation()
                                .sampledBytesPerSecond()
                                .mean(part)
                                .orElse(Double.NaN)),
                    rate -> Bytes.of(Math.round(rate)) + "/s"),
                new Activity(
                    "pauses per second",
                    means.apply(part -> timeline.pauses(part).size() / part.seconds())),
                new Activity(
                    "the share of time stopped",
                    WindowFinder.RIPPLE,
                    LostTime.stopped(timeline, span, bucket),
                    share -> new Ratio(share).share()),
                new Activity(
                    "the share of time stopped by GC, by meters",
                    WindowFinder.RIPPLE,
                    collected.perSecond,
                    share -> new Ratio(share).share()),
                new Activity(
                    "calls to databases and services per second",
                    means.apply(part -> WaitSeries.totals(calls, part).count() / part.seconds())),
                new Activity(
                    "threads in calls to databases and services", WindowFinder.RIPPLE, inEvents),
                new Activity(
                    "threads in calls that only samples show",
                    Policy.LEAST_THREADS_FELT,
                    onlyInSamples),
                new Activity("exceptions per second", exceptions.perSecond),
                new Activity("throttled threads", throttled.perSecond)),
            queues,
            latencies)
        .flatMap(all -> all)
        .toList();
  }

  private static double[] means(
      Window span, Duration bucket, int count, ToDoubleFunction<Window> mean) {
    double[] means = new double[count];
    for (int i = 0; i < count; i++) {
      means[i] = mean.applyAsDouble(span.part(bucket, i));
    }
    return means;
  }

  /** Differences of a counter that is read now and then, spread over the time between readings. */
  private static final class Rates {

    private final Instant origin;
    private final double step;
    private final double[] perSecond;
    private double since = Double.NaN;
    private double last;

    Rates(Window span, Duration bucket, int count) {
      origin = span.from();
      step = Durations.seconds(bucket);
      perSecond = new double[count];
      Arrays.fill(perSecond, Double.NaN);
    }

    void add(Instant at, double total) {
      double now = Durations.seconds(Duration.between(origin, at)) / step;
      if (now > since) {
        double perBucket = Math.max(0, total - last) / (now - since);
        int end = (int) Math.min(perSecond.length, Math.ceil(now));
        for (int i = (int) Math.max(0, Math.floor(since)); i < end; i++) {
          double inside = Math.min(now, i + 1) - Math.max(since, i);
          double before = Double.isNaN(perSecond[i]) ? 0 : perSecond[i];
          perSecond[i] = before + perBucket * inside / step;
        }
      }
      since = now;
      last = total;
    }
  }
}
