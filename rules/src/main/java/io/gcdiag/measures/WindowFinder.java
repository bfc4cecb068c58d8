package io.gcdiag.measures;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Lazy;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.WindowRequest;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.threads.OccupiedWorkers;
import io.gcdiag.measures.threads.UnendedWaits;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.measures.threads.WorkerQueue;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.ChangePoint;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import io.gcdiag.units.UtcText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Chooses the incident and the baseline window: as the user says, else the stretch in which
 * requests took longer, where the load test says so over time, else that in which waiting and
 * stopping rose ({@link ChangePoint}), else everything.
 */
public final class WindowFinder {

  /** A rise of lost time up to this value (mean threads) is noise. */
  static final double RIPPLE = 0.02;

  private static final double[] NONE = {};

  private WindowFinder() {}

  public static Windows find(
      Timeline timeline, Optional<WindowRequest> incident, Optional<WindowRequest> baseline) {
    Window span = timeline.span();
    if (!timeline.dated() && (incident.isPresent() || baseline.isPresent())) {
      throw new WindowRequest.RefusedException(
          "a window was given, but nothing in the inputs has a time");
    }
    if (incident.isPresent()) {
      Window chosen = incident.get().resolve(span);
      Optional<Window> before =
          baseline.isPresent()
              ? Optional.of(beside(baseline.get().resolve(span), chosen))
              : BaselineSearch.longest(span, List.of(chosen))
                  .filter(rest -> meanLost(timeline, rest) <= meanLost(timeline, chosen));
      return new Windows(chosen, before, ChosenBy.USER, true, "given on the command line");
    }
    Windows found = byChangePoint(timeline);
    if (baseline.isEmpty()) {
      return found;
    }
    Window given = baseline.get().resolve(span);
    Window compared =
        found.chosenBy() == ChosenBy.CHANGE_POINT && !overlap(found.incident(), given)
            ? found.incident()
            : BaselineSearch.gap(span, List.of(given))
                .orElseThrow(
                    () ->
                        new WindowRequest.RefusedException(
                            "the baseline "
                                + baseline.get()
                                + " covers all of the recorded time and leaves none for an"
                                + " incident"));
    return new Windows(
        compared,
        Optional.of(given),
        ChosenBy.USER,
        true,
        "baseline given on the command line; the incident is "
            + (compared.equals(found.incident()) ? found.reason() : "the longer part outside it"));
  }

  /** What rose and stayed so, first what rose first; empty where nothing has a time. */
  public static List<Windows.Onset> onsets(Timeline timeline) {
    Window span = LoadedSpan.of(timeline);
    Duration bucket = bucket(timeline, span);
    if (!timeline.dated()) {
      return List.of();
    }
    return Stream.concat(
            delayed(timeline, span, bucket).stream()
                .map(late -> late.rise().onset(late.told(), bucket)),
            ChangedActivity.all(timeline, span, bucket, LostTime.over(timeline, span, bucket))
                .stream()
                .map(rise -> rise.onset(span, bucket)))
        .sorted(Comparator.comparing(Windows.Onset::from))
        .toList();
  }

  /** A baseline before or after an incident; what is in both would be compared with itself. */
  private static Window beside(Window baseline, Window incident) {
    Duration both = baseline.overlap(incident.from(), incident.length());
    if (!both.isZero()) {
      throw new WindowRequest.RefusedException(
          "the incident and the baseline given overlap by %s; the baseline is a time before or after the incident"
              .formatted(Durations.format(both)));
    }
    return baseline;
  }

  private static boolean overlap(Window a, Window b) {
    return !a.overlap(b.from(), b.length()).isZero();
  }

  private static double meanLost(Timeline timeline, Window window) {
    return mean(LostTime.over(timeline, window, LostTime.bucket(window)));
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(0);
  }

  private static Windows byChangePoint(Timeline timeline) {
    Window recorded = LoadedSpan.of(timeline);
    Windows whole = closer(timeline, recorded, byChangePoint(timeline, recorded));
    Window span = untilSilence(timeline, recorded, whole);
    Windows found =
        span.equals(recorded)
            ? whole
            : leftOut(closer(timeline, span, byChangePoint(timeline, span)), span, recorded, "");
    Windows warm =
        WarmUpTrim.rest(timeline, span, found)
            .map(
                rest ->
                    leftOut(byChangePoint(timeline, rest), rest, span, "while the JVM warmed up"))
            .orElse(found);
    boolean kept = LoadedSpan.recorded(timeline).equals(timeline.span());
    return leftOut(
        withoutStops(timeline, span, warm),
        span,
        timeline.span(),
        kept ? "before requests came" : "of which the recording has no events");
  }

