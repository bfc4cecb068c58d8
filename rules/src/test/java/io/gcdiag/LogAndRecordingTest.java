package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.figures.CrossCheck;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.RecordedIncident;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A GC log and a recording of one run are written by different parts of the JVM and read by
 * different readers: over what both cover they must tell of as many pauses, as long in all and at
 * the longest. Table in {@code docs/inputs/log-and-recording.md}; {@code -Dapprove} writes it.
 */
@Tag("slow")
@Tag("incidents")
class LogAndRecordingTest {

  /**
   * The log's time of a pause begins with the operation at the safepoint, the recording's with the
   * collection: 0.165 ms apart at most in 265 pauses, 0.265 ms in 51 of a machine whose cores were
   * full.
   */
  private static final double APART_SECONDS = 0.0003;

  /** What one file says to the last digit of the other: logs of some JDKs round to it. */
  private static final double DIGIT_SECONDS = 0.001;

  private static final String HEAD =
      """
      # GC log and recording of the same run

      The pauses in the log and in the recording of each recorded incident that has both, over the time that both cover. A log
      times a pause from the start of the operation at the safepoint, a recording from the start of the collection: up to 0.3 ms
      later. A test requires equal counts, sums within 0.3 ms a pause, and the longest within 1 ms. Where collections follow
      one another without a break, one of them may lie at the edge of that time, and be in the log alone.

      | incident | pauses in the log | in the recording | ms in the log | in the recording | longest, ms | in the recording |
      |---|--:|--:|--:|--:|--:|--:|
      """;

  private record Pair(CrossCheck count, CrossCheck sum, CrossCheck longest) {

    String row(String incident) {
      return String.format(
          Locale.ROOT,
          "| `%s` | %.0f | %.0f | %.1f | %.1f | %.2f | %.2f |%n",
          incident,
          count.a().value(),
          count.b().value(),
          sum.a().value() * 1e3,
          sum.b().value() * 1e3,
          longest.a().value() * 1e3,
          longest.b().value() * 1e3);
    }

    boolean agrees() {
      double more = Math.abs(count.a().value() - count.b().value());
      double atTheBorder = more * longest.a().value();
      double room = count.a().value() * APART_SECONDS + DIGIT_SECONDS + atTheBorder;
      return more <= 1
          && Math.abs(sum.a().value() - sum.b().value()) <= room
          && Math.abs(longest.a().value() - longest.b().value()) <= DIGIT_SECONDS;
    }
  }

  private static List<Pair> pairs(RecordedIncident incident) {
    List<CrossCheck> checks =
        IncidentDiagnoses.of(incident).crossChecks().stream()
            .filter(
                check ->
                    check.a().source().toString().startsWith("gc")
                        && check.b().source().toString().contains(".jfr"))
            .toList();
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i + 1 < checks.size(); i++) {
      if (checks.get(i).fact().startsWith("GC pauses")) {
        // A single pause is the sum, and stands there once.
        boolean several = i + 2 < checks.size() && checks.get(i + 2).fact().startsWith("longest");
        CrossCheck sum = checks.get(i + 1);
        pairs.add(new Pair(checks.get(i), sum, several ? checks.get(i + 2) : sum));
      }
    }
    return pairs;
  }

  @Test
  void theyTellTheSame() throws IOException {
    StringBuilder table = new StringBuilder(HEAD);
    List<String> apart = new ArrayList<>();
    int both = 0;
    for (RecordedIncident incident : IncidentDiagnoses.all()) {
      for (Pair pair : pairs(incident)) {
        both++;
        String row = pair.row(incident.name());
        table.append(row);
        if (!pair.agrees()) {
          apart.add(row);
        }
      }
    }
    assertTrue(both >= 40, "so few: " + both);
    assertEquals(List.of(), apart);
    Path page = page();
    if (System.getProperty("approve") != null) {
      Files.writeString(page, table);
    }
    assertEquals(table.toString(), Files.readString(page), "-Dapprove writes it anew");
  }

  private static Path page() {
    Path incident = Incidents.recorded().get(0).folder();
    return incident.resolve("../../../docs/inputs/log-and-recording.md").normalize();
  }
}
