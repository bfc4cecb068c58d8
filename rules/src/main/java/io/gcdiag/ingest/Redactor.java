package io.gcdiag.ingest;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Hides what may be secret in text that comes out of a recording or dump: passwords and tokens in
 * key-value form, user information in URLs, mail addresses, names of home folders, and long random
 * strings. A report is pasted into tickets; what it needs to say does not depend on these.
 */
public final class Redactor {

  private static final String HIDDEN = "[hidden]";

  /** Shortest run of letters and digits that is taken for a key or token: 128 bits in hex. */
  private static final int TOKEN_LENGTH = 32;

  private record Mask(Pattern pattern, String replacement) {}

  private static final List<Mask> MASKS =
      List.of(
          new Mask(Pattern.compile("(?i)([a-z][a-z0-9+.-]*://)[^/@\\s]+@"), "$1" + HIDDEN + "@"),
          new Mask(
              Pattern.compile(
                  "(?i)([\\w.-]*(?:passw(?:or)?d|pwd|secret|token|api[_-]?key|credential)[\\w.-]*"
                      + "\\s*[=:]\\s*)[^\\s,;&]+"),
              "$1" + HIDDEN),
          new Mask(Pattern.compile("(?i)\\b(bearer|basic)\\s+[\\w.~+/=-]+"), "$1 " + HIDDEN),
          new Mask(Pattern.compile("[\\w.+-]+@[\\w-]+\\.[\\w.-]+"), HIDDEN),
          new Mask(
              Pattern.compile("((?:/home|/Users|\\\\Users)[/\\\\])[^/\\\\\\s]+"), "$1" + HIDDEN),
          // A token mixes letters and digits; long class names do not.
          new Mask(
              Pattern.compile(
                  "\\b(?=[A-Za-z]*\\d)(?=\\d*[A-Za-z])[A-Za-z0-9_-]{" + TOKEN_LENGTH + ",}\\b"),
              HIDDEN));

  private final boolean active;

  private Redactor(boolean active) {
    this.active = active;
  }

  /** Hides secrets. */
  public static Redactor hiding() {
    return new Redactor(true);
  }

  /** Leaves everything as it is. */
  public static Redactor off() {
    return new Redactor(false);
  }

  /** The text with its secrets hidden. */
  public String redact(String text) {
    if (!active) {
      return text;
    }
    String hidden = text;
    for (Mask mask : MASKS) {
      hidden = mask.pattern().matcher(hidden).replaceAll(mask.replacement());
    }
    return hidden;
  }
}
