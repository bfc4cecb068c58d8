package io.gcdiag.fleet;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.fleet.FleetSummary.CauseChange.Count;
import io.gcdiag.stats.ExactTest;
import io.gcdiag.stats.ManyTests;
import io.gcdiag.units.Estimate;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The summary of all cases.
 *
 * @param rows the rows, to be read again where they are shown
 * @param folder the folder that all cases have in common, with a slash; empty if there is none
 * @param groupBy by what cases are put together
 * @param all every case as one group
 * @param causes root causes, those that cost most first
 * @param groups the groups, the most severe first
 * @param changes root causes that are named more or less often than before
 * @param outliers hosts that are worse than their peers
 */
public record FleetSummary(
    CaseRows rows,
    String folder,
    GroupBy groupBy,
    GroupTotal all,
    List<CauseTotal> causes,
    List<GroupTotal> groups,
    List<CauseChange> changes,
    List<Outlier> outliers) {

  /** The level of the whole program: one chance find in twenty fleets. */
  private static final double LEVEL = 0.05;

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
    return of(CaseRows.of(rows), groupBy, moment);
  }

  /** The same of rows that may be too many for the memory. */
  public static FleetSummary of(CaseRows rows, GroupBy groupBy, Optional<Instant> moment) {
    OrderedCases cases = OrderedCases.of(rows);
    List<CaseFigures> ordered = cases.cases;
    Map<String, List<CaseFigures>> groups =
        ordered.stream()
            .collect(Collectors.groupingBy(groupBy::of, TreeMap::new, Collectors.toList()));
    List<GroupTotal> totals = new ArrayList<>();
    groups.forEach((name, members) -> totals.add(group(name, members)));
    totals.sort(bySeverity());
    return new FleetSummary(
        rows,
        cases.folder.orElse(""),
        groupBy,
        group("", ordered),
        causes(ordered, groupBy),
        totals,
        FleetChanges.of(ordered, moment),
        FleetOutliers.of(ordered));
  }

  /** Most expensive first; then most cases with a suspect; then most undecided ones. */
  private static Comparator<GroupTotal> bySeverity() {
    return Comparator.comparingDouble((GroupTotal group) -> group.lostSeconds().orElse(0))
        .thenComparingInt(group -> group.count(CaseOutcome.PRIMARY_SUSPECT))
        .thenComparingInt(group -> group.count(CaseOutcome.UNDECIDED))
        .reversed()
        .thenComparing(GroupTotal::name);
  }

  private static GroupTotal group(String name, List<CaseFigures> rows) {
    return new GroupTotal(
        name, rows, sum(rows, CaseFigures::lostSeconds), costliest(rows), since(rows));
  }

  private static OptionalDouble sum(
      List<CaseFigures> rows, Function<CaseFigures, OptionalDouble> lost) {
    double[] known = rows.stream().map(lost).flatMapToDouble(OptionalDouble::stream).toArray();
    return known.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(Arrays.stream(known).sum());
  }

  private static Optional<Hypothesis> costliest(List<CaseFigures> rows) {
    Map<Hypothesis, Double> lost = new EnumMap<>(Hypothesis.class);
    for (CaseFigures row : rows) {
      row.primary().ifPresent(cause -> lost.merge(cause, row.lostTo(cause).orElse(0), Double::sum));
    }
    return lost.entrySet().stream()
        .filter(entry -> entry.getValue() > 0)
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .or(() -> mostNamed(rows));
  }

  /** The most frequent primary suspect. */
  static Optional<Hypothesis> mostNamed(List<CaseFigures> rows) {
    Map<Hypothesis, Integer> named = new EnumMap<>(Hypothesis.class);
    rows.forEach(row -> row.primary().ifPresent(cause -> named.merge(cause, 1, Integer::sum)));
    return named.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
  }

  /**
   * The state of each host by itself. A host whose last case ended before the last start of any
   * case is gone.
   */
  private static Optional<Instant> since(List<CaseFigures> rows) {
    Map<CaseOrigin, List<CaseFigures>> hosts =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    row ->
                        new CaseOrigin(
                            row.origin().service(), row.origin().host(), Optional.empty())));
    Optional<Instant> last = rows.isEmpty() ? Optional.empty() : rows.get(rows.size() - 1).from();
    return hosts.values().stream()
        .filter(
            its ->
                last.isEmpty()
                    || its.get(its.size() - 1)
                        .to()
                        .filter(end -> !end.isBefore(last.get()))
                        .isPresent())
        .flatMap(its -> run(its).stream())
        .min(Comparator.naturalOrder());
  }

  private static Optional<Instant> run(List<CaseFigures> rows) {
    Optional<Instant> since = Optional.empty();
    for (CaseFigures row : rows) {
      if (row.outcome() != CaseOutcome.PRIMARY_SUSPECT) {
        since = row.isJudged() ? Optional.empty() : since;
      } else if (since.isEmpty()) {
        since = row.from();
      }
    }
    return since;
  }

  private static List<CauseTotal> causes(List<CaseFigures> rows, GroupBy groupBy) {
    Map<Hypothesis, List<CaseFigures>> naming = new EnumMap<>(Hypothesis.class);
    for (CaseFigures row : rows) {
      row.causes().stream()
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

  private static CauseTotal total(Hypothesis cause, List<CaseFigures> rows, GroupBy groupBy) {
    int primary = (int) rows.stream().filter(row -> isPrimary(row, cause)).count();
    return new CauseTotal(
        cause,
        sum(rows, row -> row.lostTo(cause)),
        primary,
        rows.size() - primary,
        rows.stream().map(groupBy::of).distinct().sorted().toList(),
        rows.stream()
            .max(
                Comparator.comparing((CaseFigures row) -> isPrimary(row, cause))
                    .thenComparingDouble(row -> row.lostTo(cause).orElse(0)))
            .orElseThrow());
  }

  private static boolean isPrimary(CaseFigures row, Hypothesis cause) {
    return row.primary().filter(cause::equals).isPresent();
  }

  /** Of many tests those that are unlikely to be chance, each with its chance as one of many. */
  private static <T> List<T> certain(
      List<T> tested, ToDoubleFunction<T> chance, BiFunction<T, Double, T> corrected) {
    double[] chances = ManyTests.holm(tested.stream().mapToDouble(chance).toArray());
    return IntStream.range(0, chances.length)
        .filter(i -> chances[i] < LEVEL)
        .mapToObj(i -> corrected.apply(tested.get(i), chances[i]))
        .toList();
  }

  /** Hosts that are in a worse state than the other hosts of the same service. */
  private static final class FleetOutliers {

    /** Those that are unlikely to be chance, the least likely first. */
    static List<Outlier> of(List<CaseFigures> rows) {
      Map<String, Map<String, List<CaseFigures>>> services =
          rows.stream()
              .filter(CaseFigures::isJudged)
              .filter(row -> row.origin().service().isPresent() && row.origin().host().isPresent())
              .collect(
                  Collectors.groupingBy(
                      GroupBy.SERVICE::of,
                      TreeMap::new,
                      Collectors.groupingBy(GroupBy.HOST::of, TreeMap::new, Collectors.toList())));
      List<Outlier> tested = new ArrayList<>();
      services.forEach((service, hosts) -> test(service, hosts, tested));
      return certain(tested, Outlier::chance, FleetOutliers::corrected).stream()
          .sorted(
              Comparator.comparingDouble(Outlier::chance)
                  .thenComparing(Outlier::service)
                  .thenComparing(Outlier::host))
          .toList();
    }

    private static Outlier corrected(Outlier one, double chance) {
      return new Outlier(one.service(), one.host(), one.own(), one.peers(), one.cause(), chance);
    }

    private static void test(
        String service, Map<String, List<CaseFigures>> hosts, List<Outlier> tested) {
      Count all = count(hosts.values().stream().flatMap(List::stream).toList());
      hosts.forEach(
          (host, rows) -> {
            Count own = count(rows);
            Count peers = new Count(all.named() - own.named(), all.cases() - own.cases());
            boolean worse = (long) own.named() * peers.cases() > (long) peers.named() * own.cases();
            if (worse) {
              double chance =
                  ExactTest.twoSided(own.named(), own.cases(), peers.named(), peers.cases());
              tested.add(
                  new Outlier(service, host, own, peers, FleetSummary.mostNamed(rows), chance));
            }
          });
    }

    private static Count count(List<CaseFigures> rows) {
      long named =
          rows.stream().filter(row -> row.outcome() == CaseOutcome.PRIMARY_SUSPECT).count();
      return new Count((int) named, rows.size());
    }
  }

  /** The figures of all rows by time, and what their names have in common. */
  private static final class OrderedCases {

    /** Undated cases come last. */
    private static final Comparator<CaseFigures> BY_TIME =
        Comparator.comparing((CaseFigures one) -> one.from().isEmpty())
            .thenComparing(one -> one.from().orElse(Instant.EPOCH));

    private final CaseRows rows;
    private final List<CaseFigures> cases = new ArrayList<>();
    private final Map<CaseOrigin, CaseOrigin> origins = new HashMap<>();
    private final Map<List<Hypothesis>, List<Hypothesis>> causes = new HashMap<>();
    private Optional<String> folder = Optional.empty();

    private OrderedCases(CaseRows rows) {
      this.rows = rows;
    }

    static OrderedCases of(CaseRows rows) {
      OrderedCases ordered = new OrderedCases(rows);
      rows.forEach(ordered::add);
      ordered.sort();
      return ordered;
    }

    private void add(long place, CaseRow row) {
      String id = row.key().id();
      if (folder.isEmpty()) {
        folder = Optional.of(id.substring(0, id.indexOf('/') + 1));
      } else if (!id.startsWith(folder.get())) {
        folder = Optional.of("");
      }
      List<Hypothesis> its = row.suspects().stream().map(Suspect::cause).toList();
      cases.add(
          new CaseFigures(
              place,
              row,
              origins.computeIfAbsent(row.origin(), origin -> origin),
              causes.computeIfAbsent(its, list -> list)));
    }

    /** By name if they start at the same time. Names are read again, only for these. */
    private void sort() {
      cases.sort(BY_TIME);
      int begin = 0;
      for (int end = 1; end <= cases.size(); end++) {
        if (end == cases.size() || BY_TIME.compare(cases.get(begin), cases.get(end)) != 0) {
          if (end - begin > 1) {
            sortByName(cases.subList(begin, end));
          }
          begin = end;
        }
      }
    }

    private void sortByName(List<CaseFigures> some) {
      Map<CaseFigures, String> names = new HashMap<>();
      some.forEach(one -> names.put(one, rows.at(one.place()).key().id()));
      some.sort(Comparator.comparing(names::get));
    }
  }

  /**
   * What changed: of each service and of all together, each root cause before and after. Before and
   * after is a moment that the user names; else the last two versions of the service; else the
   * moment at which the two sides differ most, for which the chance is multiplied by the moments
   * tried (Bonferroni). All comparisons together are corrected by Holm's method.
   */
  private static final class FleetChanges {

    private final Optional<Instant> moment;
    private final List<CauseChange> tested = new ArrayList<>();

    private FleetChanges(Optional<Instant> moment) {
      this.moment = moment;
    }

    /**
     * Changes that are unlikely to be chance, the least likely first.
     *
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
              .collect(
                  Collectors.groupingBy(GroupBy.SERVICE::of, TreeMap::new, Collectors.toList()));
      services.forEach(changes::test);
      if (services.size() > 1) {
        changes.test("", dated);
      }
      return certain(changes.tested, CauseChange::chance, FleetChanges::corrected).stream()
          .sorted(
              Comparator.comparingDouble(CauseChange::chance).thenComparing(CauseChange::service))
          .toList();
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
     * The version of the last case, and the one before it. After a rollback a version is there
     * twice: only its cases after the other one came count.
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
     * The moment with the largest difference in standard errors: the exact test of each of a
     * hundred thousand moments would take hours. Cases that begin at one moment are not divided.
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

  /**
   * A host that has a primary suspect more often than the other hosts of its service.
   *
   * @param own its cases with a primary suspect, of all its cases
   * @param peers the same of the other hosts
   * @param cause what most of its cases name
   * @param chance probability of such a difference, or a larger one, by chance, corrected for the
   *     number of comparisons
   */
  public record Outlier(
      String service,
      String host,
      CauseChange.Count own,
      CauseChange.Count peers,
      Optional<Hypothesis> cause,
      double chance) {}

  /**
   * One root cause over all cases.
   *
   * @param lostSeconds request time lost to it; absent if no case measured any
   * @param primary cases whose primary suspect it is
   * @param groups the groups, such as services, that it was named in, by name
   * @param worst the case that lost most to it, or the first that names it
   */
  public record CauseTotal(
      Hypothesis cause,
      OptionalDouble lostSeconds,
      int primary,
      int contributing,
      List<String> groups,
      CaseFigures worst) {

    public CauseTotal {
      groups = List.copyOf(groups);
    }

    int cases() {
      return primary + contributing;
    }
  }

  /**
   * A root cause that is named more or less often from some time or version on.
   *
   * @param service the service; empty for all together
   * @param what the moment or the versions between which it changed
   * @param at when the cases after it begin
   * @param chance probability of such a difference, or a larger one, by chance, corrected for the
   *     number of comparisons
   */
  public record CauseChange(
      String service,
      Hypothesis cause,
      String what,
      Instant at,
      Count before,
      Count after,
      double chance) {

    /**
     * Cases that name a cause.
     *
     * @param named how many do
     * @param cases of how many
     */
    public record Count(int named, int cases) {

      /** The 95 % interval of its share of the service's cases. */
      public Estimate interval() {
        return Estimate.ofShare((double) named / cases, cases);
      }
    }

    /** Whether it is named more often than before. */
    public boolean isRise() {
      return (long) after.named() * before.cases() > (long) before.named() * after.cases();
    }
  }

  /**
   * The cases of one group, such as a service.
   *
   * @param cases its cases, by time
   * @param lostSeconds request time lost; absent if no case measured any
   * @param cause the root cause that it loses most to, or that most cases name
   * @param since when the longest present run of cases with a primary suspect began on one host of
   *     a service; absent if the last judged case of each has none
   */
  public record GroupTotal(
      String name,
      List<CaseFigures> cases,
      OptionalDouble lostSeconds,
      Optional<Hypothesis> cause,
      Optional<Instant> since) {

    public GroupTotal {
      cases = List.copyOf(cases);
    }

    public int count(CaseOutcome outcome) {
      return (int) cases.stream().filter(row -> row.outcome() == outcome).count();
    }

    /**
     * The case to look at first: of those with a primary suspect, or else of the undecided ones,
     * the one that lost most, or else the last.
     */
    public Optional<CaseFigures> worst() {
      return worst(CaseOutcome.PRIMARY_SUSPECT).or(() -> worst(CaseOutcome.UNDECIDED));
    }

    private Optional<CaseFigures> worst(CaseOutcome outcome) {
      return cases.stream()
          .filter(row -> row.outcome() == outcome)
          .reduce(
              (one, other) ->
                  other.lostSeconds().orElse(0) >= one.lostSeconds().orElse(0) ? other : one);
    }

    /**
     * The outcomes in the order of time, the most severe of several where there are more cases than
     * places.
     *
     * @param places how many at most
     */
    public List<CaseOutcome> trail(int places) {
      int slots = Math.min(places, cases.size());
      CaseOutcome[] trail = new CaseOutcome[slots];
      for (int i = 0; i < cases.size(); i++) {
        int slot = (int) ((long) i * slots / cases.size());
        CaseOutcome outcome = cases.get(i).outcome();
        trail[slot] =
            trail[slot] == null || outcome.compareTo(trail[slot]) < 0 ? outcome : trail[slot];
      }
      return List.of(trail);
    }
  }

  /** How cases are grouped. */
  public enum GroupBy {
    SERVICE("Service"),
    HOST("Host"),
    VERSION("Version"),
    /** The day on which the files begin, in UTC. */
    DAY("Day");

    /** The group of cases whose files do not have the property. */
    public static final String UNKNOWN = "unknown";

    private final String title;

    GroupBy(String title) {
      this.title = title;
    }

    public String title() {
      return title;
    }

    String of(CaseFigures one) {
      CaseOrigin origin = one.origin();
      Optional<String> name =
          switch (this) {
            case SERVICE -> origin.service();
            case HOST -> origin.host();
            case VERSION -> origin.build();
            case DAY -> one.from().map(at -> at.atZone(ZoneOffset.UTC).toLocalDate().toString());
          };
      return name.orElse(UNKNOWN);
    }
  }
}