  /**
   * What lasts from the first moment on until no worker takes up anything any more is the load, and
   * a change is to be sought in it: only its end was found.
   */
  private static Window untilSilence(Timeline timeline, Window span, Windows found) {
    return OccupiedWorkers.silence(timeline)
        .filter(any -> found.chosenBy() == ChosenBy.CHANGE_POINT)
        .filter(any -> !found.incident().from().isAfter(span.from()))
        .filter(rest -> rest.from().isAfter(span.from()))
        .map(rest -> new Window(span.from(), rest.from()))
        .orElse(span);
  }

  /**
   * What is found around the same place second by second: in a long span, which is looked through
   * in steps of many seconds, an incident of half a minute has no edges or does not show at all.
   */
  private static Windows closer(Timeline timeline, Window span, Windows found) {
    Duration half = LostTime.FINEST.dividedBy(2);
    boolean known = found.chosenBy() == ChosenBy.CHANGE_POINT;
    if (span.length().compareTo(LostTime.FINEST) <= 0
        || known && found.incident().length().compareTo(half) > 0) {
      return found;
    }
    Window place = known ? found.incident() : worst(timeline, span);
    Window part = around(place.from().plus(place.length().dividedBy(2)), span);
    Windows near = byChangePoint(timeline, part);
    return near.chosenBy() == ChosenBy.CHANGE_POINT
            && (known
                ? overlap(near.incident(), found.incident())
                : isBeyond(timeline, span, near.incident()))
        ? new Windows(
            near.incident(),
            near.baseline(),
            near.chosenBy(),
            near.dated(),
            near.reason(),
            Stream.concat(
                    near.otherEpisodes().stream(),
                    found.otherEpisodes().stream().filter(episode -> !overlap(episode, part)))
                .sorted(Comparator.comparing(Window::from))
                .toList())
        : found;
  }

  /** As much of a span around a moment as can be looked at second by second. */
  private static Window around(Instant middle, Window span) {
    Instant latest = span.to().minus(LostTime.FINEST);
    Instant from = middle.minus(LostTime.FINEST.dividedBy(2));
    Instant first = from.isAfter(latest) ? latest : from;
    Instant start = first.isBefore(span.from()) ? span.from() : first;
    return new Window(start, start.plus(LostTime.FINEST));
  }

  /** The shortest time that shows a state in which most was lost. */
  private static Window worst(Timeline timeline, Window span) {
    Duration bucket = LostTime.bucket(span);
    double[] lost =
        RequestDelays.over(timeline, span, bucket)
            .orElseGet(() -> LostTime.over(timeline, span, bucket));
    int lasting = lasting(bucket);
    int first =
        IntStream.rangeClosed(0, lost.length - lasting)
            .boxed()
            .max(Comparator.comparingDouble(i -> mean(Arrays.copyOfRange(lost, i, i + lasting))))
            .orElse(0);
    return window(span, first, first + lasting, bucket);
  }

  /**
   * Whether what was lost on average is hardly notable beside a part of a span, and clearly less in
   * any other that is as long: a series that wanders has a worst place, too.
   */
  private static boolean isBeyond(Timeline timeline, Window span, Window part) {
    Duration length = part.length();
    double inside = meanLost(timeline, part);
    return meanLost(timeline, span) <= Policy.NOTABLE * inside
        && Stream.concat(
                Stream.iterate(part.from().minus(length), from -> from.minus(length))
                    .takeWhile(from -> !from.isBefore(span.from())),
                Stream.iterate(part.to(), from -> from.plus(length))
                    .takeWhile(from -> !from.plus(length).isAfter(span.to())))
            .map(from -> new Window(from, from.plus(length)))
            .noneMatch(other -> Policy.CLEARLY_MORE * meanLost(timeline, other) > inside);
  }

