package io.gcdiag.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.books.Finding;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.figures.SourceTimes.SourceTime;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.verdict.Scene;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SourceTimesTest {

  private static final Source LINE = Source.line("gc.log", 1204);
  private static final Source KIND = new Source("gc.log", "pauses");

  private static GcPause pause(double at, Source source) {
    return new GcPause(
        Scene.at(at),
        Duration.ofMillis(300),
        PauseKind.FULL,
        "",
        OptionalLong.empty(),
        Optional.empty(),
        false,
        source);
  }

  private static List<SourceTime> times(List<GcPause> pauses, Source... sources) {
    TimelineBuilder timeline = new TimelineBuilder();
    timeline.pauses("gc.log", pauses);
    Windows windows =
        new Windows(Scene.window(10, 20), Optional.empty(), Windows.ChosenBy.USER, true, "by hand");
    Finding finding = Finding.of("some-rule", "it stood still").from(List.of(sources)).build();
    return SourceTimes.of(new MeasuredIncident(timeline.build(), windows), List.of(finding));
  }

  @Test
  void aLineOfALogHasTheTimeOfItsPause() {
    Window lasted = new Window(Scene.at(12), Scene.at(12.3));
    assertEquals(
        List.of(new SourceTime(LINE, lasted)),
        times(List.of(pause(11, Source.line("gc.log", 3)), pause(12, LINE)), LINE));
  }

  @Test
  void whatManyEventsSharePlacesNone() {
    // Eight seconds apart: a kind of event, and not one of them.
    assertEquals(List.of(), times(List.of(pause(11, KIND), pause(19, KIND)), KIND));
  }

  @Test
  void whatHappenedOutsideOfTheIncidentIsNotItsEvidence() {
    assertEquals(List.of(), times(List.of(pause(5, LINE)), LINE));
  }
}
