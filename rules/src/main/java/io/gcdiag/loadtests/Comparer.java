package io.gcdiag.loadtests;

import io.gcdiag.causes.Causes;
import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.JvmSample.RecordedProgram;
import io.gcdiag.evidence.jvm.MemorySample.MemoryLimit;
import io.gcdiag.evidence.jvm.StackProfile;
import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.threads.LoggedError.Kind;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.figures.Metric;
import io.gcdiag.figures.Metric.Origin;
import io.gcdiag.figures.Metrics;
import io.gcdiag.figures.StackTree;
import io.gcdiag.loadtests.Comparison.Change;
import io.gcdiag.loadtests.Comparison.ChangeCertainty;
import io.gcdiag.loadtests.Comparison.ComparedFigure;
import io.gcdiag.loadtests.Comparison.Run;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.PoolMeters;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import io.gcdiag.verdict.Diagnosis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares two runs. */
public final class Comparer {

  /** Changes are printed with one decimal of a percent. */
  private static final double LEAST_SHOWN = 0.0005;

  /**
   * Loads that differ by more than this are not comparable, because queues grow steeply with load.
   */
  private static final double SAME_LOAD = 0.05;

  private static final String LATENCY = "latency.";

  /** What users notice, or its substitute if the files do not have it. */
  private static final List<String> FELT =
      List.of("latency.p99", "latency.p95", "latency.p90", "latency.mean", "gc.pause.share");

  /** Properties that name a service, the most specific first. */
  private static final List<String> SERVICE =
      List.of("service.name", "otel.service.name", "spring.application.name");

  private static final Map<StackProfile.Kind, String> STACKS =
      new EnumMap<>(
          Map.of(
              StackProfile.Kind.CPU,
              "CPU samples in ",
              StackProfile.Kind.ALLOCATION,
              "allocation by "));

  private static final int MOST_CHANGES = 2;

  /**
   * One run to compare.
   *
   * @param name what the user called it
   * @param timeline what its files hold
   * @param diagnosis what a diagnosis of it says
   */
  public record Side(String name, Timeline timeline, Diagnosis diagnosis) {}

  private final Side before;
  private final Side after;
  private final Window first;
  private final Window second;
  private final String span;
  private final Optional<FailedShares> failed;

  private Comparer(Side before, Side after) {
    this.before = before;
    this.after = after;
    Windows windows = before.diagnosis().windows();
    Window whole = before.timeline().span();
    Window other = after.timeline().span();
    Optional<Window> same = sameOffset(windows.incident(), whole, other);
    boolean part = windows.chosenBy() == ChosenBy.CHANGE_POINT && same.isPresent();
    this.first = part ? windows.incident() : whole;
    this.second = part ? same.get() : other;
    this.span =
        part
            ? "the incident window of the first run ("
                + offset(whole, first)
                + " from its start) and the same time of the second"
            : "both runs as a whole";
    this.failed = FailedShares.of(before.timeline(), first, after.timeline(), second);
  }

  /** Compares two runs. It does not judge which is better; the figures show it. */
  public static Comparison compare(Side before, Side after) {
    return new Comparer(before, after).comparison();
  }

  private static Optional<Window> sameOffset(Window part, Window whole, Window other) {
    Duration from = Duration.between(whole.from(), part.from());
    Window moved = new Window(other.from().plus(from), other.from().plus(from).plus(part.length()));
    Duration common = moved.overlap(other.from(), other.length());
    if (common.toNanos() < Policy.MAJORITY * part.length().toNanos()) {
      return Optional.empty();
    }
    return Optional.of(
        new Window(moved.from(), moved.to().isAfter(other.to()) ? other.to() : moved.to()));
  }

  private static String offset(Window whole, Window part) {
    return Durations.format(Duration.between(whole.from(), part.from()))
        + " to "
        + Durations.format(Duration.between(whole.from(), part.to()));
  }

