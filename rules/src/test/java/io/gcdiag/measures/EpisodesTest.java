package io.gcdiag.measures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.stats.ChangePoint;
import io.gcdiag.verdict.Scene;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class EpisodesTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** 200 s with 0.1 threads lost, and 4 from 20 to 50 s, which is the stretch that was found. */
  private static double[] series() {
    double[] series = new double[200];
    Arrays.fill(series, 0.1);
    Arrays.fill(series, 20, 50, 4);
    return series;
  }

  private static List<Window> beside(double[] series) {
    ChangePoint.Segment found = new ChangePoint.Segment(20, 50, 4, 0.1, 1, 0);
    return Episodes.beside(found, series, Scene.window(0, series.length), SECOND);
  }

  private static List<Window> raisedTo(double level, int from, int to) {
    double[] series = series();
    Arrays.fill(series, from, to, level);
    return beside(series);
  }

  @Test
  void whatLastsTenSecondsAtHalfTheRiseIsAnotherEpisode() {
    assertEquals(List.of(Scene.window(120, 130)), raisedTo(2.1, 120, 130));
    assertEquals(List.of(), raisedTo(2, 120, 130));
    assertEquals(List.of(), raisedTo(4, 120, 124));
  }

  @Test
  void oneWildSecondIsNoEpisode() {
    assertEquals(List.of(), raisedTo(100, 120, 121));
  }

  @Test
  void anEpisodeInBurstsReachesFromTheFirstToTheLast() {
    double[] series = series();
    for (int i = 100; i < 121; i += 2) {
      series[i] = 6;
    }
    assertEquals(List.of(Scene.window(100, 121)), beside(series));
  }

  @Test
  void eachEpisodeIsNamedInOrderOfTime() {
    double[] series = series();
    Arrays.fill(series, 90, 110, 4);
    Arrays.fill(series, 160, 200, 4);
    assertEquals(List.of(Scene.window(90, 110), Scene.window(160, 200)), beside(series));
  }

  @Test
  void whatAdjoinsTheFoundStretchIsItsEnd() {
    assertEquals(List.of(), raisedTo(3, 50, 70));
    assertEquals(List.of(), raisedTo(3, 5, 20));
  }

  @Test
  void whereNothingIsKnownOverTimeNoEpisodeIs() {
    ChangePoint.Segment found = new ChangePoint.Segment(20, 50, 4, 0.1, 1, 0);
    assertEquals(List.of(), Episodes.beside(found, new double[0], Scene.window(0, 200), SECOND));
  }

  @Test
  void incidentThatComesAgainIsTwoEpisodesAndTheBaselineHoldsNeither() {
    Windows windows =
        WindowFinder.find(
            Scene.of(240)
                .waitingUnevenly(WaitKind.POOL, "HikariCP", 0, 240, 0.05)
                .waitingUnevenly(WaitKind.POOL, "HikariCP", 50, 90, 5)
                .waitingUnevenly(WaitKind.POOL, "HikariCP", 150, 190, 4)
                .timeline(),
            Optional.empty(),
            Optional.empty());
    assertEquals(ChosenBy.CHANGE_POINT, windows.chosenBy());
    assertNear(Scene.window(50, 90), windows.incident());
    assertEquals(1, windows.otherEpisodes().size());
    assertNear(Scene.window(150, 190), windows.otherEpisodes().get(0));
    // The longest of 50, 60 and 50 s, less a tenth at either end: 6 s and 5.4 s.
    assertNear(Scene.window(96, 144), windows.baseline().orElseThrow());
  }

  /** Requests of 10 ms take 400 ms for half a minute; the JVM's CPU use stays up after that. */
  @Test
  void anIncidentIsOverWhenRequestsAreAsFastAgainWhateverElseStaysRaised() {
    IncidentBuilder builder =
        IncidentBuilder.incident()
            .requests(50, 50, second -> second >= 60 && second < 90 ? 400 : 10);
    for (int second = 0; second < 120; second++) {
      builder.cpu(second, second < 60 ? 0.1 : 0.5, 0.6);
    }
    Windows windows =
        WindowFinder.find(builder.build().timeline(), Optional.empty(), Optional.empty());
    assertNear(new Window(IncidentBuilder.at(60), IncidentBuilder.at(90)), windows.incident());
  }

  private static void assertNear(Window expected, Window actual) {
    assertTrue(
        isNear(Duration.between(expected.from(), actual.from()))
            && isNear(Duration.between(expected.to(), actual.to())),
        () -> "expected about " + expected + " but was " + actual);
  }

  private static boolean isNear(Duration apart) {
    return apart.abs().compareTo(Duration.ofSeconds(2)) <= 0;
  }
}
