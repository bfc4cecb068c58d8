package io.gcdiag.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Adds up every share of a report as a reader would: causes and the unexplained part, the lines of
 * the ledger and their times, and the same figures where text prints them.
 */
final class ReportSums {

  /** Shares are printed in tenths of a per cent, so that each may be off by half of that. */
  private static final double ROUNDING = 0.0005;

  /** What is printed adds up as it is printed; floating-point numbers are off by less. */
  private static final double EXACTLY = 1e-6;

  private static final Pattern PER_CENT = Pattern.compile("([\\d.]+) %");
  private static final Pattern BRACKETS = Pattern.compile("\\([^()]*\\)");

  /** The line of the answer and what it goes on with. */
  private static final Pattern EXPLAINS = Pattern.compile("\nExplains  +(.*(?:\n {4,}.*)*)");

  /** A row of the table of the first screen: number, id, share. */
  private static final Pattern ROW = Pattern.compile("\n *\\d+  ([a-z-]+) +(none|-|[\\d.]+ %)  ");

  private static final Pattern SMALLER =
      Pattern.compile("Further shares: ([^;.]*(?:\\.\\d[^;.]*)*)");

  /** {@code 280 s = 241 s stopped in a GC pause ((8.64 - 0.01) x 27.9 s) + 38.7 s waiting ...}. */
  private static final Pattern LOST_TIME = Pattern.compile("\nLost time  +(.*(?:\n {4,}.*)*)");

  private static final Pattern SECONDS = Pattern.compile("^([\\d,.]+) s ");

  /** What one part of it is the product of. */
  private static final Pattern PRODUCT =
      Pattern.compile("\\(\\(?([\\d,.]+)(?: - ([\\d,.]+)\\))? x ([\\d,.]+) s\\)$");

  /** The suspect's share of it, as a sum of the same parts. */
  private static final Pattern EXPLAINED =
      Pattern.compile(" ([\\d.]+) %(?: \\(([a-z-]+)\\))?: ([\\d,.]+) s = ([\\d,.]+ s .*)$");

  private static final Pattern STEP = Pattern.compile("([\\d.]+) % of the lost time: ");

  /** {@code memory-pressure 42 min 95.0 % 1 ...}: name, time, share. */
  private static final Pattern FLEET_ROW =
      Pattern.compile("(?m)^[a-z0-9][a-z0-9 -]*?  +[\\d.]+ [a-z].*?  +([\\d.]+) %(?: |$)");

  /** The same in its page. */
  private static final Pattern FLEET_CELL =
      Pattern.compile("data-label=\"Share\"><span class=\"w\">([\\d.]+) %");

  /** The links outside of the chain, where rows are lines. */
  private static final Pattern STEPS =
      Pattern.compile("\\bOf lost time[ |]*\\|+[^\n]*\n((?:[^\n]*\\|[^\n]*\n)*)");

  private static final Pattern STEP_ROW =
      Pattern.compile("(?m)^[| ]*[^|\n]+\\|[^|\n]+\\| *([\\d.]+) % *\\|");

  private static final Pattern PICTURE = Pattern.compile("(?s)<ul class=\"parts\">(.*?)</ul>");

  private static final Pattern LARGEST =
      Pattern.compile("Most of it \\(([\\d.]+) %\\) is time ([^,.]*)");

  private static final Pattern UNEXPLAINED =
      Pattern.compile("([\\d.]+) % (?:of it is unexplained|unexplained may have another)");

  private static final Pattern TAG = Pattern.compile("<[^>\n]*>");

  /** What has no figures for a reader and most of the characters. */
  private static final Pattern DRAWN = Pattern.compile("(?s)<(svg|script|style)\\b.*?</\\1>");

  private static final Pattern CELL = Pattern.compile("</t[dh]>|<dd>|<br>");

  /** A cause with its share: {@code memory-pressure | 95.0 %}. */
  private static final Pattern CAUSE_ROW =
      Pattern.compile("(?<![a-z-])([a-z][a-z-]+)(?:\\)?\\**[ |]*\\| *| \\()([\\d.]+) %(?= *[|()])");

