package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.fixtures.Incidents;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code gcdiag facts}: what was measured, and no verdict. */
@Tag("slow")
class FactsCommandTest extends PlainRuns {

  private static final String INCIDENT = Incidents.folder("orders-pool-of-three").toString();

  private JsonNode facts(String... options) throws Exception {
    out.getBuffer().setLength(0);
    String[] words = new String[options.length + 2];
    words[0] = "facts";
    words[1] = INCIDENT;
    System.arraycopy(options, 0, words, 2, options.length);
    assertEquals(0, run(words), err.toString());
    return new ObjectMapper().readTree(out.toString());
  }

  private static String schema(String name) {
    try (InputStream in = FactsCommandTest.class.getResourceAsStream(name + ".schema.json")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void theyFitTheirSchemaAndNameNoCause() throws Exception {
    JsonNode facts = facts();

    assertEquals(
        Set.of(),
        JsonSchemaFactory.getInstance(
                SpecVersion.VersionFlag.V202012,
                factory ->
                    factory.schemaLoaders(
                        loaders ->
                            loaders.schemas(Map.of("urn:gcdiag:report:1", schema("report")))))
            .getSchema(schema("facts"))
            .validate(facts));
    for (String verdict :
        List.of("verdict", "hypothesis", "confidence", "rule", "explainedShare")) {
      assertEquals(List.of(), facts.findValues(verdict), verdict);
    }
    for (Hypothesis cause : Hypothesis.catalogue()) {
      assertFalse(texts(facts).contains(cause.id()), cause.id());
    }
  }

  private static List<String> texts(JsonNode node) {
    return node.isTextual()
        ? List.of(node.asText())
        : StreamSupport.stream(node.spliterator(), false)
            .flatMap(child -> texts(child).stream())
            .toList();
  }

  @Test
  void theirStationsAreThoseOfTheReport() throws Exception {
    JsonNode facts = facts();
    out.getBuffer().setLength(0);
    run("analyze", INCIDENT, "--format", "json");
    JsonNode report = new ObjectMapper().readTree(out.toString());

    assertEquals(report.get("stations"), facts.get("stations"));
    assertEquals(report.get("windows"), facts.get("windows"));
    assertEquals(report.get("metrics"), facts.get("metrics"));
  }

  /**
   * By the notes on that incident: 60 requests a second, from 12:49:07.1 on 150, of which 141.5 are
   * answered, with one query each; scrapes then have 62 to 66 requests waiting for a connection.
   */
  @Test
  void theySayWhatRoseAndWhen() throws Exception {
    JsonNode onsets = facts().get("onsets");

    assertOnset(onsets, "calls to databases and services per second", 60, 141.5, 0.1);
    assertOnset(onsets, "threads waiting for a connection", 0.5, 64, 0.5);
  }

  private static void assertOnset(
      JsonNode onsets, String what, double before, double after, double slack) {
    JsonNode onset =
        StreamSupport.stream(onsets.spliterator(), false)
            .filter(one -> one.get("what").asText().equals(what))
            .findFirst()
            .orElseThrow(() -> new AssertionError(what + " is not in " + onsets));
    Instant from = Instant.parse(onset.get("from").asText());
    assertFalse(from.isBefore(Instant.parse("2026-11-21T12:49:06Z")), onset.toString());
    assertTrue(from.isBefore(Instant.parse("2026-11-21T12:49:09Z")), onset.toString());
    assertEquals(before, onset.get("before").asDouble(), slack * before, onset.toString());
    assertEquals(after, onset.get("after").asDouble(), 0.1 * after, onset.toString());
  }

  @Test
  void aWindowCanBeGiven() throws Exception {
    JsonNode windows = facts("--incident", "12:49:10..12:49:20").get("windows");

    assertEquals("2026-11-21T12:49:10Z", windows.at("/incident/from").asText());
    assertEquals("user", windows.get("chosenBy").asText());
  }
}