  private Comparison comparison() {
    List<ComparedFigure> figures = figures();
    List<Change> changes = Changes.between(before.timeline(), after.timeline());
    return new Comparison(
        run(before, first),
        run(after, second),
        span,
        sentences(figures, changes),
        figures,
        changes,
        stacks(),
        warnings(figures, changes),
        otherService());
  }

  private static Run run(Side side, Window window) {
    return new Run(
        side.name(),
        side.timeline().inputs(),
        side.timeline().jvm(),
        window,
        side.diagnosis().windows().incident(),
        conclusion(side.diagnosis()),
        side.diagnosis().summary());
  }

  /** A summary says "this" for the suspect named above it; here the name is missing. */
  private static String conclusion(Diagnosis diagnosis) {
    return switch (diagnosis.conclusion()) {
      case PRIMARY_SUSPECT ->
          diagnosis
              .primarySuspect()
              .map(suspect -> Causes.of(suspect).title() + " (" + suspect.id() + ").")
              .orElseThrow();
      case HEALTHY -> "Healthy.";
      case UNDECIDED -> "Undecided.";
    };
  }

  private List<ComparedFigure> figures() {
    Map<String, Metric> others =
        metrics(after.timeline(), second).stream()
            .collect(Collectors.toMap(Metric::name, Function.identity()));
    List<ComparedFigure> figures = new ArrayList<>();
    for (Metric one : metrics(before.timeline(), first)) {
      Metric two = others.get(one.name());
      if (two != null && one.title().equals(two.title())) {
        Metric both =
            new Metric(
                one.name(),
                one.title(),
                one.unit(),
                one.incident(),
                two.incident(),
                one.incidentRange(),
                two.incidentRange(),
                one.ofWholeTest() || two.ofWholeTest(),
                Origin.words(one.source() + "; " + two.source()));
        figures.add(
            new ComparedFigure(
                both,
                otherService()
                    .map(any -> ChangeCertainty.unknown("two services"))
                    .orElseGet(
                        () ->
                            MeasuredValues.certainty(
                                one.name(), before.timeline(), first, after.timeline(), second))));
      }
    }
    return figures;
  }

  private static List<Metric> metrics(Timeline timeline, Window window) {
    return Metrics.of(
        new MeasuredIncident(
            timeline, new Windows(window, Optional.empty(), ChosenBy.USER, true, "compared")));
  }

