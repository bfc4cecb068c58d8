package io.gcdiag.accounts.collections;

import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Whether as many threads collect as there are CPUs. */
final class GcThreads {

  private static final String SERIAL = "Serial";

  private GcThreads() {}

  /** A line if they are fewer or more than the CPUs; empty if they fit, or if it is not known. */
  static Optional<String> against(JvmFacts jvm) {
    if (jvm.cpus().orElse(1) <= 1 || jvm.collector().isEmpty()) {
      return Optional.empty();
    }
    int cpus = jvm.cpus().getAsInt();
    if (jvm.collector().get().equals(SERIAL)) {
      return Optional.of(
          "Serial collects with one thread, and the JVM may use "
              + cpus
              + " CPUs (-XX:+UseParallelGC and -XX:+UseG1GC use them)"
              + byItself(jvm));
    }
    OptionalDouble threads = jvm.number("ParallelGCThreads");
    return threads.isPresent() && threads.getAsDouble() > cpus
        ? Optional.of(
            "%s GC threads share %s CPUs (-XX:ParallelGCThreads=%s)"
                .formatted((int) threads.getAsDouble(), cpus, cpus))
        : Optional.empty();
  }

  /** HotSpot takes Serial where it finds less than two CPUs or 1,792 MiB of memory. */
  private static String byItself(JvmFacts jvm) {
    return jvm.flag("UseSerialGC")
        .map(Flag::origin)
        .filter(List.of("Default", "Ergonomic")::contains)
        .map(origin -> "; the JVM chose it, as it does with less than 1,792 MiB of memory")
        .orElse("");
  }
}
