package io.gcdiag.fleet;

import io.gcdiag.fleet.CauseChange.Count;
import io.gcdiag.stats.ExactTest;
import io.gcdiag.stats.ManyTests;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Hosts that are in a worse state than the other hosts of the same service. */
final class FleetOutliers {

  private FleetOutliers() {}

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
    double[] chances = ManyTests.holm(tested.stream().mapToDouble(Outlier::chance).toArray());
    List<Outlier> certain = new ArrayList<>();
    for (int i = 0; i < chances.length; i++) {
      Outlier one = tested.get(i);
      if (chances[i] < FleetChanges.LEVEL) {
        certain.add(
            new Outlier(
                one.service(), one.host(), one.own(), one.peers(), one.cause(), chances[i]));
      }
    }
    certain.sort(
        Comparator.comparingDouble(Outlier::chance)
            .thenComparing(Outlier::service)
            .thenComparing(Outlier::host));
    return certain;
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
    long named = rows.stream().filter(row -> row.outcome() == CaseOutcome.PRIMARY_SUSPECT).count();
    return new Count((int) named, rows.size());
  }
}