  /** {@code - **Explains:** 94.6 %}, {@code * *Explains:* 94.6 %}, {@code Explains|94.6 %}. */
  private static final Pattern HEADLINE =
      Pattern.compile("(?m)^(?:- \\*\\*|\\* \\*)?Explains(?::\\*+ ?|\\||  +)(.*(?:\n {4,}.*)*)$");

  /** What the ledger calls each effect. */
  private static final Map<String, String> TITLES =
      Stream.of(Effect.values()).collect(Collectors.toMap(Effect::id, Effect::title));

  private static final Pattern DELAYED =
      Pattern.compile(
          "Delayed +by pauses: ([\\d,.]+) requests \\(([\\d.]+) % of"
              + " (?:the whole test's )?([\\d,.]+)/s x ([\\d,.]+) s\\)"
              + " x ([\\d,.]+) (ms|s) = ([\\d,.]+) s");

  /** Figures of three digits are printed to half a per cent at worst. */
  private static final double THREE_DIGITS = 0.005;

  private final JsonNode json;
  private final List<String> slips = new ArrayList<>();

  private ReportSums(JsonNode json) {
    this.json = json;
  }

  /** What does not add up, with its figures; nothing for a report that does. */
  static List<String> of(JsonNode json, String text) {
    ReportSums sums = new ReportSums(json);
    sums.causes();
    sums.ledger();
    sums.links();
    sums.headline(text);
    sums.rows(text);
    sums.lostTime(text);
    sums.otherLostTime();
    sums.sentences(text.replaceAll("\\s+", " "));
    return sums.slips;
  }

  /**
   * The headline and the steps of the chain of a report in any format, and the tables of causes and
   * of the ledger where rows are lines: a text breaks them.
   */
  static List<String> ofFormat(JsonNode json, String report) {
    ReportSums sums = new ReportSums(json);
    String cells = CELL.matcher(DRAWN.matcher(report).replaceAll("")).replaceAll("|");
    String plain = TAG.matcher(cells).replaceAll("");
    Matcher line = HEADLINE.matcher(plain);
    boolean explains = line.find();
    if (explains && line.group(1).contains("unexplained")) {
      sums.whole(line.group(1));
    }
    double printed = 0;
    int parts = 0;
    for (JsonNode entry : sums.counted()) {
      String title = TITLES.getOrDefault(entry.path("effect").asText(), "");
      Matcher row =
          Pattern.compile(
                  "(?m)^[| ]*" + title + "[^|\n]*\\|[^|\n]*\\|[^|\n]*\\| *(none|[\\d.]+ %) *\\|")
              .matcher(plain);
      if (row.find() && row.group(1).endsWith("%")) {
        double share = Double.parseDouble(row.group(1).replace(" %", "")) / 100;
        sums.exactly("row of " + title, sums.printed(entry), share);
        printed += share;
        parts++;
      }
    }
    if (parts > 0) {
      sums.exactly("rows of the ledger", 1, printed);
    }
    sums.causeRows(plain);
    sums.picture(report);
    sums.sentences(plain);
    sums.steps(STEP.matcher(plain));
    Matcher table = STEPS.matcher(plain);
    while (table.find()) {
      sums.steps(STEP_ROW.matcher(table.group(1)));
    }
    sums.crossChecks(plain);
    return sums.slips;
  }

  private void causeRows(String plain) {
    Map<String, Double> shares = new TreeMap<>();
    for (JsonNode cause : each(json.path("hypotheses"))) {
      shares.put(cause.path("id").asText(), cause.path("explainedShare").asDouble());
    }
    Matcher row = CAUSE_ROW.matcher(plain);
    while (row.find()) {
      if (shares.containsKey(row.group(1))) {
        double share = Double.parseDouble(row.group(2)) / 100;
        exactly("row of " + row.group(1), shares.get(row.group(1)), share);
      }
    }
  }

