package io.gcdiag.read;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.read.InputFinder.Found;
import io.gcdiag.read.bytes.ClockAlignment;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.InputFormat.Outcome;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.ReaderDefectException;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.gclog.LogParts;
import io.gcdiag.read.metrics.MachineMeters;
import io.gcdiag.read.metrics.MetricCollector;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.UtcText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads files and folders into a timeline. A file that cannot be read is reported in {@link
 * Timeline#inputs()}, and reading goes on with the others. A {@link ReaderDefectException} stops
 * everything.
 */
public final class Ingest {

  private final InputFinder inputs;
  private final IngestContext intake;
  private final FileReader reader;

  /** Files that are not read, with the reason. */
  private final Map<String, String> leftOut;

  private Ingest(
      InputFinder inputs, IngestContext intake, FileReader reader, Map<String, String> leftOut) {
    this.inputs = inputs;
    this.intake = intake;
    this.reader = reader;
    this.leftOut = leftOut;
  }

  /** Reads a file of a known format into the intake. */
  @FunctionalInterface
  interface FileReader {

    Outcome read(InputFormat format, InputFile file, IngestContext intake) throws IOException;
  }

  /**
   * A file or folder to read.
   *
   * @param format the kind of format it must have; empty to recognise it by content
   * @param name its name in reports; empty to name it by its path
   */
  public record Request(Path path, Optional<String> format, Optional<String> name) {}

  public static Timeline read(
      List<Request> requests, OperatorFacts facts, Redactor redactor, ReadOptions options) {
    return read(requests, facts, new IngestContext(redactor, options), InputFormat::read);
  }

  /** The same with a given intake, which may already contain what the reader would have to read. */
  static Timeline read(
      List<Request> requests, OperatorFacts facts, IngestContext intake, FileReader reader) {
    try (InputFinder inputs = new InputFinder(intake.options().progress())) {
      requests.forEach(inputs::find);
      return together(inputs, intake, reader, facts);
    } finally {
      intake.options().progress().ended();
    }
  }

  /**
   * Reads the files that may be of one process and one time. Only reading shows which these are: if
   * some are left out, the others are read again without them. Files are also read again when an
   * unknown server's request threads are recognised. If that turns out wrong, what was read before
   * stands.
   */
  private static Timeline together(
      InputFinder inputs, IngestContext first, FileReader reader, OperatorFacts facts) {
    Map<String, String> leftOut = new TreeMap<>();
    IngestContext intake = first;
    OwnServer server = OwnServer.NONE;
    OwnServer before = server;
    Optional<Timeline> readBefore = Optional.empty();
    while (true) {
      Ingest ingest = new Ingest(inputs, intake, reader, leftOut);
      Map<String, String> foreign = ingest.readFound();
      if (leftOut.keySet().containsAll(foreign.keySet())) {
        server.said(intake.timeline());
        Timeline timeline = ingest.timeline(facts);
        foreign = LoadFit.contradicted(timeline);
        if (foreign.isEmpty()) {
          foreign = OtherLoadTests.of(timeline);
        }
        boolean fit = leftOut.keySet().containsAll(foreign.keySet());
        // If the load test by which request threads were inferred contradicts their waits, the
        // inference is withdrawn and the load test is kept.
        Optional<OwnServer> better = fit ? server.next(timeline) : server.withdrawn();
        if (fit && better.isEmpty()) {
          return timeline;
        }
        if (readBefore.isPresent() && better.isPresent() && better.get().readsLike(before)) {
          return readBefore.get();
        }
        foreign = better.isPresent() ? Map.of() : foreign;
        before = server;
        readBefore = better.map(any -> timeline);
        server = better.orElse(server);
      }
      if (!foreign.isEmpty()) {
        leftOut.putAll(foreign);
        readBefore = Optional.empty();
      }
      intake = first.fresh(server.in(first.frames()));
    }
  }

  private Timeline timeline(OperatorFacts facts) {
    TimelineBuilder timeline = intake.timeline();
    inputs.reports().stream().map(MetricCollector.of(intake)::withUnused).forEach(timeline::input);
    LogParts.of(intake).missing().forEach(timeline::note);
    addMetrics(timeline);
    timeline.operator(facts);
    facts.rate().ifPresent(rate -> timeline.signal(Signal.REQUEST_STATS, SignalState.SEEN));
    facts.hold().ifPresent(hold -> timeline.signal(Signal.HOLD_TIME, SignalState.SEEN));
    facts.poolSize().ifPresent(size -> timeline.signal(Signal.POOL_SIZE, SignalState.SEEN));
    return timeline.build();
  }

  private void addMetrics(TimelineBuilder timeline) {
    MetricCollector metrics = MetricCollector.of(intake);
    for (MetricSeries series : metrics.series()) {
      timeline.metric(series);
      if (series.meaning() == MetricMeaning.POOL_MAX) {
        timeline.signal(Signal.POOL_SIZE, SignalState.SEEN);
      } else if (series.meaning() == MetricMeaning.POOL_USAGE_SECONDS) {
        timeline.signal(Signal.HOLD_TIME, SignalState.SEEN);
      }
    }
    if (!metrics.series().isEmpty()) {
      MachineMeters.into(timeline, metrics.series());
    }
    for (String name : metrics.timesWithoutUnit()) {
      timeline.note(
          name
              + ": neither its name nor its values state a unit; read as seconds. If they are"
              + " something else, put the unit into the name ("
              + name
              + "_ms) or write the unit behind the values");
    }
    for (RequestSeries requests : metrics.requests()) {
      timeline.requestSeries(requests.withEndpoints(intake.redactor()::redact));
      timeline.signal(Signal.REQUEST_STATS, SignalState.SEEN);
    }
  }

  /**
   * Reads the files in an order of its own. In some places the first value is used, and the result
   * must not depend on the order in which files are given.
   *
   * @return files that do not belong to the others, with the reason
   */
  private Map<String, String> readFound() {
    Comparator<Found> byFormat =
        Comparator.comparingInt(one -> Formats.ALL.indexOf(one.formats().get(0)));
    for (Found one :
        inputs.found.stream().sorted(byFormat.thenComparing(one -> one.file().name())).toList()) {
      one.reports().clear();
      for (InputFormat format : one.formats()) {
        if (leftOut.containsKey(one.file().name())) {
          one.reports().add(leftOut(format, one.file()));
        } else {
          readAs(format, one.file(), one.reports());
        }
      }
    }
    intake.align();
    Map<String, String> foreign = intake.processes().foreign();
    return foreign.isEmpty() ? elsewhere() : foreign;
  }

  /** Load tests and metrics of another time than recordings and logs. */
  private Map<String, String> elsewhere() {
    TimelineBuilder timeline = intake.timeline();
    return timeline
        .datedSpan()
        .map(
            recorded -> {
              SeriesClocks clocks =
                  SeriesClocks.of(
                      recorded,
                      timeline.jvm().start(),
                      timeline.requestSeries(),
                      MetricCollector.of(intake).series());
              List.copyOf(clocks.notes).forEach(timeline::note);
              return Map.copyOf(clocks.elsewhere);
            })
        .orElse(Map.of());
  }

  private InputReport leftOut(InputFormat format, InputFile file) {
    return new InputReport(
        file.name(),
        format.id(),
        Status.LEFT_OUT,
        leftOut.get(file.name()) + file.bytes().onDisk().map(Ingest::onItsOwn).orElse(""));
  }

  /** The command that reads the file alone, with its path, to be pasted into a shell. */
  private static String onItsOwn(Path path) {
    Path here = Path.of("").toAbsolutePath();
    Path file = path.toAbsolutePath().normalize();
    String words = (file.startsWith(here) ? here.relativize(file) : file).toString();
    return "; on its own: gcdiag analyze " + quoted(InputFile.printable(words));
  }

  /** Quoted for a shell if necessary. */
  private static String quoted(String name) {
    return name.chars().allMatch(c -> Character.isLetterOrDigit(c) || "._-/+@".indexOf(c) >= 0)
        ? name
        : "'" + name.replace("'", "'\\''") + "'";
  }

  private void readAs(InputFormat format, InputFile file, List<InputReport> slot) {
    try {
      slot.add(reader.read(format, file, intake).report(file, format.id()));
    } catch (IOException e) {
      slot.add(unreadable(format, file, e));
    } catch (UncheckedIOException e) {
      slot.add(unreadable(format, file, e.getCause()));
    } catch (RuntimeException e) {
      throw new ReaderDefectException(file, e);
    }
  }

  private static InputReport unreadable(InputFormat format, InputFile file, IOException e) {
    return new InputReport(file.name(), format.id(), Status.UNREADABLE, Formats.reason(e));
  }

  /**
   * Whether the requests of a load test can be those whose waits were recorded. A request takes at
   * least as long as it waits, and by Little's law no more threads wait for requests than there are
   * requests in progress. A load test of another endpoint or service, or in another unit, says
   * nothing about these waits and would hide them.
   */
  private static final class LoadFit {

    /** Tolerance: rates and means of a run describe its middle and not its ends. */
    private static final double ROOM = 1.25;

    /** This many waits may be health checks, or requests that outlived the test. */
    private static final long FEW = 20;

    /** One request in a hundred is above the 99th percentile, and each may wait a few times. */
    private static final double BEYOND_TAIL = 0.05;

    /** Load tests that cannot be of the recorded requests, with the reason. */
    static Map<String, String> contradicted(Timeline timeline) {
      List<WaitSeries> waits =
          timeline.waits().stream()
              .filter(series -> series.site().onRequestThread())
              .filter(series -> series.site().kind() != WaitKind.IDLE)
              .toList();
      Map<String, String> files = new TreeMap<>();
      for (RequestStats stats : timeline.requests().stats()) {
        contradiction(stats, waits, timeline)
            .ifPresent(why -> files.put(stats.source().file(), why));
      }
      return files;
    }

    private static Optional<String> contradiction(
        RequestStats stats, List<WaitSeries> waits, Timeline timeline) {
      Optional<Duration> slowest = stats.longest().or(() -> stats.percentile(Percentiles.TAIL));
      OptionalDouble inProgress = inProgress(stats);
      if (slowest.isEmpty() || inProgress.isEmpty() || stats.requests().isEmpty()) {
        return Optional.empty();
      }
      Duration limit = Durations.ofSeconds(ROOM * Durations.seconds(slowest.get()));
      long longer =
          waits.stream().mapToLong(series -> series.count() - series.countShorterThan(limit)).sum();
      double allowed =
          FEW + (stats.longest().isPresent() ? 0 : BEYOND_TAIL * stats.requests().getAsLong());
      double waiting = WaitSeries.seconds(waits, timeline.span()) / timeline.span().seconds();
      if (longer <= allowed || waiting <= ROOM * inProgress.getAsDouble() + 1) {
        return Optional.empty();
      }
      return Optional.of(
          ("of other requests than those recorded, or in another unit: %s%s and %s"
                  + " requests were in progress, while request threads waited longer than that %s"
                  + " times in the recording, %s at a time on average")
              .formatted(
                  stats.longest().isPresent() ? "its slowest request took " : "its P99 is ",
                  Durations.format(slowest.get()),
                  Numbers.threeDigits(inProgress.getAsDouble()),
                  Numbers.count(longer),
                  Numbers.threeDigits(waiting)));
    }

    /** Little's law: rate x mean latency. */
    private static OptionalDouble inProgress(RequestStats stats) {
      return stats.rate().isPresent() && stats.mean().isPresent()
          ? OptionalDouble.of(
              stats.rate().get().perSecond() * Durations.seconds(stats.mean().get()))
          : OptionalDouble.empty();
    }
  }

  /**
   * Load tests without timestamps beside another one. Figures of a whole test are those of one
   * test, and nothing shows which of several was sent to the recorded JVM. So one is used and the
   * others are reported as unused.
   */
  private static final class OtherLoadTests {

    /** Two outputs of one run may differ in requests that were cut off at its end. */
    private static final double CUT_OFF = 0.05;

    /** Files that are not used, with the reason. */
    static Map<String, String> of(Timeline timeline) {
      Set<String> dated =
          timeline.requests().series().stream()
              .map(series -> series.source().file())
              .collect(Collectors.toSet());
      List<RequestStats> tests = timeline.requests().stats();
      // Of equal ones the first by name, so that the result does not depend on the order of the
      // files.
      Optional<RequestStats> used =
          tests.stream()
              .max(
                  Comparator.comparing((RequestStats test) -> dated.contains(file(test)))
                      .thenComparing(OtherLoadTests::requests)
                      .thenComparing(OtherLoadTests::file, Comparator.reverseOrder()));
      Map<String, String> others = new TreeMap<>();
      for (RequestStats test : tests) {
        boolean known =
            tests.stream()
                .filter(other -> dated.contains(file(other)))
                .anyMatch(other -> isSame(test, other));
        // The larger one of two is what was sent; one with timestamps may have been cut off.
        boolean larger = requests(test) > requests(used.orElseThrow());
        if (!dated.contains(file(test)) && !known && !larger && !isSame(test, used.orElseThrow())) {
          boolean byTime = dated.contains(file(used.orElseThrow()));
          others.put(file(test), reason(test, used.orElseThrow(), byTime));
        }
      }
      return others;
    }

    private static String file(RequestStats test) {
      return test.source().file();
    }

    private static long requests(RequestStats test) {
      return test.requests().orElse(0);
    }

    private static boolean isSame(RequestStats one, RequestStats other) {
      boolean counted = one.requests().isPresent() && other.requests().isPresent();
      boolean timed = one.mean().isPresent() && other.mean().isPresent();
      return (!counted || isNear(requests(one), requests(other), 1 + CUT_OFF))
          && (!timed || isNear(seconds(one.mean()), seconds(other.mean()), Policy.CLEARLY_MORE));
    }

    private static double seconds(Optional<Duration> duration) {
      return duration.map(Durations::seconds).orElse(0.0);
    }

    private static boolean isNear(double one, double other, double times) {
      return Math.max(one, other) <= times * Math.min(one, other);
    }

    private static String reason(RequestStats test, RequestStats used, boolean byTime) {
      return "another load test (%s) than %s (%s), which was used: %s"
          .formatted(
              figures(test),
              file(used),
              figures(used),
              byTime
                  ? "it has times, this one has none"
                  : "it has more requests, neither has times");
    }

    private static String figures(RequestStats test) {
      return (test.requests().isPresent()
              ? Numbers.count(requests(test)) + " requests"
              : "no count")
          + test.mean().map(mean -> ", mean " + Durations.format(mean)).orElse("");
    }
  }

  /**
   * Checks whether load tests and metrics have timestamps of the same clock as recordings and logs.
   * They come from other machines, and often from tools that write local time. Files that do not
   * fit are left out and not corrected, because a wrong guess would join unrelated data.
   */
  private static final class SeriesClocks {

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

    /** A script takes its files one after the other; few tools run for longer. */
    private static final Duration NEXT_STEP = Duration.ofMinutes(1);

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
     * A scrape or two before or after the recording are normal, and so are seconds of a tool that a
     * script starts when it has copied the log; a whole file of another time is not.
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
            Window near = new Window(span.from().minus(NEXT_STEP), span.to().plus(NEXT_STEP));
            boolean nextStep = span.length().compareTo(NEXT_STEP) < 0 && !isElsewhere(near);
            if (isElsewhere(span) && !recorded.contains(span.to()) && !nextStep) {
              elsewhere(file, span);
            }
          });
    }
  }
}
