package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.units.Durations;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The window that is found, against the recorded trouble: from the moment at which the lab caused
 * it to the end of the load. Where the effect came later or ended earlier, as where memory has to
 * fill first, {@code truth.json} has the seconds in which requests were slow ({@code slow}): by the
 * load test's file, from the first to the last in which those sent took more than twice as long on
 * average as in any second of the baseline, or could not be sent; where that file has only sums,
 * from the first full collection in the GC log.
 */
@Tag("incidents")
class WindowsOfIncidentsTest {

  /** Of the length of the incident, at each end. */
  private static final double NEAR = 0.1;

  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void nineOfTenWindowsAreThoseOfTheTrouble() throws IOException {
    List<String> near = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (RecordedIncident incident : IncidentDiagnoses.all()) {
      if (incident.truth().primarySuspect().isPresent()) {
        (isNear(incident.folder()) ? near : others).add(incident.name());
      }
    }
    assertTrue(10 * near.size() >= 9 * (near.size() + others.size()), others::toString);
  }

  private static boolean isNear(Path folder) throws IOException {
    Window found = IncidentDiagnoses.of(folder).windows().incident();
    Window trouble = trouble(folder);
    return seconds(trouble.from(), found.from()) <= NEAR * trouble.seconds()
        && seconds(trouble.to(), found.to()) <= NEAR * trouble.seconds();
  }

  private static Window trouble(Path folder) throws IOException {
    JsonNode slow = JSON.readTree(folder.resolve("truth.json").toFile()).path("slow");
    if (slow.isObject()) {
      return new Window(
          Instant.parse(slow.get("from").asText()), Instant.parse(slow.get("to").asText()));
    }
    JsonNode run = JSON.readTree(folder.resolve("figures.json").toFile()).get("run");
    Instant caused = Instant.parse(run.get("splitAt").asText());
    return new Window(caused, caused.plus(Durations.ofSeconds(troubleSeconds(folder))));
  }

  private static double seconds(Instant one, Instant other) {
    return Durations.seconds(Duration.between(one, other).abs());
  }

  /** As the run says, or the run that it is a variant of. */
  private static double troubleSeconds(Path folder) throws IOException {
    JsonNode run = JSON.readTree(folder.resolve("run.json").toFile());
    JsonNode own = run.has("seconds") ? run : run.path("change");
    return own.has("seconds") && own.get("seconds").has("trouble")
        ? own.get("seconds").get("trouble").asDouble()
        : troubleSeconds(Incidents.folder(run.get("of").asText()));
  }
}
