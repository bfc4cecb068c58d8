package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.CpuSample.ThrottleCount;
import io.gcdiag.evidence.jvm.MemorySample.MachineMemory;
import io.gcdiag.evidence.jvm.MemorySample.SwapSpace;
import io.gcdiag.evidence.threads.WaitSample.LateWakes;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Limits and memory of the machine or container, and whether they are known: CPU quota, memory,
 * swap.
 */
final class MachineEvents extends EventGroup {

  private static final String CONTAINER = "jdk.ContainerConfiguration";
  private static final String THROTTLING = "jdk.ContainerCPUThrottling";
  private static final String MEMORY = "jdk.PhysicalMemory";
  private static final String SWAP = "jdk.SwapSpace";
  private static final String USAGE = "jdk.ContainerMemoryUsage";

  private final List<SwapSpace> usages = new ArrayList<>();
  private final Set<String> seen = new HashSet<>();

  MachineEvents(LaneContext lane) {
    super(lane);
    on(CONTAINER, this::container);
    on(THROTTLING, this::throttling);
    on(MEMORY, this::memory);
    on(SWAP, this::swap);
    on(USAGE, this::usage);
  }

  private void container(Event event) {
    if (event.number("cpuQuota").isPresent() && event.number("cpuSlicePeriod").isPresent()) {
      // In microseconds; -1 means no quota.
      Optional<Duration> quota =
          Optional.of(event.duration("cpuQuota"))
              .filter(limit -> !limit.isNegative() && !limit.isZero());
      keep(new CpuQuota(event.start(), quota, event.duration("cpuSlicePeriod"), source(CONTAINER)));
      if (quota.isEmpty()) {
        seen.add(CONTAINER);
      }
    }
  }

  private void throttling(Event event) {
    OptionalLong periods = event.number("cpuElapsedSlices");
    OptionalLong throttled = event.number("cpuThrottledSlices");
    // If the control group has no such counter, the JVM writes a negative number.
    if (periods.orElse(-1) < 0 || throttled.orElse(-1) < 0) {
      return;
    }
    seen.add(THROTTLING);
    keep(
        new ThrottleCount(
            event.start(),
            periods.getAsLong(),
            throttled.getAsLong(),
            event.duration("cpuThrottledTime"),
            source(THROTTLING)));
  }

  private void memory(Event event) {
    seen.add(MEMORY);
    keep(
        new MachineMemory(
            event.start(), event.bytes("totalSize"), event.bytes("usedSize"), source(MEMORY)));
  }

  private void swap(Event event) {
    long total = event.number("totalSize").orElse(-1);
    long free = event.number("freeSize").orElse(-1);
    // If the container's swap has no limit, JDK 25 writes a negative number.
    if (total >= 0 && free >= 0) {
      seen.add(SWAP);
      keep(
          new SwapSpace(
              event.start(),
              Bytes.of(total).minusOrZero(Bytes.of(free)),
              Optional.of(Bytes.of(total)),
              source(SWAP)));
    }
  }

  /** Memory in use by the container, with and without swap. */
  private void usage(Event event) {
    long memory = event.number("memoryUsage").orElse(-1);
    long withSwap = event.number("swapMemoryUsage").orElse(-1);
    if (memory >= 0 && withSwap >= memory) {
      seen.add(USAGE);
      usages.add(
          new SwapSpace(
              event.start(), Bytes.of(withSwap - memory), Optional.empty(), source(USAGE)));
    }
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    // The machine's own figure, if the JVM has it, includes all processes.
    if (!seen.contains(SWAP)) {
      usages.forEach(timeline::sample);
    }
    super.finish(timeline, settings);
    timeline.signal(Signal.CPU_THROTTLING, quota(settings));
    String memory = Stream.of(SWAP, USAGE).filter(seen::contains).findFirst().orElse(MEMORY);
    timeline.signal(Signal.MACHINE_MEMORY, settings.state(memory, seen.contains(memory)));
  }

