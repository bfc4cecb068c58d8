package io.gcdiag.ingest.format;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Hides what may be secret in text that comes out of files: passwords, tokens and keys, user
 * information in URLs, mail addresses, names of home folders, long random strings, and names and
 * addresses of hosts if asked for. A report is pasted into tickets; what it needs to say does not
 * depend on these.
 *
 * <p>The same secret gets the same mask for as long as one redactor is used, so that a reader sees
 * what belongs together. Not safe for use by several threads.
 */
public final class Redactor {

  /** What stands in the place of a secret, in front of its number. */
  public static final String MASK_START = "[hidden ";

  /** A mask, with its number as the first group. */
  public static final Pattern MASK = Pattern.compile("\\[hidden (\\d+)]");

  /** Words in the name of a setting whose value is private. */
  private static final String SECRET_WORD =
      "passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key"
          + "|signing[_-]?key|encryption[_-]?key|account[_-]?key|credential";

  /** A value; what is hidden already stays as it is. */
  private static final String VALUE = "(?!\\[hidden )[^\\s,;&\"'\\])}]+";

  /**
   * Behind {@code PasswordEncoder.encode:} or {@code Accounts.resetPassword:} a number is that of a
   * line in the source; behind {@code Db.password:} it is a value.
   */
  private static final String NO_LINE =
      "(?!(?<=(?-i:[A-Z])[\\w$]{0,80}(?-i:[a-z])[\\w$]{0,80}\\.[\\w$<>]{1,80}:)(?<!\\.(?:"
          + SECRET_WORD
          + "):)\\d{1,5}(?![^\\s,;)\\]}]))";

  /** One of these, in small or capital letters, is in whatever {@link #SECRET_WORD} finds. */
  private static final List<String> SECRET_STEMS =
      List.of("passw", "passphrase", "pwd", "secret", "token", "key", "credential");

  /** So many letters and digits in a row may be 128 random bits. */
  private static final int LONG_RUN = 32;

  private static SecretPattern find(String regex, String... words) {
    return new SecretPattern(regex, List.of(words));
  }

  /** One that goes by a word in the name of a setting. */
  private static SecretPattern findNamed(String regex, String... words) {
    return find(regex, words).withStems(SECRET_STEMS);
  }

  private static final List<SecretPattern> SECRETS =
      List.of(
          // User information in front of the host: jdbc:x://user:password@host, redis://:p@host
          find("(?i)[a-z][a-z0-9+.-]*://(?<s>(?!\\[hidden )[^/@\\s\\[]+)@", "://"),
          find("(?i)jdbc:oracle:\\w+:(?<s>[^@\\s/\\[]+/[^@\\s\\[]+)@", "@"),
          find("(?i)[?&;]user(?:name)?=(?<s>" + VALUE + ")", "="),
          // Signed links: the link itself gives access.
          find(
              "(?i)[?&;](?:sig|signature|x-amz-signature|x-goog-signature)=(?<s>" + VALUE + ")",
              "="),
          // name="a value of several words"
          findNamed(
              "(?i)(?:" + SECRET_WORD + ")[\\w.-]*[\"']?\\s*[=:]\\s*\"(?<s>(?!\\[hidden )[^\"]+)\"",
              "\""),
          // name=value, name:value, "name": "value"
          findNamed(
              "(?i)(?:"
                  + SECRET_WORD
                  + ")[\\w.-]*[\"']?(?:\\s*=\\s*|:"
                  + NO_LINE
                  + ")[\"']?(?<s>"
                  + VALUE
                  + ")",
              "=",
              ":"),
          // name: value, as headers and YAML have it; a sentence on a class TokenCache is none.
          findNamed(
              "(?:^|[^\\w.$])[\"']?(?:[a-z0-9_.-]*|[A-Z0-9_-]*|(?:[A-Z][a-z0-9]*-)*|[a-z]+)(?:(?i:"
                  + SECRET_WORD
                  + "))[\\w-]*[\"']?: [\"']?(?<s>(?!\\d+(?:[.,]\\d+)?\\b)[^\\s,;&\"'\\[]{6,})",
              ": "),
          // --password value
          findNamed("(?i)--?(?:" + SECRET_WORD + ")[\\w-]*\\s+(?<s>(?!\\[hidden |-)[^\\s]+)", "-"),
          find("\\b(?i:bearer|basic)\\s+(?<s>(?=[\\w.~+/=-]*[A-Z0-9=])[\\w.~+/=-]{8,})")
              .withStems(List.of("bearer", "basic")),
          // Keys that say by their beginning what they are.
          find("\\b(?<s>(?:AKIA|ASIA)[A-Z0-9]{16})\\b", "AKIA", "ASIA"),
          find(
              "\\b(?<s>(?:sk|rk)_(?:live|test)_\\w{10,}|AIza[\\w-]{35}|npm_\\w{20,})",
              "k_live_",
              "k_test_",
              "AIza",
              "npm_"),
          find("-----BEGIN [A-Z ]*PRIVATE KEY-----(?<s>[\\w+/=\\s\\\\]+)", "PRIVATE KEY-----"),
          find(
              "\\b(?<s>gh[pousr]_\\w{20,}|glpat-[\\w-]{20,}|xox[abprs]-[\\w-]{10,})",
              "gh",
              "glpat-",
              "xox"),
          find("\\b(?<s>eyJ[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*)?)", "eyJ"),
          find("(?<s>[\\w.+-]+@[\\w-]+\\.[a-zA-Z][\\w.-]*)", "@"),
          find(
              "(?:/home|/Users|[A-Z]:\\\\Users|\\\\Users)[/\\\\](?<s>(?!\\[hidden )[^/\\\\\\s]+)",
              "/home",
              "Users"),
          // 128 bits in letters and digits hold some of both; names of classes have few digits.
          find("\\b(?<s>(?=(?:[A-Za-z]*\\d){4})(?=\\d*[A-Za-z])[A-Za-z0-9]{" + LONG_RUN + ",})\\b")
              .withRun(LONG_RUN));

