package io.gcdiag.cli.render;

import io.gcdiag.cli.render.MarkdownRenderer.Markup;
import io.gcdiag.cli.report.Printable;
import io.gcdiag.cli.report.Printable.Check;
import io.gcdiag.cli.report.Printable.Check.Outcome;
import io.gcdiag.cli.report.Report;
import java.io.IOException;
import java.io.Writer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** The formats of a report. A new format is one more constant. */
public enum ReportFormat {
  TABLE("table", ".txt", ReportFormat::text),
  MARKDOWN(
      "markdown", ".md", (answer, look) -> ticket(new MarkdownRenderer.GitHub(), answer, look)),
  JIRA("jira", ".jira", (answer, look) -> ticket(new Markup.Jira(), answer, look)),
  /** For browsers: one file with everything in it. */
  HTML("html", ".html", (answer, look) -> HtmlRenderer.render(answer.report(), answer.json())) {
    @Override
    public void write(Printable answer, Look look, Writer out) {
      HtmlRenderer.write(answer.report(), answer.json(), out);
    }
  },
  /** For CI servers. */
  JUNIT("junit", ".xml", (answer, look) -> JunitRenderer.render(answer.checks())) {
    @Override
    public boolean fits(Printable answer) {
      return !answer.checks().isEmpty();
    }
  },
  /** For machines. */
  JSON("json", ".json", (answer, look) -> JsonRenderer.render(answer.json()));

  private final String id;
  private final String ending;
  private final BiFunction<Printable, Look, String> renderer;

  ReportFormat(String id, String ending, BiFunction<Printable, Look, String> renderer) {
    this.id = id;
    this.ending = ending;
    this.renderer = renderer;
  }

  /** The fullest form that a terminal shows without scrolling. */
  private static String text(Printable answer, Look look) {
    if (look.verbose()) {
      return TextRenderer.render(answer.report(), look);
    }
    String text = TextRenderer.render(answer.brief(), look);
    Iterator<Report> shorter = answer.shorter().iterator();
    while (!look.holds(text) && shorter.hasNext()) {
      text = TextRenderer.render(shorter.next(), look);
    }
    return text;
  }

  private static String ticket(Markup markup, Printable answer, Look look) {
    return MarkdownRenderer.render(markup, answer.report(), answer.brief(), look);
  }

  /** The name on the command line. */
  public String id() {
    return id;
  }

  /** Whether this format supports the answer. */
  public boolean fits(Printable answer) {
    return true;
  }

  public String render(Printable answer, Look look) {
    return renderer.apply(answer, look);
  }

  /**
   * Writes the answer in this format.
   *
   * @throws java.io.UncheckedIOException if it cannot be written
   */
  public void write(Printable answer, Look look, Writer out) throws IOException {
    out.write(render(answer, look));
  }

  /**
   * The format of that name.
   *
   * @throws IllegalArgumentException if there is none; the message lists those there are
   */
  public static ReportFormat named(String id) {
    return Arrays.stream(values())
        .filter(format -> format.isCalled(id.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no format '" + id + "'; choose one of " + list(false)));
  }

  /** Markdown is known by the ending of its files as well. */
  private boolean isCalled(String name) {
    return id.equals(name) || this == MARKDOWN && ending.equals("." + name);
  }

  /** The format that a file's name stands for. */
  public static Optional<ReportFormat> ofFileName(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return Arrays.stream(values()).filter(format -> lower.endsWith(format.ending)).findFirst();
  }

  /** The endings of file names, for messages. */
  public static String endings() {
    return list(true);
  }

  private static String list(boolean endings) {
    return Arrays.stream(values())
        .map(format -> endings ? format.ending : format.id)
        .collect(Collectors.joining(", "));
  }

  /** Checks in the XML that JUnit writes and that every CI server shows. */
  private static final class JunitRenderer {

    static String render(List<Check> checks) {
      StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
      xml.append("<testsuites>\n  <testsuite name=\"gcdiag\" tests=\"").append(checks.size());
      xml.append("\" failures=\"").append(count(checks, Outcome.FAILED));
      xml.append("\" errors=\"0\" skipped=\"").append(count(checks, Outcome.SKIPPED));
      xml.append("\">\n");
      checks.forEach(check -> append(xml, check));
      return xml.append("  </testsuite>\n</testsuites>\n").toString();
    }

    private static long count(List<Check> checks, Outcome outcome) {
      return checks.stream().filter(check -> check.outcome() == outcome).count();
    }

    private static void append(StringBuilder xml, Check check) {
      xml.append("    <testcase classname=\"gcdiag\" name=\"").append(escape(check.name()));
      xml.append("\">\n");
      String reason = escape(check.reason());
      String detail = escape(check.detail());
      switch (check.outcome()) {
        case PASSED -> {
          xml.append("      <system-out>").append(reason);
          xml.append(detail.isEmpty() ? "" : "\n" + detail).append("</system-out>\n");
        }
        case FAILED -> {
          xml.append("      <failure message=\"").append(reason).append("\">").append(detail);
          xml.append("</failure>\n");
        }
        case SKIPPED -> xml.append("      <skipped message=\"").append(reason).append("\"/>\n");
        default -> throw new IllegalStateException("no such outcome: " + check.outcome());
      }
      xml.append("    </testcase>\n");
    }

    /** XML 1.0 excludes the noncharacters U+FFFE and U+FFFF, even as character references. */
    private static String escape(String text) {
      return HtmlText.escape(text.replace('\uFFFE', '?').replace('\uFFFF', '?'));
    }
  }
}
