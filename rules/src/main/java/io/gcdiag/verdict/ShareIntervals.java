package io.gcdiag.verdict;

import io.gcdiag.books.Attribution;
import io.gcdiag.books.Bearing;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Finding.Transfer;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.UnaccountedInDumps;
import io.gcdiag.measures.threads.DumpedWaits;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.units.Estimate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Intervals of the causes' shares.
 *
 * <p>A share is what the evidence for a cause explains. If nothing was sampled or hidden, it is the
 * lower bound; unexplained time may belong to the cause too, which gives the upper bound.
 *
 * <p>Each sampled figure (an effect from dumps, a fraction that a rule took from samples) is set to
 * both ends of its own interval, one at a time, and the attribution is computed again. Sampling
 * errors are independent, so the squares of a share's deviations are added (propagation of
 * independent errors).
 */
final class ShareIntervals {

  /** Intervals are printed in whole percent, so 0.5 % rounds away. */
  private static final double NEGLIGIBLE = 0.005;

  private final Attribution stated;
  private final double hidden;
  private final Map<Effect, Double> excess;
  private final List<Finding> findings;
  private final boolean totalIsMeasured;
  private final boolean ofWholeRun;
  private final Map<Hypothesis, Double> below = new EnumMap<>(Hypothesis.class);
  private final Map<Hypothesis, Double> above = new EnumMap<>(Hypothesis.class);
  private final Set<Hypothesis> nothing = EnumSet.noneOf(Hypothesis.class);

  ShareIntervals(
      MeasuredIncident incident, EffectTimes times, List<Finding> findings, Attribution stated) {
    this.stated = stated;
    this.findings = findings;
    excess = Attribution.excess(times);
    totalIsMeasured = incident.requests().isPresent();
    ofWholeRun = times.isRunUnrecorded();
    hidden = incident.hiddenShare();
    for (Effect effect : times.fromDumps()) {
      times.inDumps(effect).ifPresent(waits -> moved(effect, waits));
    }
    if (!totalIsMeasured) {
      double uncounted = uncounted(incident, times) * incident.window().seconds();
      deviate(List.of(account(Effect.UNACCOUNTED, at(Effect.UNACCOUNTED) + uncounted)));
    }
    for (Finding finding : findings) {
      if (finding.samples() > 0) {
        deviate(List.of(account(finding, false), account(finding, true)));
      }
      if (finding.transfers().stream().anyMatch(t -> t.least() < t.fraction())) {
        Attribution must = account(finding, atLeast(finding));
        deviate(List.of(must));
        Hypothesis.catalogue().stream()
            .filter(cause -> must.share(cause) < NEGLIGIBLE)
            .forEach(nothing::add);
      }
    }
  }

  /** Upper bound of the threads that dumps missed, or found right after pauses. */
  private static double uncounted(MeasuredIncident incident, EffectTimes times) {
    return incident.unaccountedInDumps().map(UnaccountedInDumps::atMost).orElse(0.0)
        + times.afterStops().values().stream().mapToDouble(waits -> waits.range().high()).sum();
  }

  /** The interval of a cause's share from samples; empty if it is not based on any. */
  Optional<Estimate> sampled(Hypothesis cause) {
    Estimate interval = interval(cause);
    double share = stated.share(cause);
    return share - interval.low() < NEGLIGIBLE && interval.high() - share < NEGLIGIBLE
        ? Optional.empty()
        : Optional.of(interval);
  }

  /**
   * Whether the cause may explain nothing: a rule states a lower bound of zero, or the samples
   * allow for one, as where one dump of two shows a wait and the other none.
   */
  boolean mayBeNothing(Hypothesis cause) {
    return nothing.contains(cause) || stated.share(cause) > 0 && interval(cause).low() <= 0;
  }