  private static final List<SecretPattern> HOSTS =
      List.of(
          find("(?i)[a-z][a-z0-9+.-]*://(?:[^/@\\s]*@)?(?<s>[\\w.-]+|\\[[0-9a-f:.]+])", "://"),
          find("\\b(?<s>(?:\\d{1,3}\\.){3}\\d{1,3})\\b", "."),
          find("(?<![\\w:])(?<s>(?:[0-9a-fA-F]{0,4}:){3,7}[0-9a-fA-F]{1,4})(?![\\w:])", ":"),
          find("\\b(?<s>ip-\\d{1,3}(?:-\\d{1,3}){3}[\\w.-]*)", "ip-"),
          // host:port; class names are followed by lines, which are no names of hosts.
          find("(?<![\\w./:-])(?<s>[a-zA-Z][\\w-]*(?:\\.[a-zA-Z][\\w-]*)*)(?=:\\d{2,5}\\b)", ":"));

  /** Names of threads come again in every dump; a longer text is no name. */
  private static final int NAME_LENGTH = 128;

  /** More than a large service has threads: what is kept stays small. */
  private static final int MOST_NAMES = 10_000;

  private final List<SecretPattern> patterns;
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, Integer> numbers = new HashMap<>();

  private Redactor(List<SecretPattern> patterns) {
    this.patterns = patterns;
  }

  /** Hides secrets. */
  public static Redactor hiding() {
    return new Redactor(SECRETS);
  }

  /** Hides what is asked for; hosts only together with secrets. */
  public static Redactor of(boolean secrets, boolean hosts) {
    if (!secrets) {
      return off();
    }
    return hosts ? hidingHosts() : hiding();
  }

  /** Hides secrets, and which hosts there are. */
  public static Redactor hidingHosts() {
    return new Redactor(Stream.concat(SECRETS.stream(), HOSTS.stream()).toList());
  }

  /** Leaves everything as it is. */
  public static Redactor off() {
    return new Redactor(List.of());
  }

  /** The text with its secrets hidden. */
  public String redact(String text) {
    if (text.length() > NAME_LENGTH) {
      return hidden(text);
    }
    String known = names.get(text);
    if (known == null) {
      known = hidden(text);
      if (names.size() < MOST_NAMES) {
        names.put(text, known);
      }
    }
    return known;
  }

  private String hidden(String text) {
    String hidden = text;
    // A mask has no word and no run that a pattern asks for: those of the whole text are enough.
    String lowerCase = text.toLowerCase(Locale.ROOT);
    for (SecretPattern pattern : patterns) {
      if (pattern.mayBeIn(hidden, lowerCase)) {
        hidden = pattern.regex().matcher(hidden).replaceAll(this::masked);
      }
    }
    return hidden;
  }

  /** What was found, with a number in the place of the secret. */
  private String masked(MatchResult found) {
    // A pattern has no other group than the one it hides.
    int from = found.start(1) - found.start();
    int to = found.end(1) - found.start();
    String whole = found.group();
    int number = numbers.computeIfAbsent(found.group(1), secret -> numbers.size() + 1);
    String mask = MASK_START + number + "]";
    return Matcher.quoteReplacement(whole.substring(0, from) + mask + whole.substring(to));
  }

  /**
   * How one sort of secret looks. Nearly all texts hold none of a kind's words, and then its regex
   * is neither tried nor even compiled: most runs need few of them.
   */
  private static final class SecretPattern {

    private final String regex;
    private final List<String> words;
    private final List<String> stems;
    private final int run;
    private volatile Pattern compiled;

    /**
     * A sort of secret.
     *
     * @param regex finds it; its group named "s", the only one, is what gets hidden
     * @param words whatever the regex finds holds one of these; none if nothing is sure
     */
    SecretPattern(String regex, List<String> words) {
      this(regex, words, List.of(), 0);
    }

    private SecretPattern(String regex, List<String> words, List<String> stems, int run) {
      this.regex = regex;
      this.words = words;
      this.stems = stems;
      this.run = run;
    }

    /** The same of a sort of which each also holds one of these, in letters of any case. */
    SecretPattern withStems(List<String> lowerCase) {
      return new SecretPattern(regex, words, lowerCase, run);
    }

    /** The same of a sort of which each also holds so many letters and digits of ASCII in a row. */
    SecretPattern withRun(int length) {
      return new SecretPattern(regex, words, stems, length);
    }

    /**
     * Whether one can be in the text.
     *
     * @param lowerCase the text in small letters
     */
    boolean mayBeIn(String text, String lowerCase) {
      return holdsOne(words, text) && holdsOne(stems, lowerCase) && hasRun(text);
    }

    private static boolean holdsOne(List<String> words, String text) {
      for (String word : words) {
        if (text.contains(word)) {
          return true;
        }
      }
      return words.isEmpty();
    }

    private boolean hasRun(String text) {
      int length = 0;
      for (int i = 0; i < text.length() && length < run; i++) {
        length = isLetterOrDigit(text.charAt(i)) ? length + 1 : 0;
      }
      return length >= run;
    }

    private static boolean isLetterOrDigit(char c) {
      return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
    }

    /** The regex. Two threads at once may compile it twice, with the same result. */
    Pattern regex() {
      if (compiled == null) {
        compiled = Pattern.compile(regex);
      }
      return compiled;
    }
  }
}
