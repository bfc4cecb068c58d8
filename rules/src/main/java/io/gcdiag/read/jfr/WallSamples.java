package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.Stacks.NativeFrames;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Wall-clock samples of waiting threads by async-profiler and Datadog's profiler. Every thread is
 * sampled once per period, and a sample stands for a period of its time: sums are reliable, but
 * number and length of single waits are unknown.
 */
final class WallSamples extends EventGroup {

  /** Datadog's state of a thread that waits for a monitor. */
  private static final String CONTENDED = "CONTENDED";

  /**
   * What is written for a thread that is not running: the first by async-profiler ({@code
   * flightRecorder.cpp}), the others by Datadog's ({@code threadState.h}), of which a thread in a
   * system call is taken for what its frames say.
   */
  private static final Set<String> NOT_RUNNING =
      Set.of("STATE_SLEEPING", CONTENDED, "PARKED", "WAITING", "SLEEPING", "SYSCALL");

  /** HotSpot's entry into a monitor that another thread has. */
  private static final String MONITOR = "ObjectMonitor::enter";

  /** A service waits at some dozens of sites. */
  private static final int MOST_SITES = 2_000;

  /** A batch this long is damage. */
  private static final long MOST_SAMPLES = 1_000_000;

  private final RecordedSettings settings;
  private final WaitEvents events;
  private final Map<WaitSite, WaitSeries.Builder> series = new HashMap<>();
  private final SampleRounds rounds = new SampleRounds();
  private Optional<Duration> period = Optional.empty();
  private boolean seen;

  /**
   * For one recording.
   *
   * @param settings its settings, which stand before its samples
   * @param events the waits that were timed, which go before what is sampled
   */
  WallSamples(LaneContext lane, RecordedSettings settings, WaitEvents events) {
    super(lane);
    this.settings = settings;
    this.events = events;
    on("profiler.WallClockSample", this::sample);
    on("jdk.ExecutionSample", this::sample);
    on(SampleRounds.EVENT, rounds::accept);
  }

  /** Whether a sample is of a thread that waits: no CPU was used then. */
  static boolean isWaiting(Event sample) {
    return sample.text("state").filter(NOT_RUNNING::contains).isPresent();
  }

  private void sample(Event event) {
    Optional<EventThread> thread = event.thread("sampledThread");
    if (thread.isEmpty() || !isWaiting(event)) {
      return;
    }
    seen = true;
    boolean monitor =
        event.text("state").filter(CONTENDED::equals).isPresent()
            || event.stack().isPresent()
                && event.stack().get().frames().stream()
                    .takeWhile(NativeFrames::isOne)
                    .anyMatch(frame -> frame.contains(MONITOR));
    StackKind kind = stacks.kind(event, monitor ? "BLOCKED" : "WAITING");
    boolean serving = stacks.onRequestThread(kind, thread.get().name());
    WaitKind wait = kind.waitsFor();
    if (wait == WaitKind.OTHER || wait == WaitKind.IDLE || wait == WaitKind.SLEEP && !serving) {
      return;
    }
    String name = kind.name().isEmpty() ? kind.top() : redactor.redact(kind.name());
    WaitSite site = new WaitSite(wait, name, serving, kind.top());
    if (!series.containsKey(site) && series.size() >= MOST_SITES) {
      site = new WaitSite(wait, "other sites", serving, "");
    }
    long samples = Math.max(1, Math.min(MOST_SAMPLES, event.number("samples").orElse(1)));
    series
        .computeIfAbsent(site, key -> new WaitSeries.Builder(key, source(event.type())))
        .add(event.start(), period().multipliedBy(samples), thread.get().id());
  }

  private Duration period() {
    if (period.isEmpty()) {
      period = Optional.of(settings.wallPeriod());
    }
    return period.get();
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings ignored) {
    series.forEach(
        (site, waits) -> {
          // If locks are profiled, too, each wait for one is recorded twice.
          if (!events.has(site.kind(), site.name())) {
            timeline.waits(waits.build());
          }
        });
    if (seen) {
      String every = "sampled every " + Durations.format(period());
      if (!settings.enabled(WaitEvents.PARK)) {
        SignalState state = new SignalState(SignalState.Kind.SEEN, Optional.empty(), every);
        timeline.signal(Signal.THREAD_PARKS, state);
        timeline.signal(Signal.MONITOR_WAITS, state);
        timeline.signal(Signal.THREAD_SLEEPS, state);
      }
      timeline.note(
          ("%s has wall-clock samples of %s%s): sums of waiting are estimates from them,"
                  + " and numbers of waits are numbers of samples%s")
              .formatted(
                  file,
                  settings.byDatadog() ? "Datadog's profiler (" : "async-profiler (",
                  every,
                  rounds.note()));
    } else if (settings.byAsyncProfiler()) {
      timeline.note(
          file
              + " was written by async-profiler without wall-clock samples: it shows"
              + " waiting for locks only; profile with wall=20ms as well");
    }
  }

  /**
   * How many of the threads Datadog's profiler looked at in each of its rounds: some threads picked
   * at random, 16 by default ({@code wallClock.cpp} of java-profiler).
   */
  private static final class SampleRounds {

    static final String EVENT = "datadog.WallClockSamplingEpoch";

    private long rounds;
    private long threads;
    private long sampled;

    void accept(Event event) {
      rounds++;
      threads += Math.max(0, event.numberOr("samplePoolSize", 0));
      sampled += Math.max(0, event.numberOr("numSuccessfulSamples", 0));
    }

    /** A caveat for sums over samples; empty if every thread was sampled. */
    String note() {
      if (sampled == 0 || threads <= sampled) {
        return "";
      }
      return "; it samples %s of %s threads at a time: true sums are up to %s times as large"
          .formatted(
              Numbers.threeDigits(sampled / (double) rounds),
              Numbers.threeDigits(threads / (double) rounds),
              Numbers.threeDigits(threads / (double) sampled));
    }
  }
}
