package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.CpuSample.ContextSwitches;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;

/** CPU load of the JVM and the machine, by thread where recorded, and context switches. */
final class CpuEvents extends EventGroup {

  private static final String LOAD = "jdk.CPULoad";
  private static final String THREAD_LOAD = "jdk.ThreadCPULoad";
  private static final String SWITCHES = "jdk.ThreadContextSwitchRate";

  private final List<CpuLoad> loads = new ArrayList<>();
  private final List<SwitchReading> switches = new ArrayList<>();

  private record SwitchReading(Instant at, double perSecond) {}

  private static final String SAMPLE = "jdk.ExecutionSample";

  /**
   * A pool has some hundred threads; services with more names than this name threads after their
   * work.
   */
  private static final int MOST_NAMES = 10_000;

  private final ThreadGroups threads;
  private final Set<String> serving = new HashSet<>();

  CpuEvents(LaneContext lane) {
    super(lane);
    threads = new ThreadGroups(frames, redactor);
    on(LOAD, this::load);
    on(THREAD_LOAD, this::threadLoad);
    on(SAMPLE, this::sample);
    on(SWITCHES, this::contextSwitches);
  }

  private void load(Event event) {
    loads.add(
        new CpuLoad(
            event.start(),
            event.fraction("jvmUser"),
            event.fraction("jvmSystem"),
            event.fraction("machineTotal")));
  }

  private void threadLoad(Event event) {
    threads.add(
        event.start(), Stacks.threadName(event), event.fraction("user") + event.fraction("system"));
  }

  private void sample(Event event) {
    if (stacks.running(event).requestThread()) {
      event
          .thread("sampledThread")
          .map(EventThread::name)
          .filter(name -> serving.size() < MOST_NAMES && serving.add(name))
          .ifPresent(threads::serves);
    }
  }

  private void contextSwitches(Event event) {
    OptionalDouble rate = event.decimal("switchRate");
    if (rate.isPresent()) {
      switches.add(new SwitchReading(event.start(), rate.getAsDouble()));
    }
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    loads.sort(Comparator.comparing(CpuLoad::at));
    // The first one covers no interval: HotSpot has no previous reading and writes 100 %.
    loads.stream().skip(1).forEach(timeline::cpu);
    timeline.signal(Signal.CPU_LOAD, settings.state(LOAD, loads.size() > 1));
    threads.samples(settings.period(THREAD_LOAD)).forEach(timeline::sample);
    timeline.signal(Signal.THREAD_CPU, settings.state(THREAD_LOAD, !threads.isEmpty()));
    // The first one has no previous reading either.
    switches.sort(Comparator.comparing(SwitchReading::at));
    for (int i = 1; i < switches.size(); i++) {
      SwitchReading reading = switches.get(i);
      Duration interval = Duration.between(switches.get(i - 1).at(), reading.at());
      timeline.sample(new ContextSwitches(reading.at(), interval, reading.perSecond()));
    }
  }
}