  /** Times of two sources, where a row is a line. */
  private void crossChecks(String plain) {
    for (JsonNode check : each(json.path("crossChecks"))) {
      String[] fact = check.path("fact").asText().split(", in seconds", 2);
      Matcher row =
          Pattern.compile(
                  "(?m)^[| ]*"
                      + Pattern.quote(fact[0] + (fact.length > 1 ? fact[1] : ""))
                      + "\\**[ |]*\\| *([^|(\n]* and [^|(\n]*) \\(")
              .matcher(plain);
      if (fact.length > 1 && row.find()) {
        String both = seconds(check.path("a")) + " and " + seconds(check.path("b"));
        String said = row.group(1).replaceAll(" for the users| in the server", "");
        if (!both.equals(said)) {
          slips.add(fact[0] + ": " + row.group(1) + ", and not " + both);
        }
      }
    }
  }

  private static String seconds(JsonNode side) {
    return Durations.format(side.path("value").asDouble());
  }

  /**
   * What does not add up in the causes of a fleet: with what no suspect explains they are all of
   * the lost time.
   */
  static List<String> ofFleet(String report) {
    ReportSums sums = new ReportSums(MissingNode.getInstance());
    Matcher row = (report.startsWith("<") ? FLEET_CELL : FLEET_ROW).matcher(report);
    double printed = 0;
    while (row.find()) {
      printed += Double.parseDouble(row.group(1)) / 100;
    }
    sums.exactly("shares of the fleet", 1, printed);
    return sums.slips;
  }

  /** The bar beside the answer, with what it is made of. */
  private void picture(String html) {
    Matcher parts = PICTURE.matcher(html);
    if (parts.find()) {
      whole(TAG.matcher(parts.group(1)).replaceAll(""));
    }
  }

  /** The largest part of the lost time, and what is unexplained, in words. */
  private void sentences(String plain) {
    Matcher largest = LARGEST.matcher(plain);
    while (largest.find()) {
      double share = Double.parseDouble(largest.group(1)) / 100;
      counted().stream()
          .filter(entry -> TITLES.get(entry.path("effect").asText()).equals(largest.group(2)))
          .forEach(entry -> exactly(largest.group(), printed(entry), share));
    }
    Matcher rest = UNEXPLAINED.matcher(plain);
    while (rest.find()) {
      double share = Double.parseDouble(rest.group(1)) / 100;
      exactly(rest.group(), json.path("unexplainedShare").asDouble(), share);
    }
  }

  /** Each has the share of a link. */
  private void steps(Matcher step) {
    while (step.find()) {
      double share = Double.parseDouble(step.group(1)) / 100;
      boolean known =
          Stream.of("causalChain", "otherCausalLinks")
              .flatMap(links -> each(json.path(links)).stream())
              .anyMatch(link -> Math.abs(link.path("share").asDouble() - share) <= 2 * ROUNDING);
      if (!known) {
        slips.add("no link has the share of the step '" + step.group() + "'");
      }
    }
  }

