package io.gcdiag.read;

import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.bytes.ClockAlignment;
import io.gcdiag.units.Durations;
import io.gcdiag.units.UtcText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Checks whether load tests and metrics have timestamps of the same clock as recordings and logs.
 * They come from other machines, and often from tools that write local time. Files that do not fit
 * are left out and not corrected, because a wrong guess would join unrelated data.
 */
final class SeriesClocks {

  /**
   * No JVM with unified logging ran before this, so such a timestamp is an uptime counted from
   * 1970.
   */
  private static final Instant LOG_WITHOUT_DATES = Instant.parse("1990-01-01T00:00:00Z");

  /**
   * A time zone explains the difference if shifting by it makes this share of the shorter span
   * overlap.
   */
  private static final double MEET = 0.5;

  /** Clocks synchronised by a server differ by less than this, and so does a JVM start time. */
  private static final Duration SET = Duration.ofSeconds(5);

  private final Window recorded;
  private final Optional<Instant> jvmStart;
  private final List<String> notes = new ArrayList<>();
  private final Map<String, String> elsewhere = new TreeMap<>();

  private SeriesClocks(Window recorded, Optional<Instant> jvmStart) {
    this.recorded = recorded;
    this.jvmStart = jvmStart;
  }

  /**
   * Compares the clocks.
   *
   * @param recorded the time span of recordings and logs
   * @param jvmStart when the JVM started, if a file states it
   */
  static SeriesClocks of(
      Window recorded,
      Optional<Instant> jvmStart,
      List<RequestSeries> requests,
      List<MetricSeries> metrics) {
    SeriesClocks clocks = new SeriesClocks(recorded, jvmStart);
    requests.forEach(clocks::requests);
    clocks.metrics(metrics);
    return clocks;
  }

  /** Notes for the report. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  /** Files of another time than the recordings and logs, with the reason. */
  Map<String, String> elsewhere() {
    return Map.copyOf(elsewhere);
  }

  private void requests(RequestSeries series) {
    Optional<Window> span = series.span();
    if (span.isEmpty()) {
      return;
    }
    String file = series.source().file();
    if (isElsewhere(span.get())) {
      elsewhere(file, span.get());
    } else {
      beforeTheStart(file, series);
    }
  }

  private boolean isElsewhere(Window span) {
    return span.overlap(recorded.from(), recorded.length()).isZero();
  }

  private void elsewhere(String file, Window span) {
    if (recorded.from().isBefore(LOG_WITHOUT_DATES)) {
      notes.add(
          "the log has no dates, so the times of "
              + file
              + " cannot be placed in it; log with -Xlog:gc*:file=gc.log:time,uptime");
      return;
    }
    boolean later = !span.from().isBefore(recorded.to());
    Duration gap =
        later
            ? Duration.between(recorded.to(), span.from())
            : Duration.between(span.to(), recorded.from());
    elsewhere.put(
        file,
        ("it covers %s, %s%s what recordings and logs cover (%s): another run, or"
                + " clocks that differ%s")
            .formatted(
                text(span),
                Durations.format(gap),
                later ? " after" : " before",
                text(recorded),
                zone(span).map(by -> "; " + by).orElse("")));
  }

  private static String text(Window span) {
    return UtcText.dayAndTime(span.from()) + " to " + UtcText.dayAndTime(span.to()) + " UTC";
  }

  /** The smallest difference of a time zone that would make the two overlap. */
  private Optional<String> zone(Window span) {
    double needed = MEET * Math.min(span.seconds(), recorded.seconds());
    return ClockAlignment.offsets().stream()
        // Either side may be the one with the local time.
        .flatMap(offset -> Stream.of(offset.getTotalSeconds(), -offset.getTotalSeconds()))
        .map(Duration::ofSeconds)
        .filter(by -> meets(span, by, needed))
        .min(Comparator.comparing(Duration::abs))
        .map(
            by ->
                ("shifted by %s%s, as between time zones, it would overlap them: export it in"
                        + " UTC or with its zone")
                    .formatted(Durations.format(by.abs()), by.isNegative() ? " back" : " on"));
  }

  private boolean meets(Window span, Duration by, double seconds) {
    Duration common = recorded.overlap(span.from().plus(by), span.length());
    return Durations.seconds(common) >= seconds;
  }

  /** No request can be answered before the JVM's start. */
  private void beforeTheStart(String file, RequestSeries series) {
    Optional<Instant> first =
        series.intervals().stream()
            .filter(interval -> interval.requests() > interval.failed())
            .map(RequestInterval::from)
            .findFirst();
    if (first.isEmpty() || jvmStart.isEmpty()) {
      return;
    }
    Duration early = Duration.between(first.get().plus(series.step()), jvmStart.get());
    if (early.compareTo(SET) > 0) {
      notes.add(
          file
              + " has requests that were answered "
              + Durations.format(early)
              + " before the JVM started: its clock is behind by that at least, or another instance"
              + " answered; times are compared as they stand");
    }
  }

  /**
   * A scrape or two before or after the recording are normal; a whole file of another time is not.
   */
  private void metrics(List<MetricSeries> metrics) {
    Map<String, Window> files = new TreeMap<>();
    for (MetricSeries series : metrics) {
      List<Point> points = series.points();
      if (points.size() > 1) {
        Window span = new Window(points.get(0).at(), points.get(points.size() - 1).at());
        files.merge(series.source().file(), span, Window::hull);
      }
    }
    files.forEach(
        (file, span) -> {
          if (isElsewhere(span) && !recorded.contains(span.to())) {
            elsewhere(file, span);
          }
        });
  }
}
