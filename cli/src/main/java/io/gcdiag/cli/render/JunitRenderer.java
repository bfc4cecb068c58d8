package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Check;
import io.gcdiag.cli.report.Check.Outcome;
import java.util.List;

/** Checks in the XML that JUnit writes and that every CI server shows. */
final class JunitRenderer {

  private JunitRenderer() {}

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
