package io.gcdiag.fleet;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression for the paths of files, with groups named service, host and version, such as
 * {@code (?<service>[^/]+)/(?<host>[^/]+)/.*}.
 */
public final class PathPattern {

  private static final String SERVICE = "service";
  private static final String HOST = "host";
  private static final String VERSION = "version";

  private final Optional<Pattern> pattern;

  private PathPattern(Optional<Pattern> pattern) {
    this.pattern = pattern;
  }

  public static PathPattern none() {
    return new PathPattern(Optional.empty());
  }

  /**
   * A pattern as it is written.
   *
   * @throws IllegalArgumentException if it is no regular expression, or names none of the groups
   */
  public static PathPattern parse(String text) {
    try {
      Pattern compiled = Pattern.compile(text);
      if (List.of(SERVICE, HOST, VERSION).stream().noneMatch(name -> has(compiled, name))) {
        throw new IllegalArgumentException(
            "'"
                + text
                + "' names no group; write it like (?<service>[^/]+)/(?<host>[^/]+)/.*"
                + ", with service, host or version as names");
      }
      return new PathPattern(Optional.of(compiled));
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a regular expression: " + e.getDescription(), e);
    }
  }

  private static boolean has(Pattern pattern, String group) {
    return pattern.pattern().contains("(?<" + group + ">");
  }

  /** The groups of a path; none if the pattern does not match all of it. */
  CaseOrigin origin(String path) {
    return pattern
        .map(known -> known.matcher(path))
        .filter(Matcher::matches)
        .map(match -> new CaseOrigin(part(match, SERVICE), part(match, HOST), part(match, VERSION)))
        .orElse(CaseOrigin.UNKNOWN);
  }

  private static Optional<String> part(Matcher match, String group) {
    return has(match.pattern(), group)
        ? Optional.ofNullable(match.group(group)).filter(text -> !text.isBlank())
        : Optional.empty();
  }

  /** As it was written; empty for none. */
  @Override
  public String toString() {
    return pattern.map(Pattern::pattern).orElse("");
  }
}