  /**
   * The whole range: from what its evidence explains of all time that may have been lost, recorded
   * or not, to that plus what is unexplained. Empty if both ends print the same.
   *
   * @param most upper bound of the share by another figure; limits the low end
   */
  Optional<Estimate> whole(Hypothesis cause, double most) {
    Estimate interval = interval(cause);
    double low = Math.min(most, ofWholeRun ? recorded(cause) : interval.low()) * (1 - hidden);
    double open = Math.min(1, interval.high() + stated.unexplained());
    double high = open * (1 - hidden) + hidden;
    return high - low < 2 * NEGLIGIBLE
        ? Optional.empty()
        : Optional.of(new Estimate(low, interval.likely(), high));
  }

  /** Its share if all unrecorded lost time of the whole run was outside the window. */
  private double recorded(Hypothesis cause) {
    return stated.shareOf(account(Effect.UNACCOUNTED, 0).seconds(cause));
  }

  private Estimate interval(Hypothesis cause) {
    // A sum of shares may exceed 1 by a rounding error.
    double share = Math.min(1, stated.share(cause));
    double less = Math.sqrt(below.getOrDefault(cause, 0.0));
    double more = Math.sqrt(above.getOrDefault(cause, 0.0));
    return new Estimate(Math.max(0, share - less), share, Math.min(1, share + more));
  }

  private void moved(Effect effect, DumpedWaits waits) {
    double perThread = at(effect) / waits.threads();
    deviate(
        List.of(
            account(effect, perThread * waits.range().low()),
            account(effect, perThread * waits.range().high())));
  }

  private double at(Effect effect) {
    return excess.get(effect);
  }

  private Attribution account(Effect effect, double seconds) {
    Map<Effect, Double> other = new EnumMap<>(excess);
    other.put(effect, seconds);
    if (totalIsMeasured && effect != Effect.UNACCOUNTED) {
      // The lost time is fixed: what moves away from this effect moves to the unaccounted time.
      double rest = at(Effect.UNACCOUNTED) + at(effect) - seconds;
      other.put(Effect.UNACCOUNTED, Math.max(0, rest));
    }
    return new Attribution(other, findings);
  }

  private Attribution account(Finding sampled, boolean high) {
    return account(sampled, moved(sampled, high));
  }

  private Attribution account(Finding stated, Finding moved) {
    List<Finding> other = new ArrayList<>();
    findings.forEach(finding -> other.add(finding == stated ? moved : finding));
    return new Attribution(excess, other);
  }

  /** The finding with each fraction that is an upper bound replaced by its lower bound. */
  private static Finding atLeast(Finding finding) {
    return finding.with(
        finding.bearings(),
        finding.transfers().stream()
            .map(t -> new Transfer(t.from(), t.to(), t.least(), t.least(), t.how()))
            .toList());
  }

  private static Finding moved(Finding finding, boolean high) {
    List<Bearing> bearings = new ArrayList<>();
    for (Bearing bearing : finding.bearings()) {
      bearings.add(
          bearing instanceof Bearing.Explains explains
              ? new Bearing.Explains(
                  explains.hypothesis(),
                  explains.effect(),
                  moved(explains.fraction(), finding.samples(), high))
              : bearing);
    }
    List<Transfer> transfers = new ArrayList<>();
    for (Transfer transfer : finding.transfers()) {
      double fraction = moved(transfer.fraction(), finding.samples(), high);
      transfers.add(
          new Transfer(transfer.from(), transfer.to(), fraction, fraction, transfer.how()));
    }
    return finding.with(bearings, transfers);
  }

  private static double moved(double fraction, long samples, boolean high) {
    Estimate share = Estimate.ofShare(fraction, samples);
    return high ? share.high() : share.low();
  }

  /** Adds the largest deviation of the shares, over the attributions for one sampled figure. */
  private void deviate(List<Attribution> accounts) {
    for (Hypothesis cause : Hypothesis.catalogue()) {
      double less = 0;
      double more = 0;
      for (Attribution account : accounts) {
        less = Math.max(less, stated.share(cause) - account.share(cause));
        more = Math.max(more, account.share(cause) - stated.share(cause));
      }
      below.merge(cause, less * less, Double::sum);
      above.merge(cause, more * more, Double::sum);
    }
  }
}
