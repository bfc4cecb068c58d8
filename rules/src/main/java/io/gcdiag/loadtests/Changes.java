package io.gcdiag.loadtests;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.MemorySample.MemoryLimit;
import io.gcdiag.measures.threads.PoolMeters;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What differs in its settings in the second run, as far as the files say it. */
final class Changes {

  /** Where a flag's value was not chosen; such flags follow from others. */
  private static final Set<String> NOT_CHOSEN = Set.of("default", "ergonomic", "");

  /** Told in words of their own. */
  private static final Set<String> HEAP_FLAGS =
      Set.of("InitialHeapSize", "MaxHeapSize", "MinHeapSize", "SoftMaxHeapSize");

  static final String CEILING = "maximum heap";

  static final String RESIZING = "dynamic resizing";

  /** The second run has a heap of one size, the first had not. */
  static final Change RESIZING_ENDED = new Change(RESIZING, "on", "off");

  private static final String NOT_SET = "not set";

  /** Where a service listens and which hosts it calls changes from run to run and is no setting. */
  private static final Pattern PORT_NAME = Pattern.compile("(?i)(^-D|[._-])port$");

  private static final Pattern PORT = Pattern.compile("((?://|@)[\\w.-]+):\\d{2,5}");

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
    changes.container();
    changes.flags();
    changes.properties();
    changes.pool();
    return changes.changes;
  }

  private void jvm() {
    JvmFacts a = before.jvm();
    JvmFacts b = after.jvm();
    add("JDK", a.exactVersion(), b.exactVersion());
    add("collector", a.collector(), b.collector());
    add("CPUs", text(a.cpus()), text(b.cpus()));
    add(CEILING, a.maxHeap().map(Bytes::toString), b.maxHeap().map(Bytes::toString));
    add(RESIZING, resizing(a), resizing(b));
    boolean bothResize = resizing(a).equals(resizing(b)) && resizing(a).equals(Optional.of("on"));
    if (bothResize) {
      add(
          "initial heap",
          a.initialHeap().map(Bytes::toString),
          b.initialHeap().map(Bytes::toString));
    }
  }

  /** What a container may use, of two recordings that both state it. */
  private void container() {
    add("memory limit of the container", memoryLimit(before), memoryLimit(after));
    add("CPU limit of the container", cpuLimit(before), cpuLimit(after));
  }

  private static Optional<String> memoryLimit(Timeline timeline) {
    return timeline.samples(MemoryLimit.class).stream()
        .reduce((first, last) -> last)
        .map(one -> one.limit().toString());
  }

  private static Optional<String> cpuLimit(Timeline timeline) {
    return timeline.samples(CpuQuota.class).stream()
        .reduce((first, last) -> last)
        .map(
            one ->
                one.quota()
                    .map(quota -> Durations.seconds(quota) / Durations.seconds(one.period()))
                    .map(cores -> Numbers.threeDigits(cores) + (cores == 1 ? " core" : " cores"))
                    .orElse("none"));
  }

  private static Optional<String> text(OptionalInt value) {
    return value.isPresent() ? Optional.of(String.valueOf(value.getAsInt())) : Optional.empty();
  }

  /** A heap that begins at its maximum size has nothing to resize. */
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
      boolean own = !HEAP_FLAGS.contains(name) && !name.startsWith(Flag.PROPERTY);
      if (own && (chosen(one) || chosen(two))) {
        add("-XX " + name, Optional.of(one.value()), Optional.of(two.value()));
      }
    }
  }

  private static boolean chosen(Flag flag) {
    return !NOT_CHOSEN.contains(flag.origin().toLowerCase(Locale.ROOT));
  }

  /** Only of two recordings, which tell all that was set. */
  private void properties() {
    JvmFacts a = before.jvm();
    JvmFacts b = after.jvm();
    if (a.flags().isEmpty() || b.flags().isEmpty()) {
      return;
    }
    Set<String> names = new TreeSet<>(a.flags().keySet());
    names.addAll(b.flags().keySet());
    names.removeIf(name -> !name.startsWith(Flag.PROPERTY));
    for (String name : names) {
      String one = a.flag(name).map(Flag::value).orElse(NOT_SET);
      String two = b.flag(name).map(Flag::value).orElse(NOT_SET);
      if (!PORT_NAME.matcher(name).find() && !withoutPorts(one).equals(withoutPorts(two))) {
        changes.add(new Change(name, one, two));
      }
    }
  }

  private static String withoutPorts(String value) {
    return PORT.matcher(value).replaceAll("$1");
  }

  /** The pool's own meter; where a property says the same, it is the same change. */
  private void pool() {
    Optional<String> a = poolSize(before);
    Optional<String> b = poolSize(after);
    boolean told =
        changes.stream()
            .anyMatch(c -> a.equals(Optional.of(c.before())) && b.equals(Optional.of(c.after())));
    if (!told) {
      add("pool size", a, b);
    }
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