  /**
   * A JVM that does not detect a container writes no container events, and may still have a quota:
   * of a control group above its own, or with {@code -XX:-UseContainerSupport}. The quota is then
   * unknown.
   */
  private SignalState quota(RecordedSettings settings) {
    boolean known = seen.contains(THROTTLING) || seen.contains(CONTAINER);
    return known || !settings.enabled(THROTTLING)
        ? settings.state(THROTTLING, known)
        : new SignalState(
            SignalState.Kind.NOT_RECORDED,
            Optional.empty(),
            THROTTLING + " was on, and the JVM wrote none: it sees no container");
  }

  /**
   * How late sleeps, parks and waits for an object ended that ended by their timeout.
   *
   * <p>Only timeouts of at least {@link #SHORTEST} count. A shorter wait becomes an event only if
   * it was late, so that all of them would look late. Virtual threads do not count, because they
   * also wait for a carrier.
   */
  static final class LateWakeEvents extends EventGroup {

    private static final String PARK = "jdk.ThreadPark";
    private static final String WAIT = "jdk.JavaMonitorWait";
    private static final String SLEEP = "jdk.ThreadSleep";

    /** The highest threshold of such events in the JDK's own settings (default.jfc). */
    private static final long SHORTEST = Duration.ofMillis(20).toNanos();

    /** A larger delay is not the scheduler's: the machine was suspended, or a clock was changed. */
    private static final long LATEST = Duration.ofSeconds(10).toNanos();

    /** Short enough to separate waits that a GC pause delayed. */
    private static final long INTERVAL = Duration.ofMillis(100).toNanos();

    private final Map<Long, Sum> byInterval = new TreeMap<>();

    private static final class Sum {
      private long waits;
      private long late;
      private long latest;
    }

    LateWakeEvents(LaneContext lane) {
      super(lane);
      on(PARK, this::parked);
      on(WAIT, this::timedOut);
      on(SLEEP, this::slept);
    }

    /**
     * A shorter wait had a shorter timeout or was woken before; most events need no further check.
     */
    private static boolean isLong(Event event) {
      return event.lengthNanos() >= SHORTEST;
    }

    private void parked(Event event) {
      if (isLong(event)) {
        add(event, event.numberOr("timeout", 0));
      }
    }

    private void slept(Event event) {
      if (isLong(event)) {
        add(event, event.duration("time").toNanos());
      }
    }

    private void timedOut(Event event) {
      if (isLong(event) && event.isTrue("timedOut")) {
        add(event, event.duration("timeout").toNanos());
      }
    }

    /** A thread woken before its timeout was not late. */
    private void add(Event event, long asked) {
      long late = event.lengthNanos() - asked;
      if (asked < SHORTEST || late < 0 || late > LATEST) {
        return;
      }
      if (event.thread().filter(EventThread::virtual).isPresent()) {
        return;
      }
      long end = event.startNanos() + event.lengthNanos();
      Sum sum = byInterval.computeIfAbsent(Math.floorDiv(end, INTERVAL), any -> new Sum());
      sum.waits++;
      sum.late += late;
      sum.latest = Math.max(sum.latest, late);
    }

    @Override
    public void finish(TimelineBuilder timeline, RecordedSettings settings) {
      for (String type : readers().keySet()) {
        if (settings.threshold(type).filter(least -> least.toNanos() > SHORTEST).isPresent()) {
          return;
        }
      }
      byInterval.forEach(
          (interval, sum) ->
              timeline.sample(
                  new LateWakes(
                      Instant.EPOCH.plusNanos(interval * INTERVAL),
                      Duration.ofNanos(INTERVAL),
                      sum.waits,
                      Duration.ofNanos(sum.late),
                      Duration.ofNanos(sum.latest),
                      source(String.join(", ", PARK, WAIT, SLEEP)))));
    }
  }
}
