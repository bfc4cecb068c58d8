package io.gcdiag.measures.requests;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.jvm.OwnCode;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.TwoSamples;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * What requests that call, sleep or use files allocate beside that, in code of the service that
 * begins where those stacks begin: as many more of them allocate as much more. Where requests are
 * not counted, it separates more requests from more calls of each.
 *
 * @param before bytes a second in the baseline
 * @param during the same in the incident
 * @param factor so many times as much it is at most, with a standard error on either side
 * @param source where it was read
 */
public record AllocatedElsewhere(double before, double during, double factor, Source source) {

  /** Absent without a baseline, or where they allocate too little for a comparison. */
  public static Optional<AllocatedElsewhere> of(Incident incident, Activity activity) {
    List<OwnCode> allocating = seen(incident, Activity.ALLOCATING);
    Predicate<Spot> elsewhere = elsewhere(incident, activity);
    return incident
        .baseline()
        .filter(any -> !allocating.isEmpty())
        .map(baseline -> perSecond(allocating, baseline, elsewhere))
        .flatMap(
            before ->
                compared(
                    before,
                    perSecond(allocating, incident.window(), elsewhere),
                    allocating.get(0).source()));
  }

  /**
   * Whether these requests began: they allocate, with all that they do, in every part of the
   * incident, and in the baseline, in which other code is seen to allocate, only as much as a few
   * of them.
   */
  public static boolean began(Incident incident, Activity activity) {
    List<OwnCode> allocating = seen(incident, Activity.ALLOCATING);
    Set<String> begin = methods(spots(incident, activity), spot -> spot.caller().method());
    Predicate<Spot> theirs = spot -> spot.own() && begin.contains(spot.caller().method());
    double[] during = perSecond(allocating, incident.window(), theirs);
    return incident
        .baseline()
        .filter(before -> DoubleStream.of(during).allMatch(bytes -> bytes > 0))
        .filter(before -> mean(perSecond(allocating, before, any -> true)) > 0)
        .filter(
            before ->
                mean(perSecond(allocating, before, theirs)) < Policy.NEGLIGIBLE * mean(during))
        .isPresent();
  }

  private static Predicate<Spot> elsewhere(Incident incident, Activity activity) {
    List<Spot> spots = spots(incident, activity);
    Set<String> begin = methods(spots, spot -> spot.caller().method());
    Set<String> places = methods(spots, spot -> spot.place().method());
    return spot ->
        spot.own()
            && begin.contains(spot.caller().method())
            && !places.contains(spot.place().method());
  }

  private static List<Spot> spots(Incident incident, Activity activity) {
    return seen(incident, activity).stream()
        .flatMap(code -> code.within(incident.window()).keySet().stream())
        .filter(Spot::own)
        .toList();
  }

  private static Optional<AllocatedElsewhere> compared(
      double[] before, double[] during, Source source) {
    double least = mean(before) - standardError(before);
    double most = mean(during) + standardError(during);
    return least > Policy.MAJORITY * mean(before) && mean(during) > 0
        ? Optional.of(
            new AllocatedElsewhere(mean(before), mean(during), Math.max(1, most / least), source))
        : Optional.empty();
  }

  private static List<OwnCode> seen(Incident incident, Activity activity) {
    return incident.timeline().samples(OwnCode.class).stream()
        .filter(code -> code.activity() == activity)
        .toList();
  }

  private static Set<String> methods(List<Spot> spots, Function<Spot, String> method) {
    return spots.stream().map(method).collect(Collectors.toSet());
  }

  private static double[] perSecond(List<OwnCode> code, Window window, Predicate<Spot> which) {
    // The fewest parts that tell how far their mean can be relied on.
    return IntStream.range(0, TwoSamples.FEWEST)
        .mapToObj(part -> window.part(window.length().dividedBy(TwoSamples.FEWEST), part))
        .mapToDouble(
            part ->
                code.stream()
                        .flatMap(one -> one.within(part).entrySet().stream())
                        .filter(spot -> which.test(spot.getKey()))
                        .mapToLong(spot -> spot.getValue())
                        .sum()
                    / part.seconds())
        .toArray();
  }

  private static double mean(double[] values) {
    return DoubleStream.of(values).average().orElse(0);
  }

  private static double standardError(double[] values) {
    double mean = mean(values);
    double squares = DoubleStream.of(values).map(value -> (value - mean) * (value - mean)).sum();
    return Math.sqrt(squares / (values.length - 1) / values.length);
  }

  /**
   * So many times the baseline's requests there are, where they cannot have become as many more as
   * what they do; infinite else. What a request allocates may have become less by as much as code
   * that is compiled by and by does.
   *
   * @param grown so many times as often as in the baseline they do it
   */
  double busier(double grown) {
    return grown >= Policy.CLEARLY_MORE * factor
        ? Math.max(1, during / before)
        : Double.POSITIVE_INFINITY;
  }

  /**
   * Whether it grew about as much: then it is requests that became more, and not what each does.
   */
  public boolean grewAsMuch(double grown) {
    return during >= (1 - Policy.SAMPLES_GOOD_TO) * grown * before;
  }
}
