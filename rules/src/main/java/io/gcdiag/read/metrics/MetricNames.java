package io.gcdiag.read.metrics;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.units.ResourceText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the names of exporters' series mean; kept in the readable file {@value #RESOURCE}. */
final class MetricNames {

  static final String RESOURCE = "metric-names.txt";

  private final Map<String, List<Entry>> byName = new HashMap<>();

  /**
   * What a series measures.
   *
   * @param meaning its meaning
   * @param factor brings its values to the meaning's unit
   */
  record Known(MetricMeaning meaning, double factor) {}

  private record Entry(Map<String, String> labels, Known known) {}

  private static final Known UNKNOWN = new Known(MetricMeaning.OTHER, 1);

  private MetricNames() {}

  /** The names that come with this program. */
  static MetricNames standard() {
    MetricNames names = new MetricNames();
    ResourceText.lines(MetricNames.class, RESOURCE)
        .forEach(line -> names.add(line.trim().split(" +")));
    return names;
  }

  private void add(String[] words) {
    Map<String, String> labels = new HashMap<>();
    double factor = 1;
    for (int i = 2; i < words.length; i++) {
      if (words[i].startsWith("*")) {
        factor = Double.parseDouble(words[i].substring(1));
      } else {
        String[] label = words[i].split("=", 2);
        labels.put(label[0], label[1]);
      }
    }
    Known known = new Known(MetricMeaning.valueOf(words[0]), factor);
    byName.computeIfAbsent(words[1], name -> new ArrayList<>()).add(new Entry(labels, known));
  }

  /** What a series measures; {@link MetricMeaning#OTHER} if its name says nothing to us. */
  Known lookup(String name, Map<String, String> labels) {
    return byName.getOrDefault(normal(name), List.of()).stream()
        .filter(
            entry ->
                entry.labels().entrySet().stream()
                    .allMatch(label -> label.getValue().equals(normal(of(labels, label.getKey())))))
        .map(Entry::known)
        .findFirst()
        .orElse(UNKNOWN);
  }

  private static String of(Map<String, String> labels, String name) {
    return labels.getOrDefault(name, "");
  }

  private static String normal(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "_");
  }
}
