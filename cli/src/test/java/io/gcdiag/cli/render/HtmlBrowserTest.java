package io.gcdiag.cli.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.SampleDiagnosis;
import io.gcdiag.cli.SampleQuotes;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.verdict.Diagnosis;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The HTML report in a real browser; skipped where Chromium and its driver are not installed. */
@Tag("slow")
class HtmlBrowserTest {

  /** All that a diagnosis can hold, once each. */
  private static final int MOST_PAGES = 5;

  private static Optional<Browser> started = Optional.empty();

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws Exception {
    started = Browser.start();
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

  private Browser open(Diagnosis diagnosis) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("report.html"),
            ReportFormat.HTML.render(new DiagnosisDocument(diagnosis), Look.PLAIN));
    Browser browser = started.orElseThrow();
    browser.log("browser");
    browser.log("performance");
    browser.open(file);
    return browser;
  }

  @Test
  void itOpensWithoutErrorsAndAsksForNothingButItself() throws Exception {
    Browser browser = open(SampleDiagnosis.memoryPressure());
    // The charts of pauses and heap, each also in small beside the answer.
    assertEquals(4, browser.run("return document.querySelectorAll('.plot canvas').length").asInt());
    assertEquals(List.of(), browser.log("browser"));
    List<String> requests =
        browser.log("performance").stream()
            .map(entry -> entry.get("message").asText())
            .filter(message -> message.contains("Network.requestWillBeSent\""))
            .toList();
    assertEquals(1, requests.size(), requests.toString());
    assertTrue(requests.get(0).contains("report.html"), requests.get(0));
  }

  @Test
  void aLinkToAnInputUnfoldsItAndOneToAChartFocusesIt() throws Exception {
    Browser browser = open(SampleDiagnosis.memoryPressure());
    String inputIsOpen = "return document.querySelector('#input-1').closest('details').open";
    assertFalse(browser.run(inputIsOpen).asBoolean());
    browser.runAsync(
        "const done = arguments[0];"
            + "addEventListener('hashchange', () => setTimeout(() => done(1), 0), {once: true});"
            + "document.querySelector('.evidence a[href=\"#input-1\"]').click()");
    assertTrue(browser.run(inputIsOpen).asBoolean());
    browser.runAsync(
        "const done = arguments[0];"
            + "addEventListener('hashchange', () => setTimeout(() => done(1), 0), {once: true});"
            + "document.querySelector('.evidence a[href=\"#chart-heap\"]').click()");
    assertEquals("chart-heap", browser.run("return document.activeElement.id").asText());
    // The evidence is about one collection: it shows the incident and stands there.
    String readout =
        browser
            .runAsync(
                "setTimeout(() => arguments[0]("
                    + "document.querySelector('#chart-heap .readout').textContent), 200)")
            .asText();
    assertTrue(readout.startsWith("01:14:0"), readout);
    assertEquals(
        "incident",
        browser
            .run("return document.querySelector('.window[aria-pressed=true]').textContent")
            .asText());
  }

  /** Follows the first link of that selector; what is told below that chart afterwards. */
  private static String follow(Browser browser, String chart, String selector) throws Exception {
    return browser
        .runAsync(
            "const done = arguments[0]; document.querySelector(\""
                + selector
                + "\").click(); setTimeout(() =>"
                + " done(document.querySelector('#chart-"
                + chart
                + " .readout').textContent), 200)")
        .asText();
  }

  @Test
  void aFigureLeadsToItsOwnWindowAndEvidenceToItsInstant() throws Exception {
    Browser browser = open(SampleDiagnosis.memoryPressure());
    String row = "tr:has(#metric-1) td:nth-child(%d) a";
    // Before: the baseline; during: the incident.
    assertEquals("From 01:13:00.0 to 01:14:00.0", follow(browser, "pauses", row.formatted(2)));
    assertEquals("baseline", pressed(browser));
    assertEquals("From 01:14:00.0 to 01:15:00.0", follow(browser, "pauses", row.formatted(3)));
    assertEquals("incident", pressed(browser));
    // The source that the report ends on names one collection, which was at 01:14:08.
    String told =
        follow(browser, "heap", ".evidence a[href='#chart-heap'][data-from='1772327648000']");
    assertTrue(told.startsWith("01:14:0"), told);
  }

  private static String pressed(Browser browser) throws Exception {
    return browser
        .run("return document.querySelector('.window[aria-pressed=true]').textContent")
        .asText();
  }

  @Test
  void onPaperTheFirstPageHoldsTheAnswerAndTheRestIsCompact() throws Exception {
    Browser browser = open(SampleDiagnosis.memoryPressure());
    String pdf =
        browser.command("Page.printToPDF", "{\"printBackground\": true}").get("data").asText();
    String text =
        new String(java.util.Base64.getDecoder().decode(pdf), StandardCharsets.ISO_8859_1);
    int pages = text.split("/Type /Page\\b(?!s)", -1).length - 1;
    assertTrue(pages >= 1 && pages <= MOST_PAGES, pages + " pages");
  }

  @Test
  void aChartLeadsBackToTheFiguresAndCausesThatTellOfIt() throws Exception {
    Browser browser = open(SampleDiagnosis.memoryPressure());
    assertEquals(
        "[\"#metric-7\",\"#cause-memory-pressure\"]",
        browser
            .run(
                "return [...document.querySelectorAll('#chart-heap figcaption p a')]"
                    + ".map(a => a.getAttribute('href'))")
            .toString());
    assertEquals(
        0,
        browser
            .run(
                "return [...document.querySelectorAll('a[href^=\"#\"]')].filter(a =>"
                    + " !document.getElementById(a.getAttribute('href').slice(1))).length")
            .asInt());
  }

  @Test
  void theKeyboardMovesAlongAChartAndIsToldWhatStandsThere() throws Exception {
    Browser browser = open(SampleDiagnosis.memoryPressure());
    browser.run(
        "const plot = document.querySelector('#chart-heap .plot'); plot.focus();"
            + "plot.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}))");
    String readout =
        browser
            .runAsync(
                "setTimeout(() => arguments[0]("
                    + "document.querySelector('#chart-heap .readout').textContent), 100)")
            .asText();
    assertTrue(readout.contains("used 202 MiB, committed 256 MiB"), readout);
  }

  @Test
  void aZoomedChartKeepsItsLineAndTellsOnlyWhatStandsThere() throws Exception {
    Browser browser = open(SampleDiagnosis.memoryPressure());
    // Between two points of the heap, a minute apart, the line goes on.
    String zoomed =
        browser
            .runAsync(
                "const done = arguments[0]; const plot = document.querySelector('#chart-heap .plot');"
                    + "const press = key => plot.dispatchEvent(new KeyboardEvent('keydown', {key}));"
                    + "press('ArrowRight'); press('ArrowRight');"
                    + "for (let i = 0; i < 6; i++) press('+');"
                    + "setTimeout(() => { const c = plot.querySelector('canvas');"
                    + "const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
                    + "const line = getComputedStyle(document.documentElement).getPropertyValue('--c0').trim();"
                    + "const rgb = [1, 3, 5].map(i => parseInt(line.slice(i, i + 2), 16)); let ink = 0;"
                    + "for (let i = 0; i < d.length; i += 4)"
                    + "  if (rgb.every((v, k) => Math.abs(d[i + k] - v) < 30) && d[i + 3] > 99) ink++;"
                    + "done(String(ink)); }, 200)")
            .asText();
    assertTrue(Integer.parseInt(zoomed) > MOST_PAGES, zoomed + " pixels of the line");
    // A pause is a moment: beside it stands nothing.
    assertTrue(
        browser
            .runAsync(
                "const done = arguments[0];"
                    + "document.querySelector('#chart-pauses .plot')"
                    + ".dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}));"
                    + "setTimeout(() => done(document.querySelector('#chart-pauses .readout')"
                    + ".textContent), 100)")
            .asText()
            .endsWith("nothing recorded at this time"));
  }

  @Test
  void onATelephoneTheAnswerIsFirstAndNothingIsWiderThanTheScreen() throws Exception {
    Browser browser = open(SampleDiagnosis.memoryPressure());
    browser.command(
        "Emulation.setDeviceMetricsOverride",
        "{\"width\": 400, \"height\": 900, \"deviceScaleFactor\": 1, \"mobile\": false}");
    try {
      assertTrue(
          browser.run("return document.documentElement.scrollWidth <= innerWidth").asBoolean());
      assertTrue(
          browser
              .run(
                  "return document.querySelector('nav').getBoundingClientRect().top"
                      + " >= document.querySelector('dl').getBoundingClientRect().bottom")
              .asBoolean());
      assertEquals(
          "block",
          browser.run("return getComputedStyle(document.querySelector('tbody')).display").asText());
    } finally {
      browser.command("Emulation.clearDeviceMetricsOverride", "{}");
    }
  }

  @Test
  void theAnswerAsAPictureIsOnTheFirstScreenBesideTheFactsWhereThereIsRoom() throws Exception {
    Browser browser = open(SampleDiagnosis.memoryPressure());
    String box = "const b = s => document.querySelector(s).getBoundingClientRect();";
    for (int width : List.of(400, 800, 1_400)) {
      browser.command(
          "Emulation.setDeviceMetricsOverride",
          "{\"width\": %s, \"height\": 800, \"deviceScaleFactor\": 1, \"mobile\": false}"
              .formatted(width));
      try {
        String where = "return b('.overview').bottom <= innerHeight && b('.overview').left > %s";
        String beside =
            width == 1_400 ? "b('dt').right && b('.overview').top < b('dl').bottom" : "0";
        assertTrue(browser.run(box + where.formatted(beside)).asBoolean(), width + " pixels");
      } finally {
        browser.command("Emulation.clearDeviceMetricsOverride", "{}");
      }
    }
  }

  @Test
  void chartsBeginAtTheWindowsThatAreCompared() throws Exception {
    Browser browser = open(SampleDiagnosis.memoryPressure());
    assertEquals("baseline and incident", pressed(browser));
    // Each window, and the time around the longest pause of the incident. The sample's files have
    // no more than both windows, so that "everything" would show the same.
    assertEquals(
        "[\"baseline and incident\",\"baseline\",\"incident\",\"longest pause\"]",
        browser
            .run("return [...document.querySelectorAll('.window')].map(b => b.textContent)")
            .toString());
  }

  /**
   * The log's first stop is at 10:26:02. The baseline begins at 10:26:40.6 and the incident ends at
   * 10:28:08.6; a twentieth of the 88 s is left beside them, so that charts begin at 10:26:36.
   */
  @Test
  void chartsShowEverythingOnDemand() throws Exception {
    Browser browser =
        open(Analysis.run(AnalysisRequest.of(Incidents.folder("pool-queue-small-heap"))));
    assertEquals("baseline and incident", pressed(browser));
    assertEquals("10:26:36", begin(browser));
    browser.run(
        "[...document.querySelectorAll('.window')]"
            + ".find(b => b.textContent === 'everything').click()");
    assertEquals("everything", pressed(browser));
    assertEquals("10:26:02", begin(browser));
  }

  /** From memory pressure to pauses, with a share and a row below it, and on to latency. */
  @Test
  void eachStepOfTheChainHasOneArrow() throws Exception {
    Browser browser =
        open(Analysis.run(AnalysisRequest.of(Incidents.folder("pool-queue-small-heap"))));
    assertEquals(3, browser.run("return document.querySelectorAll('.chain .node').length").asInt());
    assertTrue(browser.run("return document.querySelectorAll('.chain .how').length").asInt() > 2);
    assertEquals(
        2,
        browser
            .run(
                "return [...document.querySelectorAll('.chain .how')].filter(how =>"
                    + " getComputedStyle(how, '::after').content !== 'none').length")
            .asInt());
  }

  /** The time at the left end of a chart, where the arrow keys end. */
  private static String begin(Browser browser) throws Exception {
    return browser
        .runAsync(
            "const plot = document.querySelector('#chart-pauses .plot'); plot.focus();"
                + "for (let i = 0; i < 100; i++)"
                + " plot.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft'}));"
                + "setTimeout(() => arguments[0](document"
                + ".querySelector('#chart-pauses .readout').textContent.slice(0, 8)), 100)")
        .asText();
  }

  @Test
  void theKeyboardMovesInTheStacksAndWidensThem() throws Exception {
    Browser browser = open(SampleDiagnosis.memoryPressure());
    String press =
        "const press = key => document.activeElement.dispatchEvent("
            + "new KeyboardEvent('keydown', {key, bubbles: true}));"
            + "document.querySelector('#stacks-cpu [role=treeitem]').focus();";
    String name = "return document.activeElement.getAttribute('aria-label')";
    assertEquals(
        "com.example.OrderController.list, 90.0 % (before: 50.0 %)",
        browser.run(press + "press('ArrowDown');" + name).asText());
    assertEquals(
        "com.example.Orders.sort, 10.0 % (before: 30.0 %)",
        browser
            .run(press + "press('ArrowDown'); press('ArrowDown'); press('ArrowRight');" + name)
            .asText());
    // Widened, the controller has all the room; the cleaner beside it is gone until Escape.
    String cleaner = "return document.querySelectorAll('#stacks-cpu .frame[hidden]').length";
    assertEquals(1, browser.run(press + "press('ArrowDown'); press('Enter');" + cleaner).asInt());
    assertEquals("100%", browser.run("return document.activeElement.style.width").asText());
    assertEquals(0, browser.run(press + "press('Escape');" + cleaner).asInt());
  }

  @Test
  void searchingTheStacksSaysHowMuchWasFound() throws Exception {
    Browser browser = open(SampleDiagnosis.memoryPressure());
    String said =
        browser
            .run(
                "const s = document.querySelector('#stacks-cpu input'); s.value = 'order';"
                    + "s.dispatchEvent(new Event('input'));"
                    + "return document.querySelector('#stacks-cpu .readout').textContent")
            .asText();
    // OrderController.list has 90 %; Orders.sort below it is in that already.
    assertEquals("90.0 % in or below 'order'", said);
  }

  /** What a button saves, as the text of its file. */
  private static String saved(Browser browser, String selector, String words) throws Exception {
    return browser
        .runAsync(
            "const done = arguments[0]; const make = URL.createObjectURL;"
                + "URL.createObjectURL = blob => { blob.arrayBuffer().then(b =>"
                + " done([...new Uint8Array(b)].map(c => String.fromCharCode(c)).join('')));"
                + " return make(blob); };"
                + "[...document.querySelectorAll('%s button')].find(b => b.textContent === '%s')"
                    .formatted(selector, words)
                + ".click(); URL.createObjectURL = make;")
        .asText();
  }

  @Test
  void aChartIsSavedAsATableOfItsValues() throws Exception {
    Browser browser = open(SampleDiagnosis.memoryPressure());
    // 120, 202 and 230 MiB used, 256 and then 339 MiB committed; values to five digits.
    assertEquals(
        """
        "time","used (bytes)","committed (bytes)"
        2026-03-01T01:13:00.000Z,125830000,268440000
        2026-03-01T01:14:00.000Z,211810000,268440000
        2026-03-01T01:15:00.000Z,241170000,355470000
        """,
        saved(browser, "#chart-heap", "CSV"));
  }

  @Test
  void stacksAreSavedAsCollapsedLinesAndForPprof() throws Exception {
    Browser browser = open(SampleDiagnosis.memoryPressure());
    String collapsed = saved(browser, "#stacks-cpu", "Collapsed stacks");
    List<String> lines = collapsed.lines().toList();
    assertTrue(
        lines.contains("java.lang.Thread.run (and 7 below);com.example.OrderController.list 190"),
        collapsed);
    // 90 % are in the controller, 61 and 10 of them in what it calls; the lines have all samples.
    long sum = lines.stream().mapToLong(line -> Long.parseLong(line.replaceAll(".* ", ""))).sum();
    assertEquals(1_000, sum, collapsed);
    String pprof = saved(browser, "#stacks-cpu", "pprof");
    assertTrue(pprof.contains("com.example.OrderController.list"), pprof);
    // Field 1, two bytes each for type and unit: the first two texts after the empty one.
    assertTrue(pprof.startsWith("\n\4\b\1\20\2"), pprof);
  }

  @Test
  void theStacksAreDrawnAsWideAsInTheBaseline() throws Exception {
    Browser browser = open(SampleDiagnosis.memoryPressure());
    // The controller had half of the samples of the baseline.
    assertEquals(
        "50%",
        browser
            .run(
                "[...document.querySelectorAll('#stacks-cpu button')]"
                    + ".find(b => b.textContent === 'Widths of the baseline').click();"
                    + "return [...document.querySelectorAll('#stacks-cpu .frame')]"
                    + ".find(f => f.title.startsWith('com.example.OrderController.list'))"
                    + ".style.width")
            .asText());
  }

  /** Three suspects of different kinds, an undecided answer, and a healthy one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "incidents/orders-small-heap",
        "incidents/orders-slow-database",
        "incidents/lantern-one-lock",
        "public/g1-code-root-scan",
        "incidents/orders-healthy"
      })
  void axeFindsNothingToObjectToInLightAndDark(String page) throws Exception {
    Path files = Incidents.folder("orders-healthy").resolve("../..").resolve(page).normalize();
    Diagnosis diagnosis = Analysis.run(AnalysisRequest.of(files));
    // The schemes differ in their colours, and in nothing else.
    Map<String, String> asked = new LinkedHashMap<>();
    asked.put("light", "");
    asked.put("dark", "{runOnly: ['color-contrast']}");
    for (String scheme : asked.keySet()) {
      Browser browser = open(diagnosis);
      browser.command(
          "Emulation.setEmulatedMedia",
          "{\"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"" + scheme + "\"}]}");
      browser.run("document.querySelectorAll('details').forEach(d => { d.open = true; })");
      JsonNode violations =
          browser.runAsync(
              axe()
                  + "; axe.run(%s).then(r => arguments[0](r.violations.map(v =>"
                      .formatted(asked.get(scheme))
                  + " v.id + ': ' + v.nodes.map(n => n.html + ' ' + n.failureSummary).join())))");
      assertEquals("[]", violations.toString(), scheme);
    }
  }

  @Test
  void hostileNamesAreShownAndNeverRun() throws Exception {
    String hostile =
        "</script><img src=x onerror=\"window.hit=1\"><script>window.hit=1</script>'\"";
    Browser browser = open(SampleQuotes.everywhere(hostile));
    assertTrue(browser.run("return window.hit === undefined").asBoolean());
    assertEquals(0, browser.run("return document.querySelectorAll('img').length").asInt());
    assertTrue(browser.run("return document.body.innerText").asText().contains(hostile));
    assertEquals(List.of(), browser.log("browser"));
  }

  private static String axe() throws IOException {
    try (InputStream in = HtmlBrowserTest.class.getResourceAsStream("/axe.min.js")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
