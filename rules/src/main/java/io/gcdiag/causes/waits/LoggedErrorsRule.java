package io.gcdiag.causes.waits;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.threads.LoggedError.Kind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Ordered;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.ResourceText;
import io.gcdiag.units.UtcText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Counts what the application's and the kernel's logs say of memory, pools and stuck threads. */
@Judges({
  Hypothesis.MEMORY_PRESSURE,
  Hypothesis.MEMORY_LEAK,
  Hypothesis.METASPACE_PRESSURE,
  Hypothesis.CPU_SATURATION,
  Hypothesis.HOST_CPU_CONTENTION,
  Hypothesis.THREAD_LEAK,
  Hypothesis.DIRECT_MEMORY,
  Hypothesis.CONTAINER_MEMORY,
  Hypothesis.CONNECTION_POOL_UNDERSIZED,
  Hypothesis.CONNECTION_LEAK,
  Hypothesis.THREAD_POOL_EXHAUSTED,
  Hypothesis.NATIVE_OR_UNKNOWN,
  Hypothesis.JIT_PRESSURE,
  Hypothesis.SLOW_DOWNSTREAM,
  Hypothesis.LOCK_CONTENTION,
  Hypothesis.LOG_QUEUE_FULL,
  Hypothesis.SLOW_CLIENTS,
  Hypothesis.SLOW_DISK,
  Hypothesis.REQUESTS_SLEEP,
  Hypothesis.VIRTUAL_THREAD_PINNING
})
public final class LoggedErrorsRule implements Rule {

  private static final Map<String, List<String>> WORDS =
      ResourceText.table(LoggedErrorsRule.class, "logged-errors.txt");

  private static final String KILLS = "Java processes that the kernel killed, out of memory";

  /** Errors after which nothing of that JVM is recorded. */
  private static final Set<Kind> ENDS =
      EnumSet.of(Kind.KILLED_FOR_MEMORY, Kind.MEMORY_REFUSED, Kind.CRASHED);

  /**
   * A message does not show whether connections are returned, and more would last for a while only.
   */
  private static final String RETURN =
      "see that each connection is returned before the pool gets more: close it in a finally block"
          + " (of an HTTP or AWS client close the response's stream, or abort it); a JDBC pool names"
          + " the code that keeps one by leak detection";

  /** From the last record to the message. */
  private static final Duration UNTIL_ITS_END = Duration.ofMinutes(1);

  /** Kernels and crash reports write whole seconds. */
  private static final Duration WHOLE_SECOND = Duration.ofSeconds(1);

  private static final String LEAK_OR_SIZE =
      "compare what full GCs leave over some hours: a leak goes on growing, a heap that is too"
          + " small stays level and full";

  /** Errors that persist, or that end with the thread that had them. */
  private static final Set<Kind> OUT_OF_MEMORY =
      EnumSet.of(Kind.HEAP_FULL, Kind.METASPACE_FULL, Kind.NO_THREAD, Kind.DIRECT_MEMORY_FULL);

  @Override
  public List<Finding> examine(MeasuredIncident incident) {
    return byKind(incident.timeline(), one -> isOf(incident, one)).entrySet().stream()
        .filter(kind -> !bearing(kind.getKey()).contains("none"))
        .map(kind -> told(kind.getKey(), kind.getValue(), isAlone(incident.timeline())))
        .toList();
  }

  /** Whether nothing but messages shows who waits for what. */
  private static boolean isAlone(Timeline timeline) {
    return !timeline.sees(Signal.THREAD_PARKS)
        && !timeline.sees(Signal.THREAD_DUMPS)
        && timeline.metrics().isEmpty();
  }

  /** Messages of the covered time, inside the incident or not; restarts are a figure. */
  public static List<String> statements(Timeline timeline) {
    return byKind(timeline, one -> untilItsEnd(timeline.span()).contains(one.at()))
        .entrySet()
        .stream()
        .filter(kind -> kind.getKey() != Kind.RESTARTED)
        .map(
            kind ->
                statement(kind.getKey(), kind.getValue())
                    + (kind.getValue().stream().allMatch(one -> isOfAnother(timeline, one))
                        ? " (another JVM: this one goes on)"
                        : ""))
        .toList();
  }

  /**
   * Messages may be the only ones with times, and a dump's moment, a person's choice, is no bound.
   */
  private static Map<Kind, List<LoggedError>> byKind(
      Timeline timeline, Predicate<LoggedError> isOf) {
    return timeline.samples(LoggedError.class).stream()
        .filter(one -> !timeline.dated() || timeline.isMoment() || isOf.test(one))
        .collect(
            Collectors.groupingBy(
                LoggedError::kind, () -> new EnumMap<>(Kind.class), Collectors.toList()));
  }

