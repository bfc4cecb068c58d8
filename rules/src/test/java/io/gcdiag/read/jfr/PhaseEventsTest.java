package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcSample.PausePhase;
import io.gcdiag.evidence.jvm.PausePart;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against the events of the JDK's own reader. */
@Tag("slow")
class PhaseEventsTest {

  private static final int REFERENCES = 400_000;

  @TempDir private Path folder;

  private static void clearReferences() {
    List<WeakReference<Object>> references = new ArrayList<>();
    for (int i = 0; i < REFERENCES; i++) {
      references.add(new WeakReference<>(new Object()));
    }
    System.gc();
    assertEquals(REFERENCES, references.size());
  }

  private static long longest(Path file, String name) {
    return Recordings.events(file, "jdk.GCPhasePauseLevel1").stream()
        .filter(event -> event.getString("name").contains(name))
        .mapToLong(event -> event.getDuration().toNanos())
        .max()
        .orElse(0);
  }

  @Test
  void whatReferencesTakeOfAPauseIsReadOnce() {
    Path file =
        Recordings.record(
            folder.resolve("a.jfr"),
            recording ->
                List.of(
                        "jdk.GarbageCollection",
                        "jdk.GCPhasePause",
                        "jdk.GCPhasePauseLevel1",
                        "jdk.GCPhasePauseLevel2")
                    .forEach(event -> recording.enable(event).withoutThreshold()),
            PhaseEventsTest::clearReferences);
    Timeline timeline = Recordings.read(file);
    List<RecordedEvent> pauses = Recordings.events(file, "jdk.GCPhasePause");
    List<PausePhase> phases =
        timeline.samples(PausePhase.class).stream()
            .filter(phase -> phase.part() == PausePart.REFERENCES)
            .toList();
    assertTrue(!phases.isEmpty(), () -> "no phase in " + pauses);
    for (PausePhase phase : phases) {
      RecordedEvent pause =
          pauses.stream()
              .filter(event -> event.getStartTime().equals(phase.at()))
              .findFirst()
              .orElseThrow();
      assertEquals(pause.getDuration(), phase.pause());
      assertTrue(phase.duration().compareTo(phase.pause()) <= 0, phase::toString);
      assertTrue(phase.duration().compareTo(Duration.ofMillis(1)) >= 0, phase::toString);
    }
    // The collectors that have it as a phase of its own state no more of it than that.
    long told = longest(file, "Reference Processing");
    long most = phases.stream().mapToLong(phase -> phase.duration().toNanos()).max().orElseThrow();
    assertTrue(told == 0 || most >= told, most + " against " + told);
  }

  /** As a program of its own may record it: without the number of a collection. */
  @Name("jdk.GCPhasePause")
  private static final class NumberlessPause extends Event {}

  @Name("jdk.GCPhasePauseLevel1")
  private static final class NumberlessPhase extends Event {
    @Label("Name")
    String name = "Reference Processing";
  }

  private static void numberless() {
    NumberlessPause pause = new NumberlessPause();
    NumberlessPhase phase = new NumberlessPhase();
    pause.begin();
    phase.begin();
    LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    phase.commit();
    pause.commit();
  }

  @Test
  void aPhaseWithoutTheNumberOfItsCollectionIsGivenToNone() {
    Path file =
        Recordings.record(
            folder.resolve("b.jfr"),
            recording -> {
              recording.enable(NumberlessPause.class);
              recording.enable(NumberlessPhase.class);
            },
            PhaseEventsTest::numberless);
    assertEquals(1, Recordings.events(file, "jdk.GCPhasePauseLevel1").size());
    assertEquals(List.of(), Recordings.read(file).samples(PausePhase.class));
  }
}
