package io.gcdiag.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.cli.report.Opening.WindowFlags;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.WindowRequest;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The options that a report names choose the windows that it shows. */
class WindowFlagsTest {

  private static Window window(String from, String to) {
    return new Window(Instant.parse(from), Instant.parse(to));
  }

  private static Windows windows(Window incident, Optional<Window> baseline) {
    return new Windows(incident, baseline, ChosenBy.CHANGE_POINT, true, "");
  }

  @Test
  void theyAreTimesOfDayInUtcAndAreReadBackAsTheSameWindow() {
    Window incident = window("2026-11-23T02:18:13.063Z", "2026-11-23T02:18:37Z");
    Window baseline = window("2026-11-23T02:17:09Z", "2026-11-23T02:18:06.5Z");
    assertEquals(
        "--incident 02:18:13.063..02:18:37 --baseline 02:17:09..02:18:06.500",
        WindowFlags.of(windows(incident, Optional.of(baseline))));
    Window recorded = window("2026-11-23T02:16:30Z", "2026-11-23T02:18:40Z");
    assertEquals(incident, WindowRequest.parse("02:18:13.063..02:18:37").resolve(recorded));
    assertEquals(baseline, WindowRequest.parse("02:17:09..02:18:06.500").resolve(recorded));
  }

  @Test
  void aWindowOverMidnightHasItsDates() {
    Window incident = window("2026-11-23T23:59:00Z", "2026-11-24T00:01:00Z");
    String flags = WindowFlags.of(windows(incident, Optional.empty()));
    assertEquals("--incident 2026-11-23T23:59:00Z..2026-11-24T00:01:00Z", flags);
    assertEquals(
        incident,
        WindowRequest.parse(flags.substring("--incident ".length()))
            .resolve(window("2026-11-22T12:00:00Z", "2026-11-24T12:00:00Z")));
  }
}
