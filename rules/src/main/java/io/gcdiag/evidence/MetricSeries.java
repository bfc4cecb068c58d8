package io.gcdiag.evidence;

import io.gcdiag.evidence.time.Source;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One series of a metric export.
 *
 * @param name as the exporter calls it
 * @param labels its labels, without those that name the machine
 * @param counter whether it only ever grows (from one start of the service to the next); then its
 *     differences are what counts
 * @param points by time; values that are not numbers are left out
 * @param source where this was read
 */
public record MetricSeries(
    String name,
    SortedMap<String, String> labels,
    MetricMeaning meaning,
    boolean counter,
    List<Point> points,
    Source source) {

  /** Labels that name a machine; readers replace their values by numbers. */
  public static final Set<String> MACHINE_LABELS = Set.of("instance", "pod");

  private static final Pattern PERCENTILE =
      Pattern.compile("(?i)(?:^|[^a-z0-9])p(\\d{2,4})(?![0-9])");

  private static final double WHOLE = 100;

  /**
   * One value.
   *
   * @param value finite, in the unit of the meaning
   */
  public record Point(Instant at, double value) {

    public Point {
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException("not a finite value: " + value);
      }
    }
  }

  public MetricSeries {
    points = points.stream().sorted(Comparator.comparing(Point::at)).toList();
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
  }

  /**
   * Which percentile it is, in percent, by the label {@code quantile} or its name: {@code p99},
   * {@code p999}; empty if neither says so.
   */
  public OptionalDouble percentile() {
    Matcher named = PERCENTILE.matcher(name);
    String share = labels.getOrDefault("quantile", named.find() ? "0." + named.group(1) : "");
    try {
      // Shares are decimal fractions: 0.999 is 99.9 and not 99.90000000000001.
      double percent = new BigDecimal(share).movePointRight(2).doubleValue();
      return percent > 0 && percent < WHOLE ? OptionalDouble.of(percent) : OptionalDouble.empty();
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  /** Its labels that distinguish machines. */
  public SortedMap<String, String> labelsOfMachine() {
    SortedMap<String, String> machine = new TreeMap<>(labels);
    machine.keySet().retainAll(MACHINE_LABELS);
    return machine;
  }

  public SortedMap<String, String> labelsButMachine() {
    SortedMap<String, String> others = new TreeMap<>(labels);
    others.keySet().removeAll(MACHINE_LABELS);
    return others;
  }
}
