package io.gcdiag.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/**
 * Adds up every share of a report as a reader would: causes and the unexplained part, the lines of
 * the ledger and their times, and the same figures where text prints them.
 */
final class ReportSums {

  /** Shares are printed in tenths of a per cent, so that each may be off by half of that. */
  private static final double ROUNDING = 0.0005;

  private static final Pattern PER_CENT = Pattern.compile("([\\d.]+) %");
  private static final Pattern BRACKETS = Pattern.compile("\\([^()]*\\)");

  /** The line of the answer and what it goes on with. */
  private static final Pattern EXPLAINS = Pattern.compile("\nExplains  +(.*(?:\n {4,}.*)*)");

  /** A row of the table of the first screen: number, id, share. */
  private static final Pattern ROW = Pattern.compile("\n *\\d+  ([a-z-]+) +(none|-|[\\d.]+ %)  ");

  private static final Pattern SMALLER =
      Pattern.compile("Smaller shares: ([^;.]*(?:\\.\\d[^;.]*)*)");

  private final JsonNode json;
  private final List<String> slips = new ArrayList<>();

  private ReportSums(JsonNode json) {
    this.json = json;
  }

  /** What does not add up, with its figures; nothing for a report that does. */
  static List<String> of(String json, String text) throws IOException {
    ReportSums sums = new ReportSums(new ObjectMapper().readTree(json));
    sums.causes();
    sums.ledger();
    sums.links();
    sums.headline(text);
    sums.rows(text);
    return sums.slips;
  }

  private static List<JsonNode> each(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  private void same(String what, double expected, double sum, int parts) {
    if (Math.abs(expected - sum) > ROUNDING * (parts + 1)) {
      slips.add(String.format(Locale.ROOT, "%s: %.4f, and not %.4f", what, sum, expected));
    }
  }

  private List<Double> shares() {
    return each(json.path("hypotheses")).stream()
        .filter(cause -> cause.path("explainedShare").isNumber())
        .map(cause -> cause.path("explainedShare").asDouble())
        .toList();
  }

  private double explained() {
    return shares().stream().mapToDouble(share -> share).sum();
  }

  private void causes() {
    if (explained() > 0) {
      same("causes and unexplained", 1, explained() + json.path("unexplainedShare").asDouble(), 1);
    }
  }

  private List<JsonNode> counted() {
    return each(json.path("ledger")).stream()
        .filter(line -> !line.path("atMost").asBoolean())
        .toList();
  }

  private double seconds() {
    return counted().stream()
        .mapToDouble(line -> line.path("excessThreadSeconds").asDouble())
        .sum();
  }

  private void ledger() {
    if (seconds() <= 0) {
      return;
    }
    same("ledger", 1, counted().stream().mapToDouble(l -> l.path("share").asDouble()).sum(), 1);
    for (JsonNode line : counted()) {
      same(
          "share of " + line.path("effect").asText(),
          line.path("excessThreadSeconds").asDouble() / seconds(),
          line.path("share").asDouble(),
          1);
    }
  }

  /** What leads to latency is all of the lost time, with the ledger's figure for each effect. */
  private void links() {
    List<JsonNode> links = new ArrayList<>(each(json.path("causalChain")));
    links.addAll(each(json.path("otherCausalLinks")));
    List<JsonNode> felt =
        links.stream().filter(link -> link.path("to").asText().equals("latency")).toList();
    if (!felt.isEmpty()) {
      same(
          "links to latency",
          1,
          felt.stream().mapToDouble(l -> l.path("share").asDouble()).sum(),
          1);
    }
    for (JsonNode link : links) {
      same(
          "link from " + link.path("from").asText() + " to " + link.path("to").asText(),
          link.path("threadSeconds").asDouble() / seconds(),
          link.path("share").asDouble(),
          1);
    }
  }

  /** Suspects, other causes and the unexplained part; bounds are in brackets. */
  private void headline(String text) {
    Matcher line = EXPLAINS.matcher(text);
    if (!line.find() || !line.group(1).contains("unexplained")) {
      return;
    }
    String words = BRACKETS.matcher(line.group(1).replaceAll("\\s+", " ")).replaceAll("");
    double sum = 0;
    int parts = 0;
    Matcher share = PER_CENT.matcher(words);
    while (share.find()) {
      sum += Double.parseDouble(share.group(1)) / 100;
      parts++;
    }
    same("'" + words.strip() + "'", 1, sum, parts);
  }

  /** Each row has the share of its cause. */
  private void rows(String text) {
    Matcher row = ROW.matcher(text);
    while (row.find()) {
      String id = row.group(1);
      String printed = row.group(2).replace(" %", "");
      JsonNode share =
          each(json.path("hypotheses")).stream()
              .filter(cause -> cause.path("id").asText().equals(id))
              .findFirst()
              .orElseThrow()
              .path("explainedShare");
      if (printed.matches("[\\d.]+")) {
        same("row of " + id, share.asDouble(), Double.parseDouble(printed) / 100, 0);
      } else {
        same("row of " + id, 0, share.asDouble(), 0);
      }
    }
    Matcher smaller = SMALLER.matcher(text.replaceAll("\\s+", " "));
    if (smaller.find()) {
      Matcher one = Pattern.compile("([a-z-]+) ([\\d.]+) %").matcher(smaller.group(1));
      while (one.find()) {
        String id = one.group(1);
        same(
            "smaller share of " + id,
            each(json.path("hypotheses")).stream()
                .filter(cause -> cause.path("id").asText().equals(id))
                .mapToDouble(cause -> cause.path("explainedShare").asDouble())
                .sum(),
            Double.parseDouble(one.group(2)) / 100,
            0);
      }
    }
  }
}
