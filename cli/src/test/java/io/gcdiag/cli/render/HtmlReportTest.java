package io.gcdiag.cli.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.cli.SampleDiagnosis;
import io.gcdiag.cli.SampleQuotes;
import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.Cell;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.cli.report.Plot;
import io.gcdiag.cli.report.Report;
import io.gcdiag.cli.report.Tone;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.verdict.Diagnosis;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HtmlReportTest {

  private static String html(Diagnosis diagnosis) {
    return ReportFormat.HTML.render(new DiagnosisDocument(diagnosis), Look.PLAIN);
  }

  private static List<String> all(String regex, String text) {
    List<String> found = new ArrayList<>();
    Matcher matcher = Pattern.compile(regex, Pattern.DOTALL).matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }

  private static JsonNode data(String html, String id) throws Exception {
    String element = "<script type=\"application/json\" id=\"" + id + "\">(.*?)</script>";
    return new ObjectMapper().readTree(all(element, html).get(0));
  }

  @Test
  void thePolicyNamesTheHashOfEveryScriptAndStyleAndAllowsNothingElse() throws Exception {
    String html = html(SampleDiagnosis.memoryPressure());
    List<String> run = all("<script>(.*?)</script>", html);
    List<String> styles = all("<style>(.*?)</style>", html);
    assertEquals(3, run.size());
    assertEquals(1, styles.size());
    assertEquals(
        "default-src 'none'; style-src "
            + hash(styles.get(0))
            + "; script-src "
            + hash(run.get(0))
            + " "
            + hash(run.get(1))
            + " "
            + hash(run.get(2))
            + "; base-uri 'none'; form-action 'none'",
        all("Content-Security-Policy\" content=\"([^\"]*)\"", html).get(0));
  }

  @Test
  void theRankedSuspectsStandAboveTheCharts() {
    String html = html(SampleDiagnosis.memoryPressure());
    int ranked = html.indexOf(">2. Hypotheses, ranked by share of the lost time</h2>");
    assertTrue(ranked > 0 && ranked < html.indexOf("<div class=\"charts\">"), html);
  }

  private static String hash(String content) throws Exception {
    byte[] digest =
        MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
    return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
  }

  @Test
  void nothingInItPointsOutside() {
    String html = html(SampleDiagnosis.memoryPressure());
    String markup = html.replaceAll("(?s)<(script|style)[^>]*>.*?</\\1>", "");
    assertEquals(List.of(), all("(?:src|href)=\"([^#\"][^\"]*)\"", markup));
    assertFalse(html.contains("@import"));
    assertFalse(html.contains("url("));
  }

  @Test
  void everyLinkHasItsPlace() {
    String html = html(SampleDiagnosis.memoryPressure());
    List<String> ids = all(" id=\"([^\"]*)\"", html);
    assertEquals(ids.stream().distinct().toList(), ids);
    List<String> targets = all("href=\"#([^\"]*)\"", html).stream().distinct().toList();
    assertTrue(ids.containsAll(targets), targets + " in " + ids);
    assertTrue(targets.containsAll(List.of("chart-pauses", "chart-heap", "input-1", "input-2")));
  }

  @Test
  void flagsArrowsAndFiguresAreKeptWholeAndClassNamesBreakAtDotsAndDollars() {
    assertEquals(
        "set <span class=\"w\">-Xmx512m:</span> <span class=\"w\">1.18 s</span>"
            + " <span class=\"w\">-&gt;</span> <span class=\"w\">12 s</span> per minute",
        HtmlText.prose("set -Xmx512m: 1.18 s -> 12 s per minute"));
    assertEquals(
        "<span class=\"w\">com.<wbr>acme.<wbr>Orders$<wbr>Page.<wbr>find:88</span>",
        HtmlText.prose("com.acme.Orders$Page.find:88"));
    assertEquals("24 requests, 3.70 of 10", HtmlText.prose("24 requests, 3.70 of 10"));
    // More than a telephone's line holds: the style sheet makes it smaller there.
    String long50 = "x".repeat(50);
    assertEquals(
        "<span class=\"w\">a.<wbr><i>" + long50 + "</i></span>", HtmlText.prose("a." + long50));
    assertEquals("<span class=\"w\"><i>" + long50 + "</i></span>", HtmlText.prose(long50));
    // 42 characters, the words of the longest part 12: it is broken and not made smaller.
    assertEquals(
        "<span class=\"w\">hikaricp_<wbr>connections_<wbr>acquire_<wbr>seconds_<wbr>count</span>",
        HtmlText.prose("hikaricp_connections_acquire_seconds_count"));
    // No name is as long: a value may be broken anywhere.
    String long73 = "x".repeat(73);
    assertEquals("a.<wbr>" + long73, HtmlText.prose("a." + long73));
  }

  @Test
  void theOverviewDividesAllOfTheLostTimeAmongTheCauses() {
    String drawn =
        HtmlRenderer.render(
            new Report(
                Cell.of("Answer"),
                List.of(
                    new Block.Overview(
                        "Incident 01:14 to 01:15",
                        List.of(
                            new Block.Part("memory-pressure", 0.6, "60.0 %", Tone.BAD),
                            new Block.Part("other causes", 0.3, "30.0 %", Tone.MUTED),
                            new Block.Part("unexplained", 0.1, "10.0 %", Tone.PLAIN)),
                        List.of("chart-latency")))),
            new DiagnosisDocument(SampleDiagnosis.healthy()).json());
    // Each part begins where the one before ends.
    assertEquals(List.of("0.00%", "60.00%", "90.00%"), all("<rect[^>]* x=\"(.*?)\"", drawn));
    assertEquals(List.of("bad", "muted", "plain"), all("<rect class=\"([a-z]+)\" height", drawn));
    assertTrue(drawn.contains("60.0 %</span> <span class=\"w\">memory-pressure</span>"), drawn);
    assertTrue(drawn.contains("data-chart=\"chart-latency\""), drawn);
  }

  @Test
  void theOverviewPrecedesTheFactsAndNamesTheSuspectsTheOthersAndTheRest() {
    String html = html(SampleDiagnosis.memoryPressure());
    assertTrue(html.indexOf("class=\"overview\"") < html.indexOf("<dl>"), html);
    String words = html.replaceAll("</?(?:span|svg|rect)[^>]*>", "");
    assertEquals(
        List.of("81.0 % memory-pressure", "10.0 % cpu-saturation", "19.0 % unexplained"),
        all("<li>([^<]*)</li>", all("<ul class=\"parts\">(.*?)</ul>", words).get(0)));
  }

  @Test
  void windowsAndInputsAreTheLastPart() {
    List<String> headings = all("<h2[^>]*>(.*?)</h2>", html(SampleDiagnosis.memoryPressure()));
    assertTrue(headings.get(headings.size() - 1).endsWith(". Windows and inputs"));
  }

  @Test
  void theRankedTableUnfoldsToTheEvidence() {
    String html = html(SampleDiagnosis.memoryPressure());
    assertTrue(html.contains("<summary>Evidence for row 2</summary>"), html);
    // Figures with their units are elements, so that lines are not broken inside of them.
    String words = html.replaceAll("</?[a-z][^>]*>", "");
    assertTrue(words.contains("(256 MiB - 202 MiB) / 256 MiB = 21.1 %"), words);
  }

  @Test
  void itHoldsTheReportForMachinesAndTheSeries() throws Exception {
    DiagnosisDocument document = new DiagnosisDocument(SampleDiagnosis.memoryPressure());
    String html = html(SampleDiagnosis.memoryPressure());
    assertEquals(document.json().toString(), data(html, "report-json").toString());
    JsonNode charts = data(html, "chart-data");
    // The first point lies a minute before the incident: 01:13:00.
    assertEquals(1_772_327_580_000L, charts.get("start").asLong());
    assertEquals("[0,60000,120000]", charts.at("/charts/1/lines/0/t").toString());
    // 202 MiB = 211,812,352 bytes, to five digits
    assertEquals(211_810_000L, charts.at("/charts/1/lines/0/v/1").asLong());
    assertEquals(60_000, charts.at("/marks/1/from").asInt());
  }

  @Test
  void namesAreTextWhereverTheyStand() {
    String hostile = "</script><script>alert(1)</script><!--\" onload='x'&amp;";
    String html = html(SampleQuotes.everywhere(hostile));
    assertFalse(html.contains("<script>alert"), html);
    assertEquals(5, html.split("</script>", -1).length - 1);
    assertFalse(html.contains("<!--"), html);
    assertTrue(html.contains("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!--&quot;"));
    assertTrue(html.contains("\\u003c/script\\u003e"));
  }

  @Test
  void aReportWithoutChartsHasNone() {
    String html = html(SampleDiagnosis.healthy());
    assertFalse(html.contains("<figure"), html);
    assertTrue(html.contains("<h1 class=\"good\">Healthy"), html);
  }

  private static Plot plot(String... files) {
    List<Plot.Trace> traces =
        Stream.of(files)
            .map(
                file ->
                    new Plot.Trace(
                        "P99", Plot.Shape.LINE, Cell.of(file), Optional.empty(), List.of()))
            .toList();
    return new Plot("chart-latency", "Latency", "ns", traces, List.of(), Optional.empty());
  }

  @Test
  void aChartNamesTheFileThatAllItsLinesAreFrom() {
    Report report =
        new Report(
            Cell.of("Two charts"),
            List.of(
                new Block.Charts(
                    ZoneOffset.UTC,
                    List.of(),
                    Optional.empty(),
                    List.of(plot("load.csv", "load.csv"), plot("load.csv", "access.log")))));
    String html =
        HtmlRenderer.render(report, new DiagnosisDocument(SampleDiagnosis.healthy()).json());
    String plain = html.replaceAll("<wbr>|</?span[^>]*>", "");
    assertTrue(
        plain.contains("<h3>Latency</h3>\n<p class=\"source\">From load.csv</p>\n<div"), plain);
    assertTrue(plain.contains("<h3>Latency</h3>\n<div"), plain);
  }

  @Test
  void anHourWithEveryChartFullStaysUnderTwoMegabytes() {
    // Nine charts with 24 lines of 2,000 points is more than any input gives.
    Window hour =
        new Window(Instant.parse("2026-03-01T01:00:00Z"), Instant.parse("2026-03-01T02:00:00Z"));
    Random random = new Random(1);
    List<Plot> plots = new ArrayList<>();
    for (int chart = 0; chart < 8; chart++) {
      List<Plot.Trace> traces = new ArrayList<>();
      for (int line = 0; line < 3; line++) {
        List<Plot.Point> points = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
          points.add(new Plot.Point(hour.from().plusMillis(1_801L * i), random.nextDouble() * 1e9));
        }
        traces.add(
            new Plot.Trace("line " + line, Plot.Shape.LINE, Cell.of("x"), Optional.of(""), points));
      }
      plots.add(
          new Plot(
              "chart-" + chart,
              "Chart " + chart,
              "bytes",
              traces,
              List.of(),
              Optional.of(traces.get(0))));
    }
    Report report =
        new Report(
            Cell.of("An hour"),
            List.of(new Block.Charts(ZoneOffset.UTC, List.of(), Optional.empty(), plots)));
    String html =
        HtmlRenderer.render(report, new DiagnosisDocument(SampleDiagnosis.healthy()).json());
    int bytes = html.getBytes(StandardCharsets.UTF_8).length;
    assertTrue(bytes < 2_000_000, bytes + " bytes");
  }

  @Test
  void aShareIsDrawnAsABarBesideItsFigure() {
    String html = html(SampleDiagnosis.memoryPressure());
    assertTrue(html.contains("61.0 %</span><svg class=\"bar\""), html);
    assertTrue(html.contains("<rect width=\"61\" height=\"10\"/>"), html);
  }
}
