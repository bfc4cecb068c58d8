package io.gcdiag.measures;

import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** The baseline is the first minute, the incident the second, in which requests take 9 s. */
class RequestDelaysOfBaselineTest {

  private static final Window BASELINE = new Window(at(0), at(60));
  private static final Window INCIDENT = new Window(at(60), at(120));

  private static Window beforeSlow(IntToDoubleFunction millisInBaseline) {
    Timeline timeline =
        incident()
            .requests(
                10, 10, second -> second < 60 ? millisInBaseline.applyAsDouble(second) : 9_000)
            .build()
            .timeline();
    Window gap = new Window(BASELINE.from(), BASELINE.to().minusSeconds(3));
    return RequestDelays.beforeSlow(timeline, gap, INCIDENT);
  }

  @Test
  void theFirstRequestsThatTakeAsLongAsThoseOfTheIncidentBelongToIt() {
    // From 50 s on every other second: 10 x 4 of 70 requests up to 57 s.
    Window kept = beforeSlow(second -> second >= 50 && second % 2 == 0 ? 9_000 : 10);
    assertEquals(new Window(at(0), at(50)), kept);
  }

  @Test
  void aSingleSecondOfManyIsNone() {
    // 10 of 270 requests.
    assertEquals(new Window(at(0), at(57)), beforeSlow(second -> second == 31 ? 9_000 : 10));
  }

  @Test
  void mostOfTheBaselineIsLeft() {
    assertEquals(
        new Window(at(0), at(57)),
        beforeSlow(second -> second >= 20 && second % 2 == 0 ? 9_000 : 10));
  }
}
