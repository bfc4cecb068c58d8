package io.gcdiag.ingest.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A column of values. Its heading is a name, or a name with labels as Prometheus writes them: that
 * is what Grafana puts there when the panel sets no legend.
 *
 * @param index its place in the row, from 0
 * @param name the series' name
 * @param labels its labels
 */
record MetricColumn(int index, String name, SortedMap<String, String> labels) {

  private static final Set<String> TIMES =
      Set.of("time", "timestamp", "date", "datetime", "date_time", "ts", "@timestamp");

  private static final Pattern SERIES = Pattern.compile("([A-Za-z_:][\\w:.]*)?\\{(.*)\\}");
  private static final Pattern LABEL = Pattern.compile("(\\w[\\w.]*)\\s*=\\s*\"([^\"]*)\"");
  private static final String NAME = "__name__";

  /** The place of the column of times, or -1. */
  static int timeColumn(String[] header) {
    for (int i = 0; i < header.length; i++) {
      if (TIMES.contains(clean(header[i]).toLowerCase(Locale.ROOT))) {
        return i;
      }
    }
    return -1;
  }

  /** All columns but that of the times. */
  static List<MetricColumn> of(String[] header, int time) {
    List<MetricColumn> columns = new ArrayList<>();
    for (int i = 0; i < header.length; i++) {
      if (i != time && !header[i].isBlank()) {
        columns.add(of(clean(header[i]), i));
      }
    }
    return columns;
  }

  private static MetricColumn of(String heading, int index) {
    SortedMap<String, String> labels = new TreeMap<>();
    Matcher series = SERIES.matcher(heading);
    if (!series.matches()) {
      return new MetricColumn(index, heading, labels);
    }
    Matcher label = LABEL.matcher(series.group(2));
    while (label.find()) {
      labels.put(label.group(1), label.group(2));
    }
    String inside = labels.remove(NAME);
    String name = series.group(1) != null ? series.group(1) : inside != null ? inside : heading;
    return new MetricColumn(index, name, labels);
  }

  private static String clean(String heading) {
    return heading.replace("\uFEFF", "").strip();
  }
}
