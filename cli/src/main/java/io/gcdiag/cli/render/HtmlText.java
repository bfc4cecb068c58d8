package io.gcdiag.cli.render;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Escapes text for HTML. */
final class HtmlText {

  /** For use between tags and inside quoted attributes. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /** Longer parts exceed the width of a telephone's screen and get a smaller font there. */
  private static final int MOST_ON_A_LINE = 36;

  /** Longer tokens are values such as hashes, not names; they may be broken. */
  private static final int LONGEST_NAME = 72;

  private static final Pattern WORD = Pattern.compile("\\S++");
  private static final Pattern FIGURE = Pattern.compile("[-+(]?\\d[\\d.,]*+");
  private static final Pattern UNIT =
      Pattern.compile("(?:%|[nmu]?s|min|h|B|[KMGT]iB)(?![A-Za-z0-9])\\S*+");

  /** Part of a name of a class, a file or a path. */
  private static final Pattern NAMES = Pattern.compile("[A-Za-z0-9_][.$][A-Za-z_]");

  /** Where a long name may be broken: before its next part. */
  private static final Pattern JOINT =
      Pattern.compile("(?<=[A-Za-z0-9_][.$/])(?=[A-Za-z_])|(?=[#=])");

  private static final Pattern UNDERSCORE = Pattern.compile("(?<=_)");

  /**
   * For use between tags: flags, arrows and figures with their units stay on one line, and names of
   * classes are broken at dots and dollars only; long names of metrics at underscores too.
   */
  static String prose(String text) {
    StringBuilder markup = new StringBuilder(text.length() + 16);
    Matcher word = WORD.matcher(text);
    int done = 0;
    boolean more = word.find();
    while (more) {
      int start = word.start();
      int end = word.end();
      String one = word.group();
      boolean figure = FIGURE.matcher(one).matches();
      more = word.find();
      boolean joined =
          figure && more && word.start() == end + 1 && UNIT.matcher(word.group()).matches();
      if (joined) {
        end = word.end();
        more = word.find();
      }
      markup.append(escape(text.substring(done, start)));
      if (joined) {
        markup.append(span(escape(text.substring(start, end))));
      } else {
        boolean name =
            one.indexOf('-') >= 0 || one.length() > MOST_ON_A_LINE || NAMES.matcher(one).find();
        markup.append(name ? named(one) : escape(one));
      }
      done = end;
    }
    return markup.append(escape(text.substring(done))).toString();
  }

  private static String named(String name) {
    String[] parts = JOINT.split(name);
    String markup = Arrays.stream(parts).map(HtmlText::part).collect(Collectors.joining("<wbr>"));
    boolean fits = Arrays.stream(parts).allMatch(part -> part.length() <= LONGEST_NAME);
    return fits ? span(markup) : markup;
  }

  private static String part(String part) {
    boolean small = part.length() > MOST_ON_A_LINE && part.length() <= LONGEST_NAME;
    if (!small) {
      return escape(part);
    }
    // Names of metrics are words joined by underscores.
    String[] words = UNDERSCORE.split(part);
    return Arrays.stream(words).allMatch(word -> word.length() <= MOST_ON_A_LINE)
        ? Arrays.stream(words).map(HtmlText::escape).collect(Collectors.joining("<wbr>"))
        : "<i>" + escape(part) + "</i>";
  }

  private static String span(String markup) {
    return "<span class=\"w\">" + markup + "</span>";
  }

  /**
   * A JSON document inside a script element: no text in it can end the element or open a comment.
   */
  static String data(String json) {
    return json.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e");
  }
}