  /**
   * Whether the JVM of the files lived on: its collections are counted on, while a new JVM counts
   * from the start, or a dump is of one that had started before.
   */
  private static boolean isOfAnother(Timeline timeline, LoggedError error) {
    if (!ENDS.contains(error.kind())) {
      return false;
    }
    Instant end = error.at();
    Instant later = end.plus(WHOLE_SECOND);
    Pauses all = timeline.pauses();
    Pauses before = all.where(i -> all.start(i).isBefore(end));
    Pauses after = all.where(i -> all.start(i).isAfter(later));
    return !before.isEmpty()
            && !after.isEmpty()
            && after.get(0).gcId().orElse(0) >= before.get(before.size() - 1).gcId().orElse(0)
        || timeline.jvm().start().filter(end::isAfter).isPresent()
            && timeline.dumps().stream()
                .flatMap(dump -> dump.at().stream())
                .anyMatch(later::isBefore);
  }

  private static Window untilItsEnd(Window window) {
    return new Window(window.from(), window.to().plus(UNTIL_ITS_END));
  }

  /**
   * An OutOfMemoryError at any time may matter, unless the user chose the window. The end of a JVM
   * comes after its last record; otherwise another JVM ended.
   */
  private static boolean isOf(Incident incident, LoggedError error) {
    Window window = incident.window();
    Window recorded = incident.timeline().span();
    Instant end = recorded.to().truncatedTo(ChronoUnit.SECONDS);
    boolean found = incident.windows().chosenBy() != ChosenBy.USER;
    return !isOfAnother(incident.timeline(), error) && window.contains(error.at())
        || untilItsEnd(found ? recorded : window).contains(error.at())
            && (found && OUT_OF_MEMORY.contains(error.kind())
                || ENDS.contains(error.kind()) && !error.at().isBefore(end));
  }

  private static String statement(Kind kind, List<LoggedError> errors) {
    Instant first = errors.get(0).at();
    int count = errors.size();
    return Numbers.count(count)
        + ' '
        + what(kind, count)
        + subjects(errors)
        + place(errors)
        + (count == 1 ? ", at " : ", first at ")
        + UtcText.exact(first)
        + (count == 1 ? "" : ", last at " + UtcText.exact(errors.get(count - 1).at()));
  }

  private Finding told(Kind kind, List<LoggedError> errors, boolean alone) {
    int count = errors.size();
    FindingBuilder finding =
        Finding.of(id(), statement(kind, errors))
            .brief(Numbers.count(count) + ' ' + what(kind, count))
            .value("count", count)
            .from(errors.get(0).source())
            .from(errors.get(count - 1).source());
    Finding whole = bear(kind, errors, finding).build();
    if (alone && kind == Kind.OTHER_POOL_TIMEOUT) {
      whole.bearings().forEach(bearing -> finding.advises(bearing.hypothesis(), RETURN));
      return finding.build();
    }
    return whole;
  }

  /** What most of the stacks below the log's warnings wait for. */
  private static Hypothesis stuckIn(List<LoggedError> errors, Hypothesis unknown) {
    return errors.stream()
        .flatMap(error -> error.waits().stream())
        .collect(Collectors.groupingBy(kind -> kind, TreeMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .filter(kind -> 2 * kind.getValue() > errors.size())
        .findFirst()
        .flatMap(kind -> Hypothesis.of(kind.getKey()))
        .orElse(unknown);
  }

  private static FindingBuilder bear(Kind kind, List<LoggedError> errors, FindingBuilder finding) {
    List<String> bearing = bearing(kind);
    List<Hypothesis> causes = bearing.stream().skip(1).map(Hypothesis::valueOf).toList();
    switch (bearing.get(0)) {
      case "warns" -> causes.forEach(finding::warns);
      case "stack" -> finding.supports(stuckIn(errors, causes.get(0)));
      case "proves" -> finding.proves(causes.get(0)).figure(KILLS, Numbers.count(errors.size()));
      default -> causes.forEach(finding::supports);
    }
    if (causes.equals(List.of(Hypothesis.MEMORY_LEAK, Hypothesis.MEMORY_PRESSURE))) {
      finding.inseparable(causes.get(0), causes.get(1), LEAK_OR_SIZE);
    }
    return finding;
  }

  private static List<String> bearing(Kind kind) {
    return List.of(WORDS.get(kind.name()).get(2).split(" "));
  }

  private static String what(Kind kind, int count) {
    return WORDS.get(kind.name()).get(count == 1 ? 0 : 1);
  }

  /** {@code (HikariPool-1, orders-db)}: the most frequent first. */
  private static String subjects(List<LoggedError> errors) {
    String named =
        mostFrequent(errors.stream().map(LoggedError::subject).toList()).stream()
            .limit(Policy.MOST_NAMED)
            .collect(Collectors.joining(", "));
    return named.isEmpty() ? "" : " (" + named + ")";
  }

  private static String place(List<LoggedError> errors) {
    return mostFrequent(errors.stream().map(LoggedError::place).toList()).stream()
        .findFirst()
        .map(frame -> ", mostly at " + frame)
        .orElse("");
  }

  private static List<String> mostFrequent(List<String> words) {
    Map<String, Integer> counts = new TreeMap<>();
    words.stream()
        .filter(word -> !word.isEmpty())
        .forEach(word -> counts.merge(word, 1, Integer::sum));
    return Ordered.largestFirst(counts).stream().map(Map.Entry::getKey).toList();
  }
}
