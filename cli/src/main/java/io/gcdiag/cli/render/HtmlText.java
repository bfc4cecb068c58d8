package io.gcdiag.cli.render;

/** Text as HTML shows it, whatever it holds. */
final class HtmlText {

  private HtmlText() {}

  /** For use between tags and inside quoted attributes. */
  static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '"' -> escaped.append("&quot;");
        case '\'' -> escaped.append("&#39;");
        default -> escaped.append(c);
      }
    }
    return escaped.toString();
  }

  /**
   * A JSON document inside a script element: no text in it can end the element or open a comment.
   */
  static String data(String json) {
    return json.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e");
  }
}
