package io.gcdiag.ingest.jfr;

import io.gcdiag.evidence.ContextSwitches;
import io.gcdiag.evidence.CpuLoad;
import io.gcdiag.evidence.Signal;
import io.gcdiag.ingest.Intake;
import io.gcdiag.ingest.Redactor;
import io.gcdiag.ingest.frames.FrameBook;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;

/** CPU load of the JVM and the machine, by thread where recorded, and context switches. */
final class CpuEvents implements EventGroup {

  private static final String LOAD = "jdk.CPULoad";
  private static final String THREAD_LOAD = "jdk.ThreadCPULoad";
  private static final String SWITCHES = "jdk.ThreadContextSwitchRate";

  private final List<CpuLoad> loads = new ArrayList<>();
  private final List<ContextSwitches> switches = new ArrayList<>();
  private final ThreadGroups threads;

  CpuEvents(Redactor redactor, FrameBook frames) {
    threads = new ThreadGroups(frames, redactor);
  }

  @Override
  public Map<String, Consumer<RecordedEvent>> readers() {
    return Map.of(LOAD, this::load, THREAD_LOAD, this::threadLoad, SWITCHES, this::contextSwitches);
  }

  private void load(RecordedEvent event) {
    loads.add(
        new CpuLoad(
            event.getStartTime(),
            Fields.fraction(event, "jvmUser"),
            Fields.fraction(event, "jvmSystem"),
            Fields.fraction(event, "machineTotal")));
  }

  private void threadLoad(RecordedEvent event) {
    threads.add(
        event.getStartTime(),
        Stacks.threadName(event),
        Fields.fraction(event, "user") + Fields.fraction(event, "system"));
  }

  private void contextSwitches(RecordedEvent event) {
    if (event.hasField("switchRate")) {
      switches.add(new ContextSwitches(event.getStartTime(), event.getFloat("switchRate")));
    }
  }

  @Override
  public void finish(Intake intake, RecordedSettings settings) {
    loads.sort(Comparator.comparing(CpuLoad::at));
    // The first one covers no interval: HotSpot has nothing to compare it with and says 100 %.
    loads.stream().skip(1).forEach(intake.timeline()::cpu);
    intake.timeline().signal(Signal.CPU_LOAD, settings.state(LOAD, loads.size() > 1));
    threads.samples(settings.period(THREAD_LOAD)).forEach(intake.timeline()::sample);
    intake.timeline().signal(Signal.THREAD_CPU, settings.state(THREAD_LOAD, !threads.isEmpty()));
    // The first one, too, has nothing to compare with.
    switches.sort(Comparator.comparing(ContextSwitches::at));
    switches.stream().skip(1).forEach(intake.timeline()::sample);
  }
}
