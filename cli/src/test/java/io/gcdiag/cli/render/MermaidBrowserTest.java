package io.gcdiag.cli.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.SampleDiagnosis;
import io.gcdiag.cli.render.MarkdownRenderer.MermaidText;
import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.fixtures.Incidents;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Causal chains as Mermaid itself reads and draws them, as strict as GitHub and GitLab have it. */
@Tag("slow")
class MermaidBrowserTest {

  private static final String PLACE = "META-INF/resources/webjars/mermaid/%s/dist/mermaid.min.js";

  @TempDir private static Path folder;

  private static Optional<Browser> started = Optional.empty();

  @BeforeAll
  static void start() throws Exception {
    started = Browser.start();
    if (started.isPresent()) {
      Path page = folder.resolve("mermaid.html");
      Files.writeString(
          page, "<!doctype html><meta charset=utf-8><script>" + script() + "</script>");
      started.get().open(page);
      started.get().run("mermaid.initialize({startOnLoad: false, securityLevel: 'strict'})");
    }
  }

  @AfterAll
  static void stop() throws Exception {
    if (started.isPresent()) {
      started.get().close();
    }
  }

  @BeforeEach
  void needsABrowser() {
    assumeTrue(started.isPresent(), "chromium and chromedriver are not on the path");
  }

  private static String script() throws IOException {
    ClassLoader loader = MermaidBrowserTest.class.getClassLoader();
    Properties version = new Properties();
    try (InputStream in =
        loader.getResourceAsStream("META-INF/maven/org.webjars.npm/mermaid/pom.properties")) {
      version.load(in);
    }
    try (InputStream in =
        loader.getResourceAsStream(PLACE.formatted(version.getProperty("version")))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .replace("</script", "<\\/script");
    }
  }

  /** What the drawing says, or what keeps Mermaid from drawing. */
  private static JsonNode drawn(String diagram) throws Exception {
    return started
        .orElseThrow()
        .runAsync(
            "const done = arguments[0]; const host = document.createElement('div');"
                + "document.body.append(host); mermaid.render('d', "
                + new ObjectMapper().writeValueAsString(diagram)
                + ").then(({svg}) => { host.innerHTML = svg; done({text: host.textContent,"
                + " foreign: host.querySelectorAll('img, script, a, iframe').length,"
                + " nodes: host.querySelectorAll('.node').length}); host.remove(); })"
                + ".catch(e => done({error: String(e)}))");
  }

  /** The diagrams in a Markdown report. */
  private static List<String> diagrams(String markdown) {
    List<String> found = new ArrayList<>();
    String[] parts = markdown.split("```mermaid\n", -1);
    for (int i = 1; i < parts.length; i++) {
      found.add(parts[i].substring(0, parts[i].indexOf("\n```")));
    }
    return found;
  }

  private static final long ALL_DETAILS = 64_000;

  private static String markdown(Path incident) {
    return ReportFormat.MARKDOWN.render(
        new DiagnosisDocument(Analysis.run(AnalysisRequest.of(incident))),
        new Look(
            false, Look.USUAL, false, false, OptionalLong.of(ALL_DETAILS), OptionalInt.empty()));
  }

  @Test
  void aReportsChainIsDrawnWithItsWords() throws Exception {
    String text =
        ReportFormat.MARKDOWN.render(
            new DiagnosisDocument(SampleDiagnosis.memoryPressure()), Look.PLAIN);
    JsonNode drawing = drawn(diagrams(text).get(0));
    // The cause, pauses, waiting for a connection, slower requests.
    assertEquals(4, drawing.path("nodes").asInt(), drawing.toString());
    assertTrue(drawing.path("text").asText().contains("308 ms of pauses became 1.25 s a minute"));
  }

  @Test
  void chainsOfRecordedIncidentsAreDrawn() throws Exception {
    // Causes with slashes, brackets, arrows, lambdas and angles in what their rules say.
    for (String name : List.of("pool-queue-small-heap", "desk-reentrant", "counter-pinned")) {
      List<String> found = diagrams(markdown(Incidents.folder(name)));
      assertEquals(1, found.size(), name);
      JsonNode drawing = drawn(found.get(0));
      assertTrue(drawing.path("nodes").asInt() >= 3, name + ": " + drawing);
    }
  }

  @Test
  void whateverStandsInANameIsDrawnAsItIs() throws Exception {
    String printable =
        IntStream.rangeClosed(' ', '~').mapToObj(Character::toString).collect(Collectors.joining());
    List<String> hostile =
        List.of(
            printable,
            "\"]; click n1 call alert(1) \"x\" %%{init: {\"securityLevel\": \"loose\"}}%%",
            "</text><img src=x onerror=alert(1)><script>alert(1)</script>",
            "`**bold** [a](javascript:alert(1))`",
            "end subgraph graph TD --> n2",
            "|x| --- y",
            "\u202egnp.exe \u0007\u001b[31m \ud83d\ude00 \u00fc\u00df\u4e2d",
            "#quot; #35; &lt; &amp;");
    for (String name : hostile) {
      Block.Chain chain =
          new Block.Chain(
              List.of(new Block.Arrow(name, "how " + name, List.of("row " + name), "to " + name)));
      JsonNode drawing = drawn(String.join("\n", MermaidText.lines(chain)));
      assertEquals(2, drawing.path("nodes").asInt(), name + ": " + drawing);
      assertEquals(0, drawing.path("foreign").asInt(), name + ": " + drawing);
    }
  }
}
