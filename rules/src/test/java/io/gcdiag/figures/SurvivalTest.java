package io.gcdiag.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.GcSample.YoungCollections;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.Metrics.Survival;
import io.gcdiag.units.Bytes;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SurvivalTest {

  private static final Instant START = Instant.parse("2026-11-21T01:14:00Z");
  private static final Window HALF_A_MINUTE = new Window(START, START.plusSeconds(30));

  private static YoungCollections young(
      int second, int count, long before, long survived, long promoted, long step, String file) {
    return new YoungCollections(
        START.plusSeconds(second),
        count,
        Bytes.ofMebi(before),
        Bytes.ofMebi(survived),
        Bytes.ofMebi(promoted),
        Bytes.of(step),
        Source.line(file, 7));
  }

  private static Timeline timeline(YoungCollections... all) {
    TimelineBuilder timeline = new TimelineBuilder();
    for (YoungCollections one : all) {
      timeline.sample(one);
    }
    return timeline.build();
  }

  @Test
  void promotionIsByTheMinuteAndSurvivalAShareOfWhatWasYoung() {
    Survival found =
        Survival.of(
                timeline(
                    young(1, 2, 40, 5, 1, 1, "gc.log"),
                    young(2, 1, 20, 1, 0, 1, "gc.log"),
                    young(31, 1, 20, 20, 20, 1, "gc.log")),
                HALF_A_MINUTE)
            .orElseThrow();
    assertEquals(3, found.sum().count());
    // 1 MiB in half a minute; 6 of 60 MiB.
    assertEquals(2 << 20, found.promotedPerMinute(), 1e-6);
    assertEquals(0.1, found.share(), 1e-9);
  }

  @Test
  void bytesGoBeforeRegionsAndAreNotAddedToThem() {
    Survival found =
        Survival.of(
                timeline(
                    young(1, 9, 90, 9, 9, 1 << 20, "gc.log"),
                    young(1, 9, 88, 8, 4, 1, "recording.jfr")),
                HALF_A_MINUTE)
            .orElseThrow();
    assertEquals("recording.jfr", found.source().file());
    assertEquals(Bytes.ofMebi(4), found.sum().promoted());
  }

  @Test
  void filesOfOneKindFollowOneAnotherAndWhatTheyShareCountsOnce() {
    Survival found =
        Survival.of(
                timeline(
                    young(1, 2, 40, 5, 1, 1, "gc.log.0"),
                    young(9, 1, 20, 2, 1, 1, "gc.log.0"),
                    young(9, 1, 20, 2, 1, 1, "gc.log.1"),
                    young(20, 1, 20, 1, 2, 1, "gc.log.1")),
                HALF_A_MINUTE)
            .orElseThrow();
    assertEquals(4, found.sum().count());
    assertEquals(Bytes.ofMebi(1 + 1 + 2), found.sum().promoted());
    assertEquals(Bytes.ofMebi(5 + 2 + 1), found.sum().survived());
  }

  @Test
  void withoutFiguresOfTheYoungGenerationThereIsNone() {
    assertEquals(Optional.empty(), Survival.of(timeline(), HALF_A_MINUTE));
  }
}
