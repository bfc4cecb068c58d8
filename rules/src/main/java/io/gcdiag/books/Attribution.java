package io.gcdiag.books;

import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Attributes the lost time to root causes. Each second of excess time is first booked to the effect
 * in which it was spent, then passed on from effect to effect until it is attributed to a root
 * cause or is unexplained.
 *
 * <p>If findings together claim more than all of an effect's time, each claim is reduced in
 * proportion. What they do not claim is unexplained. Effects may pass time to each other in a cycle
 * (threads that hold a lock wait for a connection, and threads that hold a connection wait for the
 * lock). Time is passed around until the remainder is negligible, so the shares are those of an
 * absorbing Markov chain.
 */
public final class Attribution {

  /** A share too small for any report. */
  private static final double NEGLIGIBLE = 1e-6;

  /**
   * Rounds after which a cycle that keeps nine tenths of its time per round is below that share.
   */
  private static final int MOST_ROUNDS = 200;

  private final Map<Effect, Double> excess;
  private final List<Finding> findings;

  /** The thread-seconds that remain at each effect, after what was passed on to other effects. */
  private final Map<Effect, Double> booked = new EnumMap<>(Effect.class);

  private final Map<Hypothesis, Double> byCause = new EnumMap<>(Hypothesis.class);
  private final Map<Edge, Flow> flows = new LinkedHashMap<>();
  private final double total;

  /**
   * Time passed along one edge.
   *
   * @param from the effect it left
   * @param to the id of the effect or cause it went to
   * @param seconds thread-seconds
   */
  public record Flow(Effect from, String to, double seconds, String statement, Finding by) {
    Flow plus(Flow more) {
      return new Flow(from, to, seconds + more.seconds(), statement, by);
    }
  }

  private record Edge(Effect from, String to, String statement) {}

  public Attribution(EffectTimes times, List<Finding> findings) {
    this(excess(times), findings);
  }

  /**
   * Attributes the lost time.
   *
   * @param excess thread-seconds above the baseline, for every effect in which they were spent
   */
  public Attribution(Map<Effect, Double> excess, List<Finding> findings) {
    this.excess = excess;
    this.findings = List.copyOf(findings);
    booked.putAll(excess);
    total = Numbers.sum(excess);
    for (int round = 0; round < MOST_ROUNDS && Numbers.sum(booked) > NEGLIGIBLE * total; round++) {
      for (Effect effect : Effect.values()) {
        settle(effect);
      }
    }
  }

  /** Thread-seconds of every effect above the baseline. */
  public static Map<Effect, Double> excess(EffectTimes times) {
    Map<Effect, Double> excess = new EnumMap<>(Effect.class);
    for (Effect effect : Effect.values()) {
      excess.put(effect, times.excessSeconds(effect));
    }
    return excess;
  }

  /** Share of all excess time that a cause accounts for, 0 to 1; 0 without any excess. */
  public double share(Hypothesis cause) {
    return shareOf(seconds(cause));
  }

  /** Thread-seconds as a share of all excess time; 0 without any excess. */
  public double shareOf(double seconds) {
    return total <= 0 ? 0 : seconds / total;
  }

  /** Thread-seconds of the excess that a cause accounts for. */
  public double seconds(Hypothesis cause) {
    return byCause.getOrDefault(cause, 0.0);
  }

  /**
   * The same by the effect in which requests spent it, without effects of which the cause has none.
   * Time is passed on in proportion, so what came from one effect is what would have come from it
   * alone.
   */
  public Map<Effect, Double> parts(Hypothesis cause) {
    Map<Effect, Double> parts = new EnumMap<>(Effect.class);
    for (Effect effect : excess.keySet()) {
      Map<Effect, Double> alone = new EnumMap<>(excess);
      alone.replaceAll((other, seconds) -> other == effect ? seconds : 0.0);
      parts.put(effect, new Attribution(alone, findings).seconds(cause));
    }
    parts.values().removeIf(seconds -> seconds <= 0);
    return parts;
  }

  /** Whether there is any excess time. */
  public boolean anyLost() {
    return total > 0;
  }

  /** Share that no cause accounts for. */
  public double unexplained() {
    double explained = Numbers.sum(byCause);
    return total <= 0 ? 0 : Math.max(0, 1 - explained / total);
  }

  /**
   * Explains that most of a cause's time was spent at another effect and passed on, for example
   * waiting for a lock whose owner waits for the cause. Empty if most of it was spent at the cause
   * itself.
   */
  public Optional<Finding> handedBy(Hypothesis cause) {
    Map<Effect, Double> arrived = new EnumMap<>(Effect.class);
    for (Flow flow : flows()) {
      if (flow.to().equals(cause.id())) {
        arrived.merge(flow.from(), flow.seconds(), Double::sum);
      }
    }
    return arrived.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .flatMap(this::mostlyHandedBy);
  }

  private Optional<Finding> mostlyHandedBy(Effect effect) {
    List<Flow> into = flows().stream().filter(flow -> flow.to().equals(effect.id())).toList();
    double all = booked(effect) + into.stream().mapToDouble(Flow::seconds).sum();
    return into.stream()
        .filter(flow -> flow.seconds() > Policy.MAJORITY * all)
        .findFirst()
        .map(Flow::by);
  }

  /** Thread-seconds spent in the effect itself, before any were passed on. */
  public double booked(Effect effect) {
    return excess.get(effect);
  }

  /**
   * Share of all excess time that stays at the effect: no cause has it and it was not passed on.
   */
  public double left(Effect effect) {
    double seconds = booked(effect);
    for (Flow flow : flows.values()) {
      seconds += flow.to().equals(effect.id()) ? flow.seconds() : 0;
      seconds -= flow.from() == effect ? flow.seconds() : 0;
    }
    return shareOf(seconds);
  }

  /** All edges along which time was passed, in order. */
  public List<Flow> flows() {
    return List.copyOf(flows.values());
  }

  /** Passes on the time that is booked to the effect at present. */
  private void settle(Effect effect) {
    double seconds = booked.put(effect, 0.0);
    double claimed = claims(effect);
    if (seconds <= 0 || claimed <= 0) {
      return;
    }
    double scale = seconds / Math.max(1, claimed);
    for (Finding finding : findings) {
      for (Bearing bearing : finding.bearings()) {
        if (bearing instanceof Bearing.Explains explains && explains.effect() == effect) {
          double part = explains.fraction() * scale;
          byCause.merge(explains.hypothesis(), part, Double::sum);
          flow(new Flow(effect, explains.hypothesis().id(), part, finding.statement(), finding));
        }
      }
      for (Finding.Transfer transfer : finding.transfers()) {
        if (transfer.from() == effect) {
          double part = transfer.fraction() * scale;
          booked.merge(transfer.to(), part, Double::sum);
          flow(new Flow(effect, transfer.to().id(), part, transfer.how(), finding));
        }
      }
    }
  }

  private void flow(Flow flow) {
    flows.merge(new Edge(flow.from(), flow.to(), flow.statement()), flow, Flow::plus);
  }

  private double claims(Effect effect) {
    double claimed = 0;
    for (Finding finding : findings) {
      for (Bearing bearing : finding.bearings()) {
        if (bearing instanceof Bearing.Explains explains && explains.effect() == effect) {
          claimed += explains.fraction();
        }
      }
      for (Finding.Transfer transfer : finding.transfers()) {
        claimed += transfer.from() == effect ? transfer.fraction() : 0;
      }
    }
    return claimed;
  }
}
