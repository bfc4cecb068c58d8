package io.gcdiag.comparison;

import io.gcdiag.evidence.Flag;
import io.gcdiag.evidence.JvmFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.rules.PoolMeters;
import io.gcdiag.units.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/** What was set otherwise in the second run, as far as the files say it. */
final class Changes {

  /** Where a flag's value was not chosen by anybody; such flags follow from others. */
  private static final Set<String> NOT_CHOSEN = Set.of("default", "ergonomic", "");

  /** Told in words of their own. */
  private static final Set<String> HEAP_FLAGS =
      Set.of("InitialHeapSize", "MaxHeapSize", "MinHeapSize", "SoftMaxHeapSize");

  private final Timeline before;
  private final Timeline after;
  private final List<Change> changes = new ArrayList<>();

  private Changes(Timeline before, Timeline after) {
    this.before = before;
    this.after = after;
  }

  static List<Change> between(Timeline before, Timeline after) {
    Changes changes = new Changes(before, after);
    changes.jvm();
    changes.flags();
    changes.pool();
    return changes.changes;
  }

  private void jvm() {
    JvmFacts a = before.jvm();
    JvmFacts b = after.jvm();
    add("JDK", a.version(), b.version());
    add("collector", a.collector(), b.collector());
    add("CPUs", text(a.cpus()), text(b.cpus()));
    add("heap ceiling", a.maxHeap().map(Bytes::toString), b.maxHeap().map(Bytes::toString));
    add("dynamic resizing", resizing(a), resizing(b));
    boolean bothResize = resizing(a).equals(resizing(b)) && resizing(a).equals(Optional.of("on"));
    if (bothResize) {
      add(
          "initial heap",
          a.initialHeap().map(Bytes::toString),
          b.initialHeap().map(Bytes::toString));
    }
  }

  private static Optional<String> text(OptionalInt value) {
    return value.isPresent() ? Optional.of(String.valueOf(value.getAsInt())) : Optional.empty();
  }

  /** A heap that begins at its ceiling has nothing to resize. */
  private static Optional<String> resizing(JvmFacts jvm) {
    return jvm.initialHeap()
        .flatMap(initial -> jvm.maxHeap().map(max -> initial.value() < max.value() ? "on" : "off"));
  }

  private void flags() {
    JvmFacts a = before.jvm();
    JvmFacts b = after.jvm();
    Set<String> names = new TreeSet<>(a.flags().keySet());
    names.retainAll(b.flags().keySet());
    for (String name : names) {
      Flag one = a.flag(name).orElseThrow();
      Flag two = b.flag(name).orElseThrow();
      if (!HEAP_FLAGS.contains(name) && (chosen(one) || chosen(two))) {
        add("-XX " + name, Optional.of(one.value()), Optional.of(two.value()));
      }
    }
  }

  private static boolean chosen(Flag flag) {
    return !NOT_CHOSEN.contains(flag.origin().toLowerCase(Locale.ROOT));
  }

  private void pool() {
    add("pool size", poolSize(before), poolSize(after));
  }

  private static Optional<String> poolSize(Timeline timeline) {
    return PoolMeters.of(timeline).flatMap(meters -> text(meters.size()));
  }

  private void add(String what, Optional<String> a, Optional<String> b) {
    if (a.isPresent() && b.isPresent() && !a.equals(b)) {
      changes.add(new Change(what, a.get(), b.get()));
    }
  }
}
