package io.gcdiag.cli.report;

import io.gcdiag.books.CausalLink;
import io.gcdiag.books.LedgerEntry;
import io.gcdiag.books.Place;
import io.gcdiag.cli.report.Block.Link;
import io.gcdiag.cli.report.Block.Node;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * What passed the lost time on to what, as a picture: the suspect's place, the collector, pool,
 * lock or service where the time was lost, and the requests. What requests pass without losing time
 * in it stands beside.
 */
final class CausePicture {

  /** More than the P99 and a median would be a table. */
  private static final int MOST_FIGURES = 1;

  private final Diagnosis diagnosis;
  private final Map<String, Integer> numbers = new LinkedHashMap<>();
  private final List<Node> nodes = new ArrayList<>();

  private CausePicture(Diagnosis diagnosis) {
    this.diagnosis = diagnosis;
  }

  static Block.Picture of(Diagnosis diagnosis) {
    return new CausePicture(diagnosis).picture();
  }

  private Block.Picture picture() {
    List<CausalLink> chain = diagnosis.lostTime().causes().chain();
    List<Link> links = new ArrayList<>();
    chain.forEach(link -> links.add(link(link, true)));
    diagnosis.lostTime().causes().beside().stream()
        .filter(link -> link.share() >= ChainSection.LEAST_IN_SIGHT)
        .forEach(link -> links.add(link(link, false)));
    diagnosis.lostTime().ledger().stream()
        .filter(entry -> !numbers.containsKey(entry.effect().id()) && isPassed(entry))
        .forEach(entry -> nodes.add(effect(entry.effect(), Tone.MUTED)));
    return new Block.Picture(nodes, links);
  }

  /** Pauses and unrecorded time are not stations of a request, nor is what no request waits for. */
  private static boolean isPassed(LedgerEntry entry) {
    return !entry.atMost()
        && !entry.sites().isEmpty()
        && !ChainSection.isNothing(entry.baselineThreads(), entry.incidentThreads());
  }

  private Link link(CausalLink link, boolean main) {
    return new Link(number(link.from()), number(link.to()), link.share(), main);
  }

  private int number(String id) {
    return numbers.computeIfAbsent(
        id,
        any -> {
          nodes.add(node(id));
          return nodes.size() - 1;
        });
  }

  private Node node(String id) {
    if (id.equals(CausalLink.LATENCY)) {
      return new Node(
          "Requests", Answer.impacts(diagnosis).limit(MOST_FIGURES).toList(), Tone.STRONG);
    }
    return Stream.of(Effect.values())
        .filter(effect -> effect.id().equals(id))
        .findFirst()
        .map(effect -> effect(effect, Tone.PLAIN))
        .orElseGet(() -> cause(id));
  }

  private Node cause(String id) {
    Optional<Judgement> judgement =
        diagnosis.judgements().stream().filter(one -> one.hypothesis().id().equals(id)).findFirst();
    boolean suspect = diagnosis.primarySuspect().filter(one -> one.id().equals(id)).isPresent();
    List<String> where =
        judgement
            .flatMap(one -> one.advice().place())
            .map(place -> place.parts().stream().map(Place.Part::toString).limit(2).toList())
            .orElse(List.of());
    return new Node(
        ChainSection.title(diagnosis, id).split(":")[0], where, suspect ? Tone.BAD : Tone.WARNING);
  }

  /** The effect with the pool, lock or service that has most of its time. */
  private Node effect(Effect effect, Tone tone) {
    List<String> lines = new ArrayList<>();
    diagnosis.lostTime().ledger().stream()
        .filter(entry -> entry.effect() == effect)
        .findFirst()
        .ifPresent(
            entry -> {
              entry.sites().stream().limit(1).forEach(site -> lines.add(site.name()));
              lines.add(threads(entry));
            });
    return new Node(effect.station(), lines, tone);
  }

  private static String threads(LedgerEntry entry) {
    String during = ChainSection.threads(OptionalDouble.of(entry.incidentThreads())) + " threads";
    return entry.baselineThreads().isPresent()
        ? ChainSection.threads(entry.baselineThreads()) + " -> " + during
        : during;
  }
}
