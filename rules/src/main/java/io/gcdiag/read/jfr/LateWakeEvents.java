package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.threads.WaitSample.LateWakes;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * How late sleeps, parks and waits for an object ended that ended by their timeout.
 *
 * <p>Only timeouts of at least {@link #SHORTEST} count. A shorter wait becomes an event only if it
 * was late, so that all of them would look late. Virtual threads do not count, because they also
 * wait for a carrier.
 */
final class LateWakeEvents extends EventGroup {

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
    byInterval.forEach((interval, sum) -> timeline.sample(wakes(interval, sum)));
  }

  private LateWakes wakes(long interval, Sum sum) {
    return new LateWakes(
        Instant.EPOCH.plusNanos(interval * INTERVAL),
        Duration.ofNanos(INTERVAL),
        sum.waits,
        Duration.ofNanos(sum.late),
        Duration.ofNanos(sum.latest),
        source(String.join(", ", PARK, WAIT, SLEEP)));
  }
}