  private List<String> sentences(List<ComparedFigure> figures, List<Change> changes) {
    if (otherService().isPresent()) {
      return Stream.concat(
              Stream.of("Two services, of which no figure is comparable."), why().stream())
          .toList();
    }
    long differ = figures.stream().filter(figure -> figure.certainty().differs()).count();
    String changed =
        switch (changes.size()) {
          case 0 -> "The files show no setting that differs";
          case 1 ->
              "One setting differs: %s (%s -> %s)"
                  .formatted(
                      changes.get(0).what(), changes.get(0).before(), changes.get(0).after());
          default -> changes.size() + " settings differ";
        };
    long tested = figures.stream().filter(one -> one.certainty().chance().isPresent()).count();
    String chance =
        tested == 0
            ? "No figure can be tested for chance."
            : "%s of %s%s%s by more than chance."
                .formatted(
                    differ,
                    tested,
                    tested == 1 ? " testable figure " : " testable figures ",
                    differ == 1 ? "differs" : "differ");
    return Stream.of(
            failed.filter(FailedShares::differ).map(shares -> shares.headline() + "."),
            headline(figures),
            why(),
            Optional.of(chance),
            Optional.of(changed + "."))
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * The latency tail first, with its change and whether that may be chance. If the files do not
   * have it, or it may be chance, the time stopped as well. A latency that is lower because more
   * requests fail is no change.
   */
  private Optional<String> headline(List<ComparedFigure> figures) {
    List<String> sure = new ArrayList<>();
    List<String> open = new ArrayList<>();
    boolean latency = false;
    for (ComparedFigure figure : felt(figures)) {
      Metric metric = figure.metric();
      ChangeCertainty certainty = figure.certainty();
      if (isLowerByFailures(figure)) {
        continue;
      }
      boolean untested = certainty.chance().isEmpty();
      if (untested && sure.isEmpty() && open.isEmpty()) {
        return Optional.of(shown(metric) + ".");
      }
      if (certainty.differs()) {
        sure.add(shown(metric) + " (" + certainty.probability() + ")");
        latency |= metric.name().startsWith(LATENCY);
      } else if (!untested && open.isEmpty()) {
        open.add(shown(metric) + uncertain(metric, certainty));
      }
    }
    String changes =
        Stream.concat(latency ? Stream.empty() : open.stream(), sure.stream())
            .limit(MOST_CHANGES)
            .collect(Collectors.joining("; "));
    return changes.isEmpty() ? Optional.empty() : Optional.of(changes + ".");
  }

  /** {@code , lower by 88.2 %, which may be chance (p = 0.061)}. */
  private static String uncertain(Metric metric, ChangeCertainty certainty) {
    double change = metric.incident().getAsDouble() / metric.baseline().getAsDouble() - 1;
    String much =
        Math.abs(change) < LEAST_SHOWN
            ? ", no difference shown ("
            : (change < 0 ? ", lower by " : ", higher by ")
                + new Ratio(Math.abs(change))
                + ", which may be chance (";
    return much + certainty.probability() + ")";
  }

  /** The cause that the diagnosis of each run names, if any. */
  private Optional<String> why() {
    Optional<String> one = suspect(before);
    Optional<String> two = suspect(after);
    if (one.isEmpty() && two.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        one.equals(two)
            ? "Both runs have the suspect %s.".formatted(one.get())
            : "The first run has %s, the second %s."
                .formatted(
                    one.map("the suspect "::concat).orElse("no suspect"),
                    two.map("the suspect "::concat).orElse("none")));
  }

  private static Optional<String> suspect(Side side) {
    return side.diagnosis().primarySuspect().map(cause -> cause.id());
  }

  /** The service's own methods whose share of the stacks differs most. */
  private List<Change> stacks() {
    Map<Change, Double> found = new HashMap<>();
    for (StackProfile.Kind kind : STACKS.keySet()) {
      Map<String, Double> here = own(before.timeline(), first, kind);
      Map<String, Double> there = own(after.timeline(), second, kind);
      Set<String> methods = new TreeSet<>(here.keySet());
      methods.addAll(there.keySet());
      for (String method : here.isEmpty() || there.isEmpty() ? Set.<String>of() : methods) {
        double was = here.getOrDefault(method, 0.0);
        double is = there.getOrDefault(method, 0.0);
        if (Math.abs(is - was) >= Policy.NOTABLE) {
          found.put(
              new Change(STACKS.get(kind) + method, new Ratio(was).share(), new Ratio(is).share()),
              Math.abs(is - was));
        }
      }
    }
    return found.keySet().stream()
        .sorted(Comparator.comparing((Change one) -> -found.get(one)).thenComparing(Change::what))
        .limit(Policy.MOST_NAMED)
        .toList();
  }

  /** The largest share of each of the service's own methods in all stacks. */
  private static Map<String, Double> own(Timeline timeline, Window window, StackProfile.Kind kind) {
    Windows windows = new Windows(window, Optional.empty(), ChosenBy.USER, true, "compared");
    return StackTree.of(timeline, windows, kind).nodes().stream()
        .filter(StackTree.Node::own)
        .collect(Collectors.toMap(StackTree.Node::frame, StackTree.Node::share, Math::max));
  }

  /** Whether it is a latency that is lower in the run of which more requests failed. */
  private boolean isLowerByFailures(ComparedFigure figure) {
    Metric metric = figure.metric();
    return metric.name().startsWith(LATENCY)
        && metric.baseline().isPresent()
        && metric.incident().isPresent()
        && failed
            .filter(
                shares ->
                    shares.explain(
                        metric.incident().getAsDouble() - metric.baseline().getAsDouble()))
            .isPresent();
  }

  /** Figures of both runs, those that matter most to users first. */
  private static List<ComparedFigure> felt(List<ComparedFigure> figures) {
    return FELT.stream()
        .flatMap(name -> figures.stream().filter(figure -> figure.metric().name().equals(name)))
        .filter(figure -> figure.metric().baseline().orElse(0) > 0)
        .filter(figure -> figure.metric().incident().isPresent())
        .toList();
  }

  /** {@code P99 latency 1.29 s -> 151 ms}. */
  private static String shown(Metric metric) {
    double before = metric.baseline().getAsDouble();
    double after = metric.incident().getAsDouble();
    return metric.title()
        + (Math.abs(after / before - 1) < LEAST_SHOWN
            ? " unchanged at " + value(metric, after)
            : " " + value(metric, before) + " -> " + value(metric, after));
  }

  /** Users notice times and failures. */
  private static String value(Metric metric, double value) {
    return metric.unit() == Metric.Unit.NANOSECONDS
        ? Durations.format(Duration.ofNanos(Math.round(value)))
        : new Ratio(value).toString();
  }

  /** Different services differ in everything, so no figure shows the effect of a change. */
  private Optional<String> otherService() {
    Optional<String> one = service(before.timeline());
    Optional<String> two = service(after.timeline());
    if (one.isEmpty() || two.isEmpty()) {
      one = program(before.timeline());
      two = program(after.timeline());
    }
    if (one.isPresent() && two.isPresent()) {
      return one.equals(two) ? Optional.empty() : Optional.of(other("services", one, two));
    }
    Optional<SortedSet<String>> here = endpoints(before.timeline());
    Optional<SortedSet<String>> there = endpoints(after.timeline());
    return here.isPresent() && there.isPresent() && Collections.disjoint(here.get(), there.get())
        ? Optional.of(other("endpoints", here.map(SortedSet::first), there.map(SortedSet::first)))
        : Optional.empty();
  }

  private static String other(String what, Optional<String> one, Optional<String> two) {
    return "the runs are of different %s (%s; then %s): their figures have nothing in common"
        .formatted(what, one.orElseThrow(), two.orElseThrow());
  }

  /** The service's name in the JVM's properties. */
  private static Optional<String> service(Timeline timeline) {
    return SERVICE.stream()
        .flatMap(name -> timeline.jvm().flag(Flag.PROPERTY + name).stream())
        .map(Flag::value)
        .filter(value -> !value.isBlank())
        .findFirst();
  }

  private static Optional<String> program(Timeline timeline) {
    return timeline.samples(RecordedProgram.class).stream().map(RecordedProgram::name).findFirst();
  }

  private static Optional<SortedSet<String>> endpoints(Timeline timeline) {
    return timeline
        .requestsByEndpoint()
        .map(
            series ->
                series.endpoints().stream()
                    .map(EndpointSeries::endpoint)
                    .collect(Collectors.toCollection(TreeSet::new)));
  }

  /** A mean cannot be compared with a percentile, nor one percentile with another. */
  private Optional<String> otherLatencies(List<ComparedFigure> figures) {
    if (figures.stream().anyMatch(figure -> figure.metric().name().startsWith(LATENCY))) {
      return Optional.empty();
    }
    String one = latencies(before.timeline(), first);
    String two = latencies(after.timeline(), second);
    return one.isEmpty() || two.isEmpty()
        ? Optional.empty()
        : Optional.of(
            ("the runs state the latency in different figures (%s; then %s): means and"
                    + " percentiles are not compared")
                .formatted(one, two));
  }

  private static String latencies(Timeline timeline, Window window) {
    return metrics(timeline, window).stream()
        .filter(metric -> metric.name().startsWith(LATENCY))
        .map(Metric::title)
        .collect(Collectors.joining(", "));
  }

  /**
   * An experiment that separates the changes. A heap that starts at its old maximum size resizes no
   * more but has no more room.
   */
  private String experiment(List<Change> changes) {
    boolean ceilingChanged = changes.stream().anyMatch(change -> change.is(Changes.CEILING));
    boolean both = ceilingChanged && changes.contains(Changes.RESIZING_ENDED);
    Optional<Bytes> ceiling = before.timeline().jvm().maxHeap();
    if (!both || ceiling.isEmpty()) {
      return "run once more with only one of them changed";
    }
    String size = option(ceiling.get());
    return ("run once more with -Xms%s -Xmx%s (the old maximum heap, no resizing)%s: what"
            + " improves then is due to resizing, the rest to the size")
        .formatted(size, size, changes.size() > 2 ? " and nothing else changed" : "");
  }

  /** {@code 512m}, as options of the JVM have it. */
  private static String option(Bytes size) {
    long mebi = Bytes.ofMebi(1).value();
    return size.value() % mebi == 0 ? size.value() / mebi + "m" : String.valueOf(size.value());
  }

  /** {@code a, b and c}. */
  private static String inWords(List<String> names) {
    int last = names.size() - 1;
    return String.join(", ", names.subList(0, last)) + " and " + names.get(last);
  }

  private List<String> warnings(List<ComparedFigure> figures, List<Change> changes) {
    Optional<String> other = otherService();
    if (other.isPresent()) {
      // If the services differ, settings and loads are not comparable either.
      return List.of(other.get());
    }
    List<String> warnings = new ArrayList<>();
    otherLatencies(figures).ifPresent(warnings::add);
    if (figures.stream().anyMatch(this::isLowerByFailures)) {
      failed.map(FailedShares::warning).ifPresent(warnings::add);
    }
    warnings.addAll(FailedShares.ends(before.timeline(), after.timeline()));
    if (changes.size() > 1) {
      warnings.add(
          inWords(changes.stream().map(Change::what).toList())
              + " changed together: this comparison cannot say which of them made the difference; "
              + experiment(changes));
    }
    Optional<Rate> a = RequestRate.of(before.timeline(), first);
    Optional<Rate> b = RequestRate.of(after.timeline(), second);
    if (a.isEmpty() || b.isEmpty()) {
      warnings.add(
          "the load of "
              + (a.isEmpty() && b.isEmpty() ? "both runs" : "one run")
              + " is not in the files: whether it was the same is unknown");
    } else if (Math.abs(b.get().perSecond() / a.get().perSecond() - 1) > SAME_LOAD) {
      warnings.add(
          ("the load was not the same (%s and %s): figures may differ for that reason" + " alone")
              .formatted(a.get(), b.get()));
    }
    return warnings;
  }

  /**
   * Failed requests of two runs. A request that is refused, or whose JVM has ended, fails at once,
   * so more failures lower the latency percentiles.
   *
   * @param before share of the requests of the first run that failed, 0 to 1
   * @param after the same of the second
   */
  record FailedShares(double before, double after) {

    /** Messages after which the JVM answers nothing. */
    private static final Set<Kind> ENDS =
        EnumSet.of(Kind.KILLED_FOR_MEMORY, Kind.MEMORY_REFUSED, Kind.CRASHED);

    /** Empty if a run does not state it. */
    static Optional<FailedShares> of(Timeline before, Window first, Timeline after, Window second) {
      return share(before, first)
          .flatMap(one -> share(after, second).map(two -> new FailedShares(one, two)));
    }

    private static Optional<Double> share(Timeline timeline, Window window) {
      Optional<RequestSeries> series = timeline.requestsOfSpan();
      Optional<Double> inside =
          series
              .map(requests -> requests.within(window))
              .flatMap(requests -> share(requests.failed(), requests.requests()));
      if (series.filter(timeline::isOfClient).isPresent()) {
        return inside;
      }
      // A server's meters do not count requests that failed on the way to it.
      return timeline
          .mainRequestStats()
          .filter(stats -> stats.failed().isPresent() && stats.requests().isPresent())
          .flatMap(FailedShares::share)
          .or(() -> inside);
    }

    private static Optional<Double> share(RequestStats stats) {
      return share(stats.failed().getAsLong(), stats.requests().getAsLong());
    }

    private static Optional<Double> share(double failed, double requests) {
      return requests > 0 ? Optional.of(failed / requests) : Optional.empty();
    }

    /** Whether one run has clearly more failures than the other. */
    boolean differ() {
      return Math.abs(after - before) > Policy.TOLERABLE_FAILURES;
    }

    /** Whether the run with more failures has the lower latency, as failures make it. */
    boolean explain(double changeOfLatency) {
      return differ() && (after < before) == (changeOfLatency > 0);
    }

    /** {@code Failed requests: 41.5 % -> none}. */
    String headline() {
      return "Failed requests: " + text(before) + " -> " + text(after);
    }

    private static String text(double share) {
      return share == 0 ? "none" : new Ratio(share).toString();
    }

    /** Why the latencies of such runs are not comparable. */
    String warning() {
      return ("the %s run has more failed requests (%s -> %s) and lower latencies: a"
              + " request that fails at once lowers them")
          .formatted(after < before ? "first" : "second", text(before), text(after));
    }

    /** Names each run whose JVM ended during it. */
    static List<String> ends(Timeline before, Timeline after) {
      List<String> ends = new ArrayList<>();
      end(before, "first").ifPresent(ends::add);
      end(after, "second").ifPresent(ends::add);
      return ends;
    }

    private static Optional<String> end(Timeline timeline, String which) {
      return timeline.samples(LoggedError.class).stream()
          .filter(error -> ENDS.contains(error.kind()))
          .findFirst()
          .map(
              error ->
                  "a JVM ended in the %s run (%s, %s): figures after that are missing, not low"
                      .formatted(which, error.source(), error.at()));
    }
  }

  /** Settings that differ in the second run, as far as the files have them. */
  static final class Changes {

    /** Origins of flag values that were not chosen; such flags follow from others. */
    private static final Set<String> NOT_CHOSEN = Set.of("default", "ergonomic", "");

    /** Settings with a text of their own. */
    private static final Set<String> HEAP_FLAGS =
        Set.of("InitialHeapSize", "MaxHeapSize", "MinHeapSize", "SoftMaxHeapSize");

    static final String CEILING = "maximum heap";

    static final String RESIZING = "dynamic resizing";

    /** The second run has a heap of fixed size, the first has not. */
    static final Change RESIZING_ENDED = new Change(RESIZING, "on", "off");

    private static final String NOT_SET = "not set";

    /** Ports and remote hosts change from run to run and are no settings. */
    private static final Pattern PORT_NAME = Pattern.compile("(?i)(^-D|[._-])port$");

    private static final Pattern PORT = Pattern.compile("((?://|@)[\\w.-]+):\\d{2,5}");

    private final Timeline before;
    private final Timeline after;
    private final List<Change> changes = new ArrayList<>();

    private Changes(Timeline before, Timeline after) {
      this.before = before;
      this.after = after;
    }

    static List<Change> between(Timeline before, Timeline after) {
      Changes changes = new Changes(before, after);
      changes.jvm();
      changes.container();
      changes.flags();
      changes.properties();
      changes.pool();
      return changes.changes;
    }

    private void jvm() {
      add("JDK", run -> run.jvm().exactVersion());
      add("collector", run -> run.jvm().collector());
      add("CPUs", run -> text(run.jvm().cpus()));
      add(CEILING, run -> run.jvm().maxHeap().map(Bytes::toString));
      add(RESIZING, Changes::resizing);
      Optional<String> on = Optional.of("on");
      if (resizing(before).equals(on) && resizing(after).equals(on)) {
        add("initial heap", run -> run.jvm().initialHeap().map(Bytes::toString));
      }
    }

    /** Limits of a container, if both recordings state them. */
    private void container() {
      add("memory limit of the container", Changes::memoryLimit);
      add("CPU limit of the container", Changes::cpuLimit);
    }

    private static Optional<String> memoryLimit(Timeline timeline) {
      return timeline.samples(MemoryLimit.class).stream()
          .reduce((first, last) -> last)
          .map(one -> one.limit().toString());
    }

    private static Optional<String> cpuLimit(Timeline timeline) {
      return timeline.samples(CpuQuota.class).stream()
          .reduce((first, last) -> last)
          .map(
              one ->
                  one.quota()
                      .map(quota -> Durations.seconds(quota) / Durations.seconds(one.period()))
                      .map(cores -> Numbers.threeDigits(cores) + (cores == 1 ? " core" : " cores"))
                      .orElse("none"));
    }

    private static Optional<String> text(OptionalInt value) {
      return value.isPresent() ? Optional.of(String.valueOf(value.getAsInt())) : Optional.empty();
    }

    /** A heap that starts at its maximum size cannot resize. */
    private static Optional<String> resizing(Timeline run) {
      Optional<Bytes> most = run.jvm().maxHeap();
      return run.jvm()
          .initialHeap()
          .flatMap(initial -> most.map(max -> initial.value() < max.value() ? "on" : "off"));
    }

    private void flags() {
      JvmFacts a = before.jvm();
      JvmFacts b = after.jvm();
      Set<String> names = new TreeSet<>(a.flags().keySet());
      names.retainAll(b.flags().keySet());
      for (String name : names) {
        Flag one = a.flag(name).orElseThrow();
        Flag two = b.flag(name).orElseThrow();
        boolean own = !HEAP_FLAGS.contains(name) && !name.startsWith(Flag.PROPERTY);
        if (own && (chosen(one) || chosen(two))) {
          add("-XX " + name, Optional.of(one.value()), Optional.of(two.value()));
        }
      }
    }

    private static boolean chosen(Flag flag) {
      return !NOT_CHOSEN.contains(flag.origin().toLowerCase(Locale.ROOT));
    }

    /** Only for two recordings, because they have all flags that were set. */
    private void properties() {
      JvmFacts a = before.jvm();
      JvmFacts b = after.jvm();
      if (a.flags().isEmpty() || b.flags().isEmpty()) {
        return;
      }
      Set<String> names = new TreeSet<>(a.flags().keySet());
      names.addAll(b.flags().keySet());
      names.removeIf(name -> !name.startsWith(Flag.PROPERTY));
      for (String name : names) {
        String one = a.flag(name).map(Flag::value).orElse(NOT_SET);
        String two = b.flag(name).map(Flag::value).orElse(NOT_SET);
        if (!PORT_NAME.matcher(name).find() && !withoutPorts(one).equals(withoutPorts(two))) {
          changes.add(new Change(name, one, two));
        }
      }
    }

    private static String withoutPorts(String value) {
      return PORT.matcher(value).replaceAll("$1");
    }

    /** The pool's own meter; a property with the same values is the same change. */
    private void pool() {
      Optional<String> a = poolSize(before);
      Optional<String> b = poolSize(after);
      boolean told =
          changes.stream()
              .anyMatch(c -> a.equals(Optional.of(c.before())) && b.equals(Optional.of(c.after())));
      if (!told) {
        add("pool size", a, b);
      }
    }

    private static Optional<String> poolSize(Timeline timeline) {
      return PoolMeters.of(timeline).flatMap(meters -> text(meters.size()));
    }

    private void add(String what, Function<Timeline, Optional<String>> setting) {
      add(what, setting.apply(before), setting.apply(after));
    }

    private void add(String what, Optional<String> a, Optional<String> b) {
      if (a.isPresent() && b.isPresent() && !a.equals(b)) {
        changes.add(new Change(what, a.get(), b.get()));
      }
    }
  }
}
