package io.gcdiag.ingest.jfr;

import io.gcdiag.evidence.CpuLoad;
import io.gcdiag.evidence.Signal;
import io.gcdiag.ingest.Intake;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;

/** CPU load of the JVM and the machine. */
final class CpuEvents implements EventGroup {

  private static final String LOAD = "jdk.CPULoad";

  private final List<CpuLoad> loads = new ArrayList<>();

  @Override
  public Map<String, Consumer<RecordedEvent>> readers() {
    return Map.of(LOAD, this::load);
  }

  private void load(RecordedEvent event) {
    loads.add(
        new CpuLoad(
            event.getStartTime(),
            Fields.fraction(event, "jvmUser"),
            Fields.fraction(event, "jvmSystem"),
            Fields.fraction(event, "machineTotal")));
  }

  @Override
  public void finish(Intake intake, RecordedSettings settings) {
    loads.sort(Comparator.comparing(CpuLoad::at));
    // The first one covers no interval: HotSpot has nothing to compare it with and says 100 %.
    loads.stream().skip(1).forEach(intake.timeline()::cpu);
    intake.timeline().signal(Signal.CPU_LOAD, settings.state(LOAD, loads.size() > 1));
  }
}
