package io.gcdiag.read.jfr;

import io.gcdiag.evidence.jvm.CpuSample.HardwareThreads;
import io.gcdiag.evidence.jvm.GcSample.ExplicitCollection;
import io.gcdiag.evidence.jvm.GcSample.FinalizableObjects;
import io.gcdiag.evidence.jvm.JvmSample.ClassLoads;
import io.gcdiag.evidence.jvm.JvmSample.CompilerCount;
import io.gcdiag.evidence.jvm.MemorySample.DirectBuffers;
import io.gcdiag.evidence.jvm.MemorySample.MemoryLimit;
import io.gcdiag.evidence.jvm.MemorySample.MetaspaceUse;
import io.gcdiag.evidence.jvm.MemorySample.ResidentMemory;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.Fields;
import io.gcdiag.units.Bytes;
import java.util.Optional;
import java.util.Set;

/**
 * Events that become one sample each, independent of others: readings of gauges and counters, and
 * calls of {@code System.gc()}. A reading of one number is one line in the constructor. Events that
 * are summed up, or compared with the previous reading, have a group of their own.
 */
final class PlainEvents extends EventGroup {

  private static final String DIRECT_BUFFERS = "java.nio.Bits.reserveMemory";

  /** The innermost frames of every stack of {@code System.gc()}. */
  private static final Set<String> THE_CALL = Set.of("java.lang.Runtime.gc", "java.lang.System.gc");

  /** Each chunk has one event per class with finalizers; a JVM has some dozens of such classes. */
  private static final int MOST_FINALIZABLE = 100_000;

  private int finalizable;

  /** Creates a sample from the number in one field. */
  private interface Reading {
    Sample of(Event event, long number, Source source);
  }

  PlainEvents(LaneContext lane) {
    super(lane);
    any(
        "jdk.ClassLoadingStatistics",
        "loadedClassCount",
        (e, n, s) -> new ClassLoads(e.start(), n));
    any("jdk.CompilerStatistics", "compileCount", (e, n, s) -> new CompilerCount(e.start(), n));
    positive(
        "jdk.CPUInformation", "hwThreads", (e, n, s) -> new HardwareThreads(e.start(), (int) n));
    // -1 means no limit, -2 unknown.
    positive(
        "jdk.ContainerConfiguration",
        "memoryLimit",
        (e, n, s) -> new MemoryLimit(e.start(), Bytes.of(n), s));
    positive(
        "jdk.ResidentSetSize", "size", (e, n, s) -> new ResidentMemory(e.start(), Bytes.of(n), s));
    on("jdk.DirectBufferStatistics", this::directBuffers);
    on("jdk.MetaspaceSummary", this::metaspace);
    on("jdk.FinalizerStatistics", this::finalizers);
    on("jdk.SystemGC", this::explicitCollection);
  }

  private void any(String type, String field, Reading reading) {
    atLeast(Long.MIN_VALUE, type, field, reading);
  }

  private void positive(String type, String field, Reading reading) {
    atLeast(1, type, field, reading);
  }

  private void atLeast(long least, String type, String field, Reading reading) {
    Source source = source(type);
    on(
        type,
        event ->
            event.number(field).stream()
                .filter(number -> number >= least)
                .mapToObj(number -> reading.of(event, number, source))
                .forEach(this::keep));
  }

  private void directBuffers(Event event) {
    long limit = event.number("maxCapacity").orElse(0);
    // The limit applies to the capacity (Bits.tryReserveMemory); aligned to pages, buffers use more
    // memory.
    long used = event.number("totalCapacity").orElse(-1);
    if (limit > 0 && used >= 0) {
      long count = event.number("count").orElse(0);
      keep(
          new DirectBuffers(
              event.start(),
              count,
              Bytes.of(used),
              Bytes.of(limit),
              source("jdk.DirectBufferStatistics")));
    }
  }

  private void metaspace(Event event) {
    Optional<Fields> space = event.inside("metaspace");
    boolean after = event.text("when").filter("After GC"::equals).isPresent();
    if (after && space.isPresent()) {
      keep(
          new MetaspaceUse(
              event.start(),
              space.get().bytes("used"),
              space.get().bytes("committed"),
              event.bytes("gcThreshold"),
              source("jdk.MetaspaceSummary gcId " + event.number("gcId").orElse(-1))));
    }
  }

  private void finalizers(Event event) {
    event
        .className("finalizableClass")
        .filter(any -> finalizable++ < MOST_FINALIZABLE)
        .ifPresent(
            type ->
                keep(
                    new FinalizableObjects(
                        event.start(),
                        type,
                        Math.max(0, event.number("objects").orElse(0)),
                        Math.max(0, event.number("totalFinalizersRun").orElse(0)),
                        source("jdk.FinalizerStatistics"))));
  }

  private void explicitCollection(Event event) {
    keep(
        new ExplicitCollection(
            event.start(),
            event.duration(),
            caller(event),
            stacks.trace(event).frames().contains(DIRECT_BUFFERS),
            source("jdk.SystemGC")));
  }

  /** Threads of the JDK request collections as well; then all frames are the JDK's. */
  private String caller(Event event) {
    String top = stacks.running(event).top();
    return !THE_CALL.contains(top)
        ? top
        : stacks.trace(event).frames().stream()
            .filter(frame -> !THE_CALL.contains(frame))
            .findFirst()
            .orElse("");
  }
}
