package io.gcdiag.evidence.time;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Samples of all kinds, kept by kind. */
public final class Samples {

  private final Map<Class<?>, List<Sample>> byKind;

  public Samples() {
    this(new HashMap<>());
  }

  private Samples(Map<Class<?>, List<Sample>> byKind) {
    this.byKind = byKind;
  }

  public void add(Sample sample) {
    byKind.computeIfAbsent(sample.getClass(), kind -> new ArrayList<>()).add(sample);
  }

  /** A sorted, immutable copy. */
  public Samples sorted() {
    Map<Class<?>, List<Sample>> copy = new HashMap<>();
    byKind.forEach(
        (kind, samples) ->
            copy.put(kind, samples.stream().sorted(Comparator.comparing(Sample::at)).toList()));
    return new Samples(Map.copyOf(copy));
  }

  /** All samples of one kind. After {@link #sorted} no copy is made. */
  @SuppressWarnings("unchecked") // A list of a kind holds samples of this class alone.
  public <T extends Sample> List<T> of(Class<T> kind) {
    return (List<T>) byKind.getOrDefault(kind, List.of());
  }
}
