package io.gcdiag.evidence;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Samples of all kinds, kept by kind. */
final class Samples {

  private final Map<Class<?>, List<Sample>> byKind = new HashMap<>();

  void add(Sample sample) {
    byKind.computeIfAbsent(sample.getClass(), kind -> new ArrayList<>()).add(sample);
  }

  void sort() {
    byKind.values().forEach(samples -> samples.sort(Comparator.comparing(Sample::at)));
  }

  <T extends Sample> List<T> of(Class<T> kind) {
    return byKind.getOrDefault(kind, List.of()).stream().map(kind::cast).toList();
  }
}
