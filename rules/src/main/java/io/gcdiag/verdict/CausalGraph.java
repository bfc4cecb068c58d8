package io.gcdiag.verdict;

import io.gcdiag.books.Attribution;
import io.gcdiag.books.CausalLink;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The flow of lost time, read from the causes to the user impact. The links that lead to {@link
 * CausalLink#LATENCY} are all of the lost time, by effect. The links that lead to an effect have at
 * most as much time as those that lead away from it; the difference is unexplained.
 *
 * @param chain the path with most time from the primary suspect; empty without a suspect, or if it
 *     has no part of the lost time
 * @param beside all other links, those with most time first
 */
public record CausalGraph(List<CausalLink> chain, List<CausalLink> beside) {

  /** The graph if no time was lost. */
  static final CausalGraph EMPTY = new CausalGraph(List.of(), List.of());

  /** What serves those that wait: a hold of it is as long as what is done inside. */
  private static final Map<Effect, Station.Kind> SERVERS =
      Map.of(
          Effect.WORKER_WAIT, Station.Kind.WORKERS,
          Effect.POOL_WAIT, Station.Kind.CONNECTIONS,
          Effect.LOCK_WAIT, Station.Kind.LOCKS,
          Effect.CPU_QUEUE, Station.Kind.CORES);

  private static final Set<String> EFFECTS =
      Stream.of(Effect.values()).map(Effect::id).collect(Collectors.toSet());

  private static final Comparator<CausalLink> BY_TIME =
      Comparator.comparingDouble(CausalLink::seconds);

  public CausalGraph {
    chain = List.copyOf(chain);
    beside = List.copyOf(beside);
  }

  /**
   * The graph of an attribution.
   *
   * @param stations the table, whose rows the links name
   */
  static CausalGraph of(
      Optional<Hypothesis> primary, Attribution attribution, List<Station> stations) {
    List<CausalLink> links = new ArrayList<>();
    for (Effect effect : Effect.values()) {
      if (attribution.booked(effect) > 0) {
        links.add(felt(effect, attribution, stations));
      }
    }
    links.addAll(steps(attribution, stations));
    List<CausalLink> chain = primary.map(cause -> chain(cause, links)).orElse(List.of());
    links.removeAll(chain);
    links.sort(BY_TIME.reversed());
    return new CausalGraph(chain, links);
  }

  /**
   * The same with shares as they are printed: the links of a cause make its share, and the link of
   * an effect to the user impact has the effect's. What an effect passes to another stays.
   *
   * @param nodes the share of each cause and effect by its id
   */
  CausalGraph shown(Map<String, Double> nodes) {
    Map<CausalLink, Double> shares = new HashMap<>();
    Stream.concat(chain.stream(), beside.stream())
        .filter(link -> nodes.containsKey(link.from()))
        .filter(link -> link.rule().isEmpty() || !EFFECTS.contains(link.from()))
        .collect(Collectors.groupingBy(CausalLink::from))
        .forEach(
            (node, links) -> {
              List<Double> parts =
                  Ratio.parts(nodes.get(node), links.stream().map(CausalLink::share).toList());
              for (int i = 0; i < parts.size(); i++) {
                shares.put(links.get(i), parts.get(i));
              }
            });
    UnaryOperator<CausalLink> shown = link -> link.sharing(shares.getOrDefault(link, link.share()));
    return new CausalGraph(chain.stream().map(shown).toList(), beside.stream().map(shown).toList());
  }

  /** One link for each pair of nodes; flows of several rules between the same nodes are merged. */
  private static Collection<CausalLink> steps(Attribution attribution, List<Station> stations) {
    Map<List<String>, CausalLink> steps = new LinkedHashMap<>();
    for (Attribution.Flow flow : attribution.flows()) {
      CausalLink link = link(flow, attribution, stations);
      steps.merge(List.of(link.from(), link.to()), link, CausalLink::and);
    }
    return steps.values();
  }

  private static CausalLink felt(Effect effect, Attribution attribution, List<Station> stations) {
    double seconds = attribution.booked(effect);
    return new CausalLink(
        effect.id(),
        CausalLink.LATENCY,
        seconds,
        attribution.shareOf(seconds),
        List.of(
            "requests spent %s more than normal %s (sum over all requests)"
                .formatted(Durations.format(seconds), effect.title())),
        Optional.empty(),
        List.of(),
        stations.stream().filter(one -> one.kind() == Station.Kind.REQUESTS).toList());
  }

  /** Time is passed from an effect to its cause; the link points from the cause to the effect. */
  private static CausalLink link(
      Attribution.Flow flow, Attribution attribution, List<Station> stations) {
    return new CausalLink(
        flow.to(),
        flow.from().id(),
        flow.seconds(),
        attribution.shareOf(flow.seconds()),
        List.of(flow.statement()),
        Optional.of(flow.by().rule()),
        flow.by().sources(),
        rows(flow.from(), stations));
  }

  /** Of several servers the one with the queue's name, or that with most more in it. */
  private static List<Station> rows(Effect effect, List<Station> stations) {
    Comparator<Station> byGrowth = Comparator.comparingDouble(Station::more);
    Optional<Station> waits =
        stations.stream().filter(one -> one.effect().equals(Optional.of(effect))).max(byGrowth);
    Predicate<Station> isNamed =
        one -> waits.filter(wait -> wait.name().equals(one.name())).isPresent();
    Optional<Station> server =
        stations.stream()
            .filter(one -> one.kind() == SERVERS.get(effect))
            .filter(one -> one.kind() != Station.Kind.LOCKS || isNamed.test(one))
            .max(Comparator.comparing(isNamed::test).thenComparing(byGrowth));
    return Stream.concat(server.stream(), waits.stream()).toList();
  }

  /**
   * The chain from the cause to the effect that passed most time to it, and onwards while more time
   * was passed to an effect than was lost in it. The flow of time may have cycles; the chain has
   * none.
   */
  private static List<CausalLink> chain(Hypothesis cause, List<CausalLink> links) {
    List<CausalLink> chain = new ArrayList<>();
    Set<String> passed = new HashSet<>();
    Optional<CausalLink> next = largest(cause.id(), passed, links);
    while (next.isPresent()) {
      chain.add(next.get());
      String at = next.get().to();
      passed.add(at);
      Optional<CausalLink> felt = felt(at, links);
      double lostThere = felt.map(CausalLink::seconds).orElse(0.0);
      next = largest(at, passed, links).filter(link -> link.seconds() >= lostThere).or(() -> felt);
    }
    return chain;
  }

  /** The link with most time to an effect that is not yet on the path. */
  private static Optional<CausalLink> largest(
      String from, Set<String> passed, List<CausalLink> links) {
    return links.stream()
        .filter(link -> link.from().equals(from) && !link.to().equals(CausalLink.LATENCY))
        .filter(link -> !passed.contains(link.to()))
        .max(BY_TIME);
  }

  private static Optional<CausalLink> felt(String effect, List<CausalLink> links) {
    return links.stream()
        .filter(link -> link.from().equals(effect) && link.to().equals(CausalLink.LATENCY))
        .findFirst();
  }
}
