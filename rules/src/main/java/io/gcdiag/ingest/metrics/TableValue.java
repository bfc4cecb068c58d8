package io.gcdiag.ingest.metrics;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A value in a table: a number, or what a dashboard made of it, such as {@code 12.5 MiB}.
 *
 * @param value in seconds, bytes or as a share where it has such a unit; NaN if it is no number
 * @param hasUnit whether the cell says its unit; if not, the column has to
 */
record TableValue(double value, boolean hasUnit) {

  private static final Pattern VALUE =
      Pattern.compile("([-+]?(?:\\d[\\d_]*)?\\.?\\d+(?:[eE][-+]?\\d+)?)\\s*([A-Za-zµμ%/]*)");

  private static final double KIB = 1024;

  /** To seconds, bytes and shares of one; what is not here is left as it is. */
  private static final Map<String, Double> UNITS =
      Map.ofEntries(
          Map.entry("ns", 1e-9),
          Map.entry("us", 1e-6),
          Map.entry("µs", 1e-6),
          Map.entry("μs", 1e-6),
          Map.entry("ms", 1e-3),
          Map.entry("s", 1.0),
          Map.entry("min", 60.0),
          Map.entry("%", 1e-2),
          Map.entry("B", 1.0),
          Map.entry("kB", 1e3),
          Map.entry("MB", 1e6),
          Map.entry("GB", 1e9),
          Map.entry("KiB", KIB),
          Map.entry("MiB", KIB * KIB),
          Map.entry("GiB", KIB * KIB * KIB));

  static TableValue parse(String cell) {
    Matcher text = VALUE.matcher(cell.strip());
    if (!text.matches()) {
      return new TableValue(Double.NaN, false);
    }
    double number = Double.parseDouble(text.group(1).replace("_", ""));
    Double factor = UNITS.get(text.group(2));
    return factor == null ? new TableValue(number, false) : new TableValue(number * factor, true);
  }
}