  /** Says what was left out of what the windows were sought in, if anything. */
  private static Windows leftOut(Windows found, Window rest, Window span, String before) {
    Duration first = Duration.between(span.from(), rest.from());
    Duration last = Duration.between(rest.to(), span.to());
    String parts =
        Stream.of(
                first.isZero() ? "" : "the first %s, %s".formatted(Durations.format(first), before),
                last.isZero()
                    ? ""
                    : "the last %s, after the last request".formatted(Durations.format(last)))
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining("; "));
    return parts.isEmpty() ? found : saying(found, "left out: " + parts);
  }

  /** Says what was not counted as lost, as no request was there to lose it. */
  private static Windows withoutStops(Timeline timeline, Window span, Windows found) {
    return LostTime.metByNoRequest(timeline, span)
        .map(
            stop ->
                saying(
                    found,
                    "no request met a stop of %s, as the slowest of the load test took clearly less"
                        .formatted(Durations.format(stop))))
        .orElse(found);
  }

  private static Windows saying(Windows found, String more) {
    return new Windows(
        found.incident(),
        found.baseline(),
        found.chosenBy(),
        found.dated(),
        found.reason() + "; " + more,
        found.otherEpisodes());
  }

  private static final String DELAYED = "requests in progress beyond the normal number";

  /**
   * A stretch that stands out.
   *
   * @param rise what rose in it, in the buckets of {@code told}
   * @param told the time that the series covers
   * @param series the time lost in which it stands out; empty if it does so in something else
   */
  private record Onset(ChangedActivity rise, Window told, double[] series) {

    Onset(ChangePoint.Segment segment, Window told, double[] series, String what) {
      this(new ChangedActivity(segment, what, Numbers::threeDigits), told, series);
    }

    private ChangePoint.Segment segment() {
      return rise.segment();
    }

    private Window window(Duration bucket) {
      return WindowFinder.window(told, segment(), bucket);
    }

    /** Whether requests, of which all that is lost is known, hardly lose any more after it. */
    private boolean isOver() {
      double[] after =
          Arrays.copyOfRange(series, Math.min(series.length, segment().toIndex()), series.length);
      return rise.what().equals(DELAYED) && mean(after) < Policy.NOTABLE * segment().meanInside();
    }

    /**
     * {@code ; 8 s before that, the allocation rate rose from 31 MiB/s to 671 MiB/s on average}.
     */
    private String before(Window incident, Duration bucket) {
      return "; %s before that, %s"
          .formatted(
              Durations.format(Duration.between(window(bucket).from(), incident.from())),
              rise.words());
    }
  }

  /**
   * The steps that change-points are sought in. Requests that are known in longer steps than all
   * else, as between scrapes, set them if they show the incident: users come first.
   */
  private static Duration bucket(Timeline timeline, Window span) {
    Duration bucket = LostTime.bucket(span);
    return RequestDelays.step(timeline, span)
        .filter(step -> step.compareTo(bucket) > 0)
        .filter(step -> delayed(timeline, span, step).isPresent())
        .orElse(bucket);
  }

  private static Windows byChangePoint(Timeline timeline, Window span) {
    Duration bucket = bucket(timeline, span);
    double[] threads = LostTime.over(timeline, span, bucket);
    // Each of them is a test of its own: they are made where their answer matters.
    Lazy<List<ChangedActivity>> rises =
        new Lazy<>(() -> ChangedActivity.all(timeline, span, bucket, threads));
    Optional<Onset> onset = onset(timeline, span, bucket, threads, rises);
    if (onset.isEmpty()) {
      return everything(
          timeline,
          span,
          timeline.dated()
              ? "no change in waiting or stopped threads was detected"
              : timeline.samples(LoggedError.class).isEmpty()
                  ? "nothing in the inputs has a time"
                  : "only messages of logs have a time, which show no delays");
    }
    Window found = onset.get().window(bucket);
    boolean again = recurs(onset.get().series(), onset.get().segment());
    Window told = onset.get().told();
    Optional<ChangedActivity> goesOn =
        found.to().plus(bucket).isBefore(told.to()) && !onset.get().isOver()
            ? rises.get().stream()
                .filter(rise -> rise.outlasts(found, again, span, bucket))
                .findFirst()
            : Optional.empty();
    Window incident = goesOn.isPresent() ? new Window(found.from(), told.to()) : found;
    List<Window> others =
        Episodes.beside(onset.get().segment(), onset.get().series(), told, bucket).stream()
            .filter(episode -> !overlap(incident, episode))
            .toList();
    Optional<Window> longest =
        BaselineSearch.longest(told, Stream.concat(Stream.of(incident), others.stream()).toList());
    Optional<Onset> earlier =
        longest.flatMap(rest -> withinBaseline(timeline, rest, incident, bucket));
    Optional<Window> baseline =
        earlier
            .flatMap(step -> BaselineSearch.longest(step.told(), List.of(step.window(bucket))))
            .or(() -> longest)
            .map(rest -> RequestDelays.beforeSlow(timeline, rest, incident));
    if (baseline.isEmpty() && RequestDelays.loaded(timeline, span, bucket).isPresent()) {
      // The edges of a queue that stands all the time are lower, but for requests no better.
      return everything(
          timeline,
          span,
          "%s, with less than %s left to compare with"
              .formatted(onset.get().rise().words(), Durations.format(Policy.SUSTAINED)));
    }
    // A queue that grows all the time is longer at the end: what came before is no baseline.
    if (baseline.filter(rest -> RequestDelays.mostAreDelayed(timeline, rest)).isPresent()) {
      return everything(
          timeline, span, "at least half of the requests failed or were queued all the time");
    }
    Window known = LoadedSpan.recorded(timeline);
    Optional<FasterOutside> faster =
        baseline.flatMap(rest -> FasterOutside.of(timeline, known, rest));
    if (faster.isPresent()) {
      return everything(
          timeline,
          span,
          "the time left to compare with is slow, too: requests were faster from "
              + UtcText.span(faster.get().rest().from(), faster.get().rest().to()));
    }
    if (baseline.filter(rest -> isBeforeAnswers(timeline, rest, incident)).isPresent()) {
      return everything(
          timeline, span, "what takes long had not ended in the last seconds, which look quick");
    }
    return new Windows(
        incident,
        baseline,
        ChosenBy.CHANGE_POINT,
        true,
        "%s (in steps of %s)%s%s"
            .formatted(
                onset.get().rise().words(),
                Durations.format(bucket),
                goesOn.map(rise -> rise.toTheEnd(onset.get().rise())).orElse(""),
                earlier.map(step -> step.before(incident, bucket)).orElse("")),
        others);
  }

  /**
   * Whether a time after an incident ends sooner than requests, or waits in queues, of the incident
   * took: those that take as long are in no file when it is read, and what is left looks quick.
   */
  private static boolean isBeforeAnswers(Timeline timeline, Window rest, Window incident) {
    Stream<Duration> waits =
        Stream.of(WaitKind.POOL, WaitKind.LOCK)
            .map(kind -> WaitSeries.totals(UserWaits.of(timeline, kind), incident).longest());
    return rest.from().isAfter(incident.from())
        && Stream.concat(
                timeline.requestsOfSpan().stream()
                    .map(series -> series.within(incident).latencies().longestAtLeast()),
                waits)
            .anyMatch(length -> length.compareTo(rest.length()) >= 0);
  }

  /**
   * What rose first in the later half of the time before an incident and stayed so to its end:
   * there the fault begins, some time before it is felt. Earlier than that it leaves less to
   * compare with than it takes away, and may be the beginning of the load.
   */
  private static Optional<Onset> withinBaseline(
      Timeline timeline, Window baseline, Window incident, Duration bucket) {
    if (!baseline.to().isBefore(incident.from())) {
      return Optional.empty();
    }
    Window both = new Window(baseline.from(), incident.to());
    Duration time = Duration.between(baseline.from(), incident.from());
    Instant middle = baseline.from().plus(time.dividedBy(2));
    return ChangedActivity.leading(timeline, both, bucket, (int) time.dividedBy(bucket)).stream()
        .map(rise -> new Onset(rise, both, NONE))
        .filter(step -> !step.window(bucket).from().isBefore(middle))
        .filter(step -> step.window(bucket).from().isBefore(baseline.to()))
        .min(
            Comparator.comparing((Onset step) -> step.window(bucket).from())
                .thenComparing(step -> step.rise().isLostTime()));
  }

  /** What stands out, in the order of what it says of users. */
  private static Optional<Onset> onset(
      Timeline timeline,
      Window span,
      Duration bucket,
      double[] threads,
      Lazy<List<ChangedActivity>> rises) {
    Optional<Window> loaded = RequestDelays.loaded(timeline, span, bucket);
    return delayed(timeline, span, bucket)
        .or(
            () ->
                lost(timeline, span, bucket, threads)
                    .filter(found -> !isTooLittle(timeline, found, bucket))
                    .map(found -> new Onset(found, span, threads, ChangedActivity.LOST)))
        .or(
            () ->
                CrowdedStretch.find(timeline, span, bucket, loaded.isPresent())
                    .map(
                        found ->
                            new Onset(
                                found, span, NONE, "threads waiting for CPU, by CPU utilisation,")))
        .or(() -> loaded.flatMap(part -> failing(timeline, part, bucket)))
        .or(
            () ->
                rises.get().stream()
                    .filter(
                        rise ->
                            !dumpsElsewhereShowMore(
                                timeline,
                                window(span, rise.segment(), bucket),
                                rise.threadsWithin(threads)))
                    .min(
                        Comparator.comparing((ChangedActivity rise) -> !rise.isLostTime())
                            .thenComparing(rise -> rise.segment().fromIndex()))
                    .map(rise -> new Onset(rise, span, NONE)))
        // A load test says how much was lost, and not that what was recorded did not change.
        .or(
            () ->
                lost(timeline, span, bucket, threads)
                    .map(found -> new Onset(found, span, threads, ChangedActivity.LOST)))
        .or(() -> hanging(timeline, span, bucket));
  }

  /** Where hardly any request ends any more, which may hang or not come. */
  private static Optional<Onset> hanging(Timeline timeline, Window span, Duration bucket) {
    return RequestDelays.ended(timeline, span, bucket)
        .flatMap(
            ended ->
                significant(ended, fall -> fall.meanInside() >= Policy.NOTABLE * fall.meanOutside())
                    .map(
                        fall ->
                            new ChangedActivity(
                                fall, "requests that ended", rate -> new Rate(-rate).toString()))
                    .map(fell -> new Onset(fell, span, NONE)));
  }

  private static Optional<Onset> delayed(Timeline timeline, Window span, Duration bucket) {
    return RequestDelays.loaded(timeline, span, bucket)
        .flatMap(
            loaded ->
                RequestDelays.over(timeline, loaded, bucket)
                    .flatMap(delays -> delayed(loaded, delays, bucket)));
  }

  private static Optional<Onset> delayed(Window loaded, double[] delays, Duration bucket) {
    return stretch(delays)
        .map(found -> new Onset(fromOnset(delays, bucket, found), loaded, delays, DELAYED));
  }

  /** Whether as much was lost in some bucket after the stretch as on average in it. */
  private static boolean recurs(double[] series, ChangePoint.Segment found) {
    return Arrays.stream(series, Math.min(series.length, found.toIndex()), series.length)
        .anyMatch(value -> value >= found.meanInside());
  }

  /** Requests that fail at once wait for nothing: nothing else shows when that was. */
  private static Optional<Onset> failing(Timeline timeline, Window loaded, Duration bucket) {
    return RequestDelays.failures(timeline, loaded, bucket)
        .flatMap(
            series ->
                significant(
                        series,
                        found ->
                            found.meanInside() - found.meanOutside() > Policy.TOLERABLE_FAILURES)
                    .map(
                        found ->
                            new ChangedActivity(
                                found,
                                "the share of failed requests",
                                share -> new Ratio(share).share()))
                    .map(failed -> new Onset(failed, loaded, series)));
  }

  private static Optional<ChangePoint.Segment> significant(
      double[] series, Predicate<ChangePoint.Segment> enough) {
    return stretch(series).filter(ChangePoint.Segment::isSignificant).filter(enough);
  }

  private static Optional<ChangePoint.Segment> lost(
      Timeline timeline, Window span, Duration bucket, double[] threads) {
    return stretch(threads)
        .filter(
            found ->
                !dumpsElsewhereShowMore(timeline, window(span, found, bucket), found.meanInside()))
        .map(found -> fromOnset(threads, bucket, found));
  }

  private static Windows everything(Timeline timeline, Window span, String why) {
    return new Windows(span, Optional.empty(), ChosenBy.WHOLE_RECORDING, timeline.dated(), why);
  }

  /** If the load test lost far more time, what else changed comes before so small a change. */
  private static boolean isTooLittle(
      Timeline timeline, ChangePoint.Segment segment, Duration bucket) {
    double seen =
        (segment.meanInside() - segment.meanOutside())
            * (segment.toIndex() - segment.fromIndex())
            * Durations.seconds(bucket);
    return timeline
        .mainRequestStats()
        .flatMap(RequestExcess::lostInRun)
        .filter(lost -> seen < Policy.NEGLIGIBLE * lost)
        .isPresent();
  }

  /** As many buckets show a state. */
  static int lasting(Duration bucket) {
    return (int) Math.ceil(Durations.seconds(Policy.SUSTAINED) / Durations.seconds(bucket));
  }

  static Window window(Window span, ChangePoint.Segment found, Duration bucket) {
    return window(span, found.fromIndex(), found.toIndex(), bucket);
  }

  static Window window(Window span, int fromIndex, int toIndex, Duration bucket) {
    Instant from = span.from().plus(bucket.multipliedBy(fromIndex));
    Instant to = span.from().plus(bucket.multipliedBy(toIndex));
    return new Window(from, to.isAfter(span.to()) ? span.to() : to);
  }

  /**
   * A queue that grows has no level: the stretch that stands out most begins when it is long, and
   * the baseline before would hold its first seconds. It goes back as far as each bucket is above
   * all of the first half of that baseline, or of what is before a step in it that lasts to its
   * end, and leaves enough of it to compare with.
   */
  private static ChangePoint.Segment fromOnset(
      double[] lost, Duration bucket, ChangePoint.Segment found) {
    int shortest = lasting(bucket);
    double[] before = Arrays.copyOf(lost, found.fromIndex());
    int low =
        stretch(before)
            .filter(ChangePoint.Segment::isSignificant)
            .filter(step -> step.toIndex() == before.length)
            .map(ChangePoint.Segment::fromIndex)
            .filter(from -> from >= shortest)
            .map(from -> Math.min(from, before.length / 2))
            .orElse(before.length / 2);
    double highest = Arrays.stream(lost, 0, low).max().orElse(Double.POSITIVE_INFINITY);
    int from = found.fromIndex();
    while (from > shortest && lost[from - 1] > highest) {
      from--;
    }
    if (from == found.fromIndex()) {
      return found;
    }
    double inside = mean(Arrays.copyOfRange(lost, from, found.toIndex()));
    int length = found.toIndex() - from;
    double all = mean(lost) * lost.length;
    return new ChangePoint.Segment(
        from,
        found.toIndex(),
        inside,
        (all - inside * length) / (lost.length - length),
        found.superiority(),
        found.pValue());
  }

  private static Optional<ChangePoint.Segment> stretch(double[] lost) {
    return lost.length < 2
        ? Optional.empty()
        : ChangePoint.find(lost)
            .filter(segment -> segment.meanInside() - segment.meanOutside() >= RIPPLE);
  }

  /**
   * Whether thread dumps from outside a stretch show more waiting than the stretch itself, which no
   * event records. Where no recording sees waits, pauses are all that can stand out: those of a
   * start, say, while the queue that the dumps were taken for stands all the time. Where one does,
   * waits that never ended are in none of its events, and the time before them, in which the
   * service still worked, is what stands out. A dump within a bucket after the stretch is of its
   * end: the recorder takes its last one in the second that is not whole, of which nothing is in
   * the stretch.
   *
   * @param threads that wait or are stopped in the stretch on average, by events
   */
  private static boolean dumpsElsewhereShowMore(Timeline timeline, Window stretch, double threads) {
    Instant from = stretch.from();
    Instant to = stretch.to().plus(LostTime.bucket(timeline.span()));
    List<ThreadSnapshot> outside =
        timeline.dumps().stream()
            .filter(dump -> dump.at().isPresent())
            .filter(dump -> dump.at().get().isBefore(from) || !dump.at().get().isBefore(to))
            .toList();
    double waiting =
        outside.stream()
            .mapToDouble(dump -> UnendedWaits.hidden(timeline, dump))
            .average()
            .orElse(0);
    return waiting >= Math.max(Policy.FEWEST_QUEUED, threads);
  }

  /** The stretch in which the cores were full, where nothing else stands out. */
  private static final class CrowdedStretch {

    /**
     * Looks for it.
     *
     * @param latencyKnown whether a load test says how long requests took, and no stretch of it
     *     stands out
     */
    static Optional<ChangePoint.Segment> find(
        Timeline timeline, Window span, Duration bucket, boolean latencyKnown) {
      return crowded(timeline, span, bucket)
          .filter(found -> !isAwaitedAsMuchElsewhere(timeline, span, found, bucket))
          // Others' work on the cores is felt or not: who knows what requests took need not guess.
          .filter(
              found ->
                  !latencyKnown
                      || CpuUse.of(timeline, WindowFinder.window(span, found, bucket))
                          .filter(CpuUse::isOwnWork)
                          .isPresent());
    }

    private static Optional<ChangePoint.Segment> crowded(
        Timeline timeline, Window span, Duration bucket) {
      double[] queue = CoreQueue.byBucket(timeline, span, bucket);
      return queue.length < 2
          ? Optional.empty()
          : ChangePoint.find(queue)
              // Near to full cores a little more load makes ten times the queue: no plain level.
              .filter(ChangePoint.Segment::isSignificant)
              .filter(segment -> segment.meanInside() >= Policy.LASTING_QUEUE);
    }

    /**
     * Whether as many request threads wait for others, for a connection or for a lock in the rest
     * of the time as in the stretch, and more than wait for CPU in it: then the cores were full
     * besides, at a warm-up say, and the rest is no baseline.
     */
    private static boolean isAwaitedAsMuchElsewhere(
        Timeline timeline, Window span, ChangePoint.Segment found, Duration bucket) {
      Window inside = WindowFinder.window(span, found, bucket);
      double all = awaiting(timeline, span) * span.seconds();
      double during = awaiting(timeline, inside);
      double rest = span.seconds() - inside.seconds();
      double outside = rest > 0 ? (all - during * inside.seconds()) / rest : 0;
      return outside >= Math.max((1 - Policy.NOTABLE) * during, found.meanInside());
    }

    /** Threads on average that wait for what others give back or answer. */
    private static double awaiting(Timeline timeline, Window window) {
      return WorkerQueue.waitingForAnswers(timeline, window) + UserWaits.inQueues(timeline, window);
    }
  }

  /** Finds the baseline in the time outside the incident and its other episodes. */
  static final class BaselineSearch {

    /** Least time that is left out around an incident while it builds up; see {@link #margin}. */
    private static final Duration LEAST_MARGIN = Duration.ofSeconds(3);

    /** The longest time without an episode, the first one of equals, if it is long enough. */
    static Optional<Window> longest(Window span, List<Window> episodes) {
      return gap(span, episodes)
          .filter(gap -> gap.length().compareTo(Policy.SUSTAINED) >= 0)
          .map(
              gap ->
                  gap.to().equals(span.to())
                      ? gap
                      : new Window(gap.from(), gap.to().minus(margin(gap.length()))))
          .map(
              gap ->
                  gap.from().equals(span.from())
                      ? gap
                      : new Window(gap.from().plus(margin(gap.length())), gap.to()));
    }

    private static Optional<Window> gap(Window span, List<Window> episodes) {
      List<Window> gaps = new ArrayList<>();
      Instant from = span.from();
      for (Window episode : episodes.stream().sorted(Comparator.comparing(Window::from)).toList()) {
        if (from.isBefore(episode.from())) {
          gaps.add(new Window(from, episode.from()));
        }
        from = episode.to();
      }
      if (from.isBefore(span.to())) {
        gaps.add(new Window(from, span.to()));
      }
      return gaps.stream().reduce((one, next) -> next.seconds() > one.seconds() ? next : one);
    }

    /**
     * Time left out between baseline and incident. An incident begins before waits show it and
     * fades out afterwards, and a baseline with those seconds would make the incident look normal.
     * It is a tenth of the baseline (at least {@link #LEAST_MARGIN}), as far as the baseline stays
     * long enough.
     */
    private static Duration margin(Duration baseline) {
      Duration tenth = baseline.dividedBy(10);
      Duration wanted = tenth.compareTo(LEAST_MARGIN) > 0 ? tenth : LEAST_MARGIN;
      Duration spare = baseline.minus(Policy.SUSTAINED);
      return wanted.compareTo(spare) < 0 ? wanted : spare;
    }
  }
}