  private static List<JsonNode> each(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  private void same(String what, double expected, double sum, int parts) {
    if (Math.abs(expected - sum) > ROUNDING * (parts + 1)) {
      slips.add(String.format(Locale.ROOT, "%s: %.4f, and not %.4f", what, sum, expected));
    }
  }

  private void exactly(String what, double expected, double printed) {
    if (Math.abs(expected - printed) > EXACTLY) {
      slips.add(String.format(Locale.ROOT, "%s: %.4f, and not %.4f", what, printed, expected));
    }
  }

  /** What is less than a tenth of a per cent is printed as that. */
  private double printed(JsonNode entry) {
    return Math.rint(entry.path("share").asDouble() * 1000) / 1000;
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
      exactly("causes and unexplained", 1, explained() + json.path("unexplainedShare").asDouble());
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
    exactly("ledger", 1, counted().stream().mapToDouble(this::printed).sum());
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
      exactly("links to latency", 1, felt.stream().mapToDouble(this::printed).sum());
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
    whole(line.group(1));
  }

  private void whole(String explains) {
    String words = BRACKETS.matcher(explains.replaceAll("\\s+", " ")).replaceAll("");
    double sum = 0;
    Matcher share = PER_CENT.matcher(words);
    while (share.find()) {
      sum += Double.parseDouble(share.group(1)) / 100;
    }
    exactly("'" + words.strip() + "'", 1, sum);
  }

  /** The parts are the whole, and each is what its threads and the window make. */
  private void lostTime(String text) {
    Matcher line = LOST_TIME.matcher(text);
    if (line.find()) {
      String words = line.group(1).replaceAll("\\s+", " ");
      Matcher explained = EXPLAINED.matcher(words);
      String[] sides = explained.replaceAll("").split(" = ", 2);
      double all = number(sides[0].replace(" s", ""));
      near("lost time", all, sum(sides[1]), 1, 0.01);
      if (explained.reset().find()) {
        double share = number(explained.group(1)) / 100;
        double seconds = number(explained.group(3));
        near(explained.group(), seconds, sum(explained.group(4)), 1, 0.01);
        near(explained.group(), seconds, share * all, 2, ROUNDING * all);
        exactly("sum of the suspect", suspect(Optional.ofNullable(explained.group(2))), share);
      }
    }
    Matcher delayed = DELAYED.matcher(text.replaceAll("\\s+", " "));
    if (delayed.find()) {
      double requests = number(delayed.group(1));
      double rate = number(delayed.group(3)) * number(delayed.group(4));
      double each = number(delayed.group(5)) * unit(delayed.group(6));
      double some = Math.rint(number(delayed.group(2)) / 100 * rate);
      product(delayed.group(), delayed.group(1), some);
      product(delayed.group(), delayed.group(7), requests * each);
    }
  }

  /** Of two sources of the lost time the report says which one it has, or that it has neither. */
  private void otherLostTime() {
    for (JsonNode check : each(json.path("crossChecks"))) {
      for (JsonNode side : List.of(check.path("a"), check.path("b"))) {
        if (side.path("source").asText().contains(", the report's lost time")) {
          near("lost time", seconds(), side.path("value").asDouble(), 1, 0.01);
        }
      }
    }
  }

  /** Suspects that are not separable have one share together; another cause has its name there. */
  private double suspect(Optional<String> id) {
    return each(json.path("hypotheses")).stream()
        .filter(
            cause ->
                id.map(cause.path("id").asText()::equals)
                    .orElse(cause.path("verdict").asText().equals("primary-suspect")))
        .mapToDouble(cause -> cause.path("explainedShare").asDouble())
        .sum();
  }

  /** Of times in words, each of which is the product that it names. */
  private double sum(String words) {
    double sum = 0;
    for (String part : words.split(" \\+ ")) {
      Matcher seconds = SECONDS.matcher(part);
      if (!seconds.find()) {
        slips.add("'" + part + "' has no time");
        continue;
      }
      sum += number(seconds.group(1));
      Matcher product = PRODUCT.matcher(part);
      if (product.find()) {
        String usual = product.group(2);
        double grown = number(product.group(1)) - (usual == null ? 0 : number(usual));
        product(part, seconds.group(1), grown * number(product.group(3)));
      }
    }
    return sum;
  }

  private void near(String what, double printed, double calculated, int factors, double error) {
    if (Math.abs(printed - calculated) > (factors + 1) * THREE_DIGITS * printed + error) {
      slips.add(String.format(Locale.ROOT, "%s: %.4f, and not %.4f", what, calculated, printed));
    }
  }

  /** What printed factors make is what is printed, to its last digit. */
  private void product(String what, String printed, double made) {
    if (!Numbers.threeDigits(made).equals(printed)) {
      slips.add(what + ": " + Numbers.threeDigits(made) + ", and not " + printed);
    }
  }

  private static double unit(String name) {
    return name.equals("ms") ? 1e-3 : 1;
  }

  private static double number(String text) {
    return Double.parseDouble(text.replace(",", ""));
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
        exactly("row of " + id, share.asDouble(), Double.parseDouble(printed) / 100);
      } else {
        same("row of " + id, 0, share.asDouble(), 0);
      }
    }
    Matcher smaller = SMALLER.matcher(text.replaceAll("\\s+", " "));
    if (smaller.find()) {
      Matcher one = Pattern.compile("([a-z-]+) ([\\d.]+) %").matcher(smaller.group(1));
      while (one.find()) {
        String id = one.group(1);
        exactly(
            "further share of " + id,
            each(json.path("hypotheses")).stream()
                .filter(cause -> cause.path("id").asText().equals(id))
                .mapToDouble(cause -> cause.path("explainedShare").asDouble())
                .sum(),
            Double.parseDouble(one.group(2)) / 100);
      }
    }
  }
}
