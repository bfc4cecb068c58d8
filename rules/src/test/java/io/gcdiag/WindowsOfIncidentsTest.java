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
 * The window that is found, against the moment at which the lab caused the incident and the end of
 * the load. Where memory fills or connections leak, the effect comes later than the cause.
 */
@Tag("incidents")
class WindowsOfIncidentsTest {

  /** Of the length of the incident, at each end. */
  private static final double NEAR = 0.1;

  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void seventyOfAHundredWindowsAreThoseOfTheTrouble() throws IOException {
    List<String> near = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (RecordedIncident incident : IncidentDiagnoses.all()) {
      if (incident.truth().primarySuspect().isPresent()) {
        (isNear(incident.folder()) ? near : others).add(incident.name());
      }
    }
    assertTrue(near.size() >= 0.7 * (near.size() + others.size()), others::toString);
  }

  private static boolean isNear(Path folder) throws IOException {
    Window found = IncidentDiagnoses.of(folder).windows().incident();
    JsonNode run = JSON.readTree(folder.resolve("figures.json").toFile()).get("run");
    Instant caused = Instant.parse(run.get("splitAt").asText());
    double trouble = troubleSeconds(folder);
    Instant ended = caused.plus(Durations.ofSeconds(trouble));
    return seconds(caused, found.from()) <= NEAR * trouble
        && seconds(ended, found.to()) <= NEAR * trouble;
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
