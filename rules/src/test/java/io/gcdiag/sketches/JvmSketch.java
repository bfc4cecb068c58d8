package io.gcdiag.sketches;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Bytes;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * The JVM of a made-up incident.
 *
 * @param <B> the builder
 */
public abstract class JvmSketch<B> {

  private final TimelineBuilder timeline;

  public JvmSketch(TimelineBuilder timeline) {
    this.timeline = timeline;
  }

  public abstract B self();

  public TimelineBuilder timeline() {
    return timeline;
  }

  public B flag(String name, String value) {
    Flag flag =
        new Flag(
            name, value, "Command line", new Source(IncidentBuilder.RECORDING, "jdk.LongFlag"));
    return jvm(Optional.empty(), OptionalInt.empty(), Map.of(name, flag));
  }

  /** What a JVM says of itself, such as {@code 1.8.0_504}. */
  public B jdk(String version) {
    timeline()
        .jvm(
            new JvmFacts(
                Optional.of(version),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                new TreeMap<>()));
    return self();
  }

  /** Such as {@code G1}. */
  public B collector(String name) {
    timeline()
        .jvm(
            new JvmFacts(
                Optional.empty(),
                Optional.of(name),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                new TreeMap<>()));
    return self();
  }

  public B cpus(int cpus) {
    return jvm(Optional.empty(), OptionalInt.of(cpus), Map.of());
  }

  public B maxHeap(int mebi) {
    return jvm(Optional.of(Bytes.ofMebi(mebi)), OptionalInt.empty(), Map.of());
  }

  /** The heap's initial and largest size, in MiB. */
  public B heapSizes(int initialMebi, int maxMebi) {
    timeline()
        .jvm(
            new JvmFacts(
                Optional.empty(),
                Optional.empty(),
                Optional.of(Bytes.ofMebi(initialMebi)),
                Optional.of(Bytes.ofMebi(maxMebi)),
                OptionalInt.empty(),
                Optional.empty(),
                new TreeMap<>(Map.of())));
    return self();
  }

  /** The JVM began so many seconds after the recording's start. */
  public B jvmStart(double second) {
    timeline()
        .jvm(
            new JvmFacts(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.of(IncidentBuilder.at(second)),
                new TreeMap<>()));
    return self();
  }

  private B jvm(Optional<Bytes> max, OptionalInt cpus, Map<String, Flag> flags) {
    timeline()
        .jvm(
            new JvmFacts(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                max,
                cpus,
                Optional.empty(),
                new TreeMap<>(flags)));
    return self();
  }
}
