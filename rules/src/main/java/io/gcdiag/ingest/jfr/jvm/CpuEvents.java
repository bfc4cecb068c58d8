package io.gcdiag.ingest.jfr.jvm;

import io.gcdiag.evidence.machine.ContextSwitches;
import io.gcdiag.evidence.machine.CpuLoad;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.ingest.format.IngestContext;
import io.gcdiag.ingest.format.Redactor;
import io.gcdiag.ingest.frames.FrameBook;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.EventThread;
import io.gcdiag.ingest.jfr.group.EventGroup;
import io.gcdiag.ingest.jfr.group.RecordedSettings;
import io.gcdiag.ingest.jfr.group.Stacks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;

/** CPU load of the JVM and the machine, by thread where recorded, and context switches. */
public final class CpuEvents implements EventGroup {

  private static final String LOAD = "jdk.CPULoad";
  private static final String THREAD_LOAD = "jdk.ThreadCPULoad";
  private static final String SWITCHES = "jdk.ThreadContextSwitchRate";

  private final List<CpuLoad> loads = new ArrayList<>();
  private final List<SwitchReading> switches = new ArrayList<>();

  private record SwitchReading(Instant at, double perSecond) {}

  private static final String SAMPLE = "jdk.ExecutionSample";

  /** A pool has some hundred threads; a service with more names them after their work. */
  private static final int MOST_NAMES = 10_000;

  private final Stacks stacks;
  private final ThreadGroups threads;
  private final Set<String> serving = new HashSet<>();

  public CpuEvents(Stacks stacks, Redactor redactor, FrameBook frames) {
    this.stacks = stacks;
    threads = new ThreadGroups(frames, redactor);
  }

  @Override
  public Map<String, Consumer<Event>> readers() {
    return Map.of(
        LOAD, this::load,
        THREAD_LOAD, this::threadLoad,
        SAMPLE, this::sample,
        SWITCHES, this::contextSwitches);
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
    if (stacks.kind(event, "RUNNABLE").requestThread()) {
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
  public void finish(IngestContext intake, RecordedSettings settings) {
    loads.sort(Comparator.comparing(CpuLoad::at));
    // The first one covers no interval: HotSpot has nothing to compare it with and says 100 %.
    loads.stream().skip(1).forEach(intake.timeline()::cpu);
    intake.timeline().signal(Signal.CPU_LOAD, settings.state(LOAD, loads.size() > 1));
    threads.samples(settings.period(THREAD_LOAD)).forEach(intake.timeline()::sample);
    intake.timeline().signal(Signal.THREAD_CPU, settings.state(THREAD_LOAD, !threads.isEmpty()));
    // The first one, too, has nothing to compare with.
    switches.sort(Comparator.comparing(SwitchReading::at));
    for (int i = 1; i < switches.size(); i++) {
      SwitchReading reading = switches.get(i);
      Duration interval = Duration.between(switches.get(i - 1).at(), reading.at());
      intake.timeline().sample(new ContextSwitches(reading.at(), interval, reading.perSecond()));
    }
  }
}
