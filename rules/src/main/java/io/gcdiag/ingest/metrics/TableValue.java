package io.gcdiag.ingest.metrics;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values in a table: numbers, or what a dashboard made of them, such as {@code 12.5 MiB}. */
final class TableValue {

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

  private TableValue() {}

  /** The value in seconds, bytes or as a share where it has such a unit; NaN if it is none. */
  static double parse(String cell) {
    Matcher value = VALUE.matcher(cell.strip());
    return value.matches()
        ? Double.parseDouble(value.group(1).replace("_", ""))
            * UNITS.getOrDefault(value.group(2), 1.0)
        : Double.NaN;
  }
}
