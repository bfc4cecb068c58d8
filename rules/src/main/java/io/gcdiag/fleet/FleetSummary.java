package io.gcdiag.fleet;

import io.gcdiag.causes.Hypothesis;
import io.gcdiag.evidence.time.Window;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What all cases say together.
 *
 * @param groupBy by what cases are put together
 * @param all every case as one group
 * @param causes root causes, those that cost most first
 * @param groups the groups, the most severe first
 * @param changes root causes that are named more or less often than before
 * @param outliers hosts that are worse than their peers
 */
public record FleetSummary(
    GroupBy groupBy,
    GroupTotal all,
    List<CauseTotal> causes,
    List<GroupTotal> groups,
    List<CauseChange> changes,
    List<Outlier> outliers) {

  private static final Comparator<CaseRow> BY_TIME =
      Comparator.comparing((CaseRow row) -> row.time().map(Window::from), FleetSummary::undatedLast)
          .thenComparing(row -> row.key().id());

  /** Copies the lists. */
  public FleetSummary {
    causes = List.copyOf(causes);
    groups = List.copyOf(groups);
    changes = List.copyOf(changes);
    outliers = List.copyOf(outliers);
  }

  /**
   * Sums up.
   *
   * @param rows a row for each case, in any order
   * @param groupBy by what cases are put together
   * @param moment that divides before from after; absent to look for it
   */
  public static FleetSummary of(
      Collection<CaseRow> rows, GroupBy groupBy, Optional<Instant> moment) {
    List<CaseRow> ordered = rows.stream().sorted(BY_TIME).toList();
    Map<String, List<CaseRow>> groups =
        ordered.stream()
            .collect(Collectors.groupingBy(groupBy::of, TreeMap::new, Collectors.toList()));
    List<GroupTotal> totals = new ArrayList<>();
    groups.forEach((name, members) -> totals.add(group(name, members)));
    totals.sort(bySeverity());
    return new FleetSummary(
        groupBy,
        group("", ordered),
        causes(ordered, groupBy),
        totals,
        FleetChanges.of(ordered, moment),
        FleetOutliers.of(ordered));
  }

  private static int undatedLast(Optional<Instant> one, Optional<Instant> other) {
    return one.isPresent() && other.isPresent()
        ? one.get().compareTo(other.get())
        : Boolean.compare(one.isEmpty(), other.isEmpty());
  }

  /** What costs most first; then what has most cases with a suspect, then most undecided ones. */
  private static Comparator<GroupTotal> bySeverity() {
    return Comparator.comparingDouble((GroupTotal group) -> group.lostSeconds().orElse(0))
        .thenComparingInt(group -> group.count(CaseOutcome.PRIMARY_SUSPECT))
        .thenComparingInt(group -> group.count(CaseOutcome.UNDECIDED))
        .reversed()
        .thenComparing(GroupTotal::name);
  }

  private static GroupTotal group(String name, List<CaseRow> rows) {
    return new GroupTotal(name, rows, lost(rows), costliest(rows), since(rows));
  }

  private static OptionalDouble lost(List<CaseRow> rows) {
    return rows.stream().anyMatch(row -> row.lostSeconds().isPresent())
        ? OptionalDouble.of(rows.stream().mapToDouble(row -> row.lostSeconds().orElse(0)).sum())
        : OptionalDouble.empty();
  }

  private static Optional<Hypothesis> costliest(List<CaseRow> rows) {
    Map<Hypothesis, Double> lost = new EnumMap<>(Hypothesis.class);
    for (CaseRow row : rows) {
      row.primary().ifPresent(cause -> lost.merge(cause, row.lostTo(cause).orElse(0), Double::sum));
    }
    return lost.entrySet().stream()
        .filter(entry -> entry.getValue() > 0)
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .or(() -> mostNamed(rows));
  }

  /** The most frequent primary suspect. */
  static Optional<Hypothesis> mostNamed(List<CaseRow> rows) {
    Map<Hypothesis, Integer> named = new EnumMap<>(Hypothesis.class);
    rows.forEach(row -> row.primary().ifPresent(cause -> named.merge(cause, 1, Integer::sum)));
    return named.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
  }

  /**
   * Each host for itself: a healthy one does not end the run of its peer. A host whose last case
   * ended before the last of all began is no longer there.
   */
  private static Optional<Instant> since(List<CaseRow> rows) {
    Map<CaseOrigin, List<CaseRow>> hosts =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    row ->
                        new CaseOrigin(
                            row.origin().service(), row.origin().host(), Optional.empty())));
    Optional<Instant> last = rows.isEmpty() ? Optional.empty() : from(rows.get(rows.size() - 1));
    return hosts.values().stream()
        .filter(its -> isThere(its.get(its.size() - 1), last))
        .flatMap(its -> run(its).stream())
        .min(Comparator.naturalOrder());
  }

  private static Optional<Instant> from(CaseRow row) {
    return row.time().map(Window::from);
  }

  private static boolean isThere(CaseRow row, Optional<Instant> last) {
    return last.isEmpty() || row.time().filter(time -> !time.to().isBefore(last.get())).isPresent();
  }

  private static Optional<Instant> run(List<CaseRow> rows) {
    Optional<Instant> since = Optional.empty();
    for (CaseRow row : rows) {
      if (row.outcome() != CaseOutcome.PRIMARY_SUSPECT) {
        since = row.isJudged() ? Optional.empty() : since;
      } else if (since.isEmpty()) {
        since = from(row);
      }
    }
    return since;
  }

  private static List<CauseTotal> causes(List<CaseRow> rows, GroupBy groupBy) {
    Map<Hypothesis, List<CaseRow>> naming = new EnumMap<>(Hypothesis.class);
    for (CaseRow row : rows) {
      row.suspects().stream()
          .map(Suspect::cause)
          .distinct()
          .forEach(cause -> naming.computeIfAbsent(cause, any -> new ArrayList<>()).add(row));
    }
    List<CauseTotal> totals = new ArrayList<>();
    naming.forEach((cause, members) -> totals.add(total(cause, members, groupBy)));
    totals.sort(
        Comparator.comparingDouble((CauseTotal total) -> total.lostSeconds().orElse(0))
            .thenComparingInt(CauseTotal::primary)
            .thenComparingInt(CauseTotal::cases)
            .reversed()
            .thenComparing(CauseTotal::cause));
    return totals;
  }

  private static CauseTotal total(Hypothesis cause, List<CaseRow> rows, GroupBy groupBy) {
    int primary = (int) rows.stream().filter(row -> isPrimary(row, cause)).count();
    OptionalDouble lost =
        rows.stream().anyMatch(row -> row.lostTo(cause).isPresent())
            ? OptionalDouble.of(rows.stream().mapToDouble(row -> row.lostTo(cause).orElse(0)).sum())
            : OptionalDouble.empty();
    return new CauseTotal(
        cause,
        lost,
        primary,
        rows.size() - primary,
        rows.stream().map(groupBy::of).distinct().sorted().toList(),
        rows.stream()
            .max(
                Comparator.comparing((CaseRow row) -> isPrimary(row, cause))
                    .thenComparingDouble(row -> row.lostTo(cause).orElse(0)))
            .orElseThrow());
  }

  private static boolean isPrimary(CaseRow row, Hypothesis cause) {
    return row.primary().filter(cause::equals).isPresent();
  }
}
