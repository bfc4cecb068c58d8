package io.gcdiag.fleet;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.fleet.CauseChange.Count;
import io.gcdiag.stats.ExactTest;
import io.gcdiag.stats.ManyTests;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What changed: of each service and of all together, each root cause before and after. Before and
 * after is a moment that the user names; else the last two versions of the service; else the moment
 * at which the two sides differ most, for which the chance is multiplied by the moments tried
 * (Bonferroni). All comparisons together are corrected by Holm's method.
 */
final class FleetChanges {

  /** The level of the whole program: one chance find in twenty fleets. */
  static final double LEVEL = 0.05;

  private final Optional<Instant> moment;
  private final List<CauseChange> tested = new ArrayList<>();

  private FleetChanges(Optional<Instant> moment) {
    this.moment = moment;
  }

  /**
   * Changes that are unlikely to be chance, the least likely first.
   *
   * @param rows all cases
   * @param moment that divides before from after; absent to look for it
   */
  static List<CauseChange> of(List<CaseFigures> rows, Optional<Instant> moment) {
    FleetChanges changes = new FleetChanges(moment);
    List<CaseFigures> dated =
        rows.stream()
            .filter(CaseFigures::isJudged)
            .filter(row -> row.from().isPresent())
            .sorted(Comparator.comparing(FleetChanges::from))
            .toList();
    Map<String, List<CaseFigures>> services =
        dated.stream()
            .collect(Collectors.groupingBy(GroupBy.SERVICE::of, TreeMap::new, Collectors.toList()));
    services.forEach(changes::test);
    if (services.size() > 1) {
      changes.test("", dated);
    }
    double[] chances =
        ManyTests.holm(changes.tested.stream().mapToDouble(CauseChange::chance).toArray());
    List<CauseChange> certain = new ArrayList<>();
    for (int i = 0; i < chances.length; i++) {
      if (chances[i] < LEVEL) {
        certain.add(corrected(changes.tested.get(i), chances[i]));
      }
    }
    certain.sort(
        Comparator.comparingDouble(CauseChange::chance).thenComparing(CauseChange::service));
    return certain;
  }

  private static Instant from(CaseFigures row) {
    return row.from().orElseThrow();
  }

  private static CauseChange corrected(CauseChange change, double chance) {
    return new CauseChange(
        change.service(),
        change.cause(),
        change.what(),
        change.at(),
        change.before(),
        change.after(),
        chance);
  }

  private void test(String service, List<CaseFigures> rows) {
    List<String> builds = rows.stream().flatMap(row -> row.origin().build().stream()).toList();
    long versions = builds.stream().distinct().count();
    for (Hypothesis cause : causes(rows)) {
      if (moment.isPresent()) {
        Instant at = moment.get();
        int split = (int) rows.stream().filter(row -> from(row).isBefore(at)).count();
        at(service, cause, rows, split).ifPresent(tested::add);
      } else if (versions > 1 && !service.isEmpty()) {
        versions(service, cause, rows, builds).ifPresent(tested::add);
      } else {
        strongest(service, cause, rows).ifPresent(tested::add);
      }
    }
  }

  private static Set<Hypothesis> causes(List<CaseFigures> rows) {
    Set<Hypothesis> causes = new LinkedHashSet<>();
    rows.forEach(row -> causes.addAll(row.causes()));
    return causes;
  }

  /**
   * The version of the last case, and the one before it. After a rollback a version is there twice:
   * only its cases after the other one came count.
   */
  private static Optional<CauseChange> versions(
      String service, Hypothesis cause, List<CaseFigures> rows, List<String> builds) {
    String last = builds.get(builds.size() - 1);
    List<String> others = builds.stream().filter(build -> !build.equals(last)).toList();
    String before = others.get(others.size() - 1);
    List<CaseFigures> now =
        rows.stream().dropWhile(isOf(before).negate()).filter(isOf(last)).toList();
    return change(
        service,
        cause,
        "version " + before + " -> " + last,
        from(now.get(0)),
        rows.stream().filter(isOf(before)).toList(),
        now);
  }

  private static Predicate<CaseFigures> isOf(String build) {
    return row -> row.origin().build().filter(build::equals).isPresent();
  }

  private static Optional<CauseChange> at(
      String service, Hypothesis cause, List<CaseFigures> rows, int split) {
    return split == 0 || split == rows.size()
        ? Optional.empty()
        : change(
            service,
            cause,
            "",
            from(rows.get(split)),
            rows.subList(0, split),
            rows.subList(split, rows.size()));
  }

  private static Optional<CauseChange> change(
      String service,
      Hypothesis cause,
      String what,
      Instant at,
      List<CaseFigures> before,
      List<CaseFigures> after) {
    Count first = count(cause, before);
    Count second = count(cause, after);
    double chance =
        ExactTest.twoSided(first.named(), first.cases(), second.named(), second.cases());
    return Optional.of(new CauseChange(service, cause, what, at, first, second, chance));
  }

  private static Count count(Hypothesis cause, List<CaseFigures> rows) {
    return new Count(
        (int) rows.stream().filter(row -> row.causes().contains(cause)).count(), rows.size());
  }

  /**
   * The moment with the largest difference in standard errors: the exact test of each of a hundred
   * thousand moments would take hours. Cases that begin at one moment are not divided.
   */
  private static Optional<CauseChange> strongest(
      String service, Hypothesis cause, List<CaseFigures> rows) {
    int all = rows.size();
    int named = count(cause, rows).named();
    int before = 0;
    int moments = 0;
    int best = 0;
    double largest = 0;
    for (int split = 1; split < all; split++) {
      before += rows.get(split - 1).causes().contains(cause) ? 1 : 0;
      if (from(rows.get(split)).equals(from(rows.get(split - 1)))) {
        continue;
      }
      moments++;
      double errors = difference(before, split, named, all);
      if (errors > largest) {
        largest = errors;
        best = split;
      }
    }
    int tried = moments;
    return at(service, cause, rows, best)
        .map(change -> corrected(change, Math.min(1, change.chance() * tried)));
  }

  /** How far the cases before are from their share of all, squared, in standard errors. */
  private static double difference(int before, int split, int named, int all) {
    double expected = (double) named * split / all;
    double share = (double) split / all;
    return (before - expected) * (before - expected) / (share * (1 - share));
  }
}
