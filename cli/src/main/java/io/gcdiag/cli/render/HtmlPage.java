package io.gcdiag.cli.render;

import io.gcdiag.units.ResourceText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The page around a report. It holds all it needs, and its content security policy allows nothing
 * else: of styles and scripts only those whose hashes it names, of the network nothing at all.
 */
final class HtmlPage {

  private static final String STYLE = resource("uPlot.min.css") + resource("report.css");
  private static final String CHARTS =
      "/*\n" + resource("uPlot.LICENSE.txt") + "*/\n" + resource("uPlot.iife.min.js");
  private static final String SCRIPT = resource("report.js");
  private static final String ICICLE = resource("icicle.js");

  private static final String POLICY =
      "default-src 'none'; style-src %s; script-src %s %s %s; base-uri 'none'; form-action 'none'"
          .formatted(hash(STYLE), hash(CHARTS), hash(SCRIPT), hash(ICICLE));

  private HtmlPage() {}

  /**
   * The page up to the markup of the report.
   *
   * @param title text, not markup
   */
  static String begin(String title) {
    return resource("page-begin.html").formatted(POLICY, HtmlText.escape(title), STYLE);
  }

  /**
   * The page after the markup of the report.
   *
   * @param charts what the charts draw, as JSON
   * @param report the report for machines, as JSON
   */
  static String end(String charts, String report) {
    return resource("page-end.html")
        .formatted(HtmlText.data(charts), HtmlText.data(report), CHARTS, SCRIPT, ICICLE);
  }

  /** As a content security policy names a script or style by what is in it. */
  private static String hash(String content) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Line ends are normalised to line feeds, as browsers do before hashing. */
  private static String resource(String name) {
    return ResourceText.whole(HtmlPage.class, name);
  }
}
