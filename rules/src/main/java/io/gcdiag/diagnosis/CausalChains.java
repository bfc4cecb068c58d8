package io.gcdiag.diagnosis;

import io.gcdiag.ledger.Effect;
import io.gcdiag.rules.Hypothesis;
import io.gcdiag.units.Durations;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the chain from a root cause to what users felt off the ledger's flows. */
final class CausalChains {

  /** What is less than a tenth of the time lost in the effect itself is no part of the story. */
  private static final double LEAST_PASSED_ON = 0.1;

  private CausalChains() {}

  /**
   * The chain: from the cause to the effect that handed it most time, and from there back against
   * the flow to the effect in which the time was spent.
   */
  static List<ChainLink> of(Hypothesis cause, Attribution attribution) {
    List<ChainLink> chain = new ArrayList<>();
    Optional<Attribution.Flow> last = largestInto(cause.id(), attribution);
    if (last.isEmpty()) {
      return chain;
    }
    Effect at = last.get().from();
    chain.add(new ChainLink(cause.id(), at.id(), last.get().statement()));
    Set<Effect> passed = EnumSet.of(at);
    Optional<Attribution.Flow> next = largestInto(at.id(), attribution);
    // Time may go round in a circle; the chain goes along it once.
    while (next.isPresent()
        && next.get().seconds() >= LEAST_PASSED_ON * attribution.booked(at)
        && passed.add(next.get().from())) {
      chain.add(new ChainLink(at.id(), next.get().from().id(), next.get().statement()));
      at = next.get().from();
      next = largestInto(at.id(), attribution);
    }
    Effect first = last.get().from();
    double direct = attribution.booked(first);
    chain.add(
        new ChainLink(
            at.id(),
            "latency",
            "all requests together lost "
                + lost(attribution.booked(at))
                + " more than usual "
                + at.title()
                + (at == first || direct <= 0
                    ? ""
                    : ", and " + lost(direct) + " directly " + first.title())));
    return chain;
  }

  private static String lost(double threadSeconds) {
    return Durations.format(Durations.ofSeconds(threadSeconds));
  }

  private static Optional<Attribution.Flow> largestInto(String id, Attribution attribution) {
    return attribution.flows().stream()
        .filter(flow -> flow.to().equals(id))
        .max(Comparator.comparingDouble(Attribution.Flow::seconds));
  }
}
