package io.gcdiag.read.bytes;

import io.gcdiag.units.ResourceText;
import java.util.ArrayList;
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

  /** What counts in text of a file alone only, or in sentences that have such text in them. */
  private static final String FOREIGN = "foreign-";

  private static final String OWN = "own-";

  private static final List<SecretPattern> FOREIGN_SECRETS = patterns(FOREIGN, "secret");

  private static final List<SecretPattern> OWN_SECRETS = patterns(OWN, "secret");

  private static List<SecretPattern> patterns(String where, String sort) {
    Map<String, String> parts = new HashMap<>();
    List<SecretPattern> patterns = new ArrayList<>();
    for (String line : ResourceText.lines(Redactor.class, "secrets.txt")) {
      String whole = line;
      for (Map.Entry<String, String> part : parts.entrySet()) {
        whole = whole.replace("{" + part.getKey() + "}", part.getValue());
      }
      String[] row = whole.split("\t");
      if (row[0].equals("part")) {
        parts.put(row[1], row[2]);
      } else if (row[0].equals(sort) || row[0].equals(where + sort)) {
        patterns.add(
            new SecretPattern(row[4], words(row[1]), words(row[2]), Integer.parseInt(row[3])));
      }
    }
    return patterns;
  }

  private static List<String> words(String column) {
    return column.isEmpty() ? List.of() : List.of(column.split("\\|"));
  }

  /** Names of threads come again in every dump; a longer text is no name. */
  private static final int NAME_LENGTH = 128;

  /** More than a large service has threads: what is kept stays small. */
  private static final int MOST_NAMES = 10_000;

  private final List<SecretPattern> foreign;
  private final List<SecretPattern> own;
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, Integer> numbers = new HashMap<>();

  private Redactor(List<SecretPattern> foreign, List<SecretPattern> own) {
    this.foreign = foreign;
    this.own = own;
  }

  /** Hides secrets. */
  public static Redactor hiding() {
    return new Redactor(FOREIGN_SECRETS, OWN_SECRETS);
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
    return new Redactor(withHosts(FOREIGN_SECRETS, FOREIGN), withHosts(OWN_SECRETS, OWN));
  }

  private static List<SecretPattern> withHosts(List<SecretPattern> secrets, String where) {
    return Stream.concat(secrets.stream(), patterns(where, "host").stream()).toList();
  }

  /** Leaves everything as it is. */
  public static Redactor off() {
    return new Redactor(List.of(), List.of());
  }

  /**
   * A sentence of our own, which has text of files in it, with their secrets hidden. Places in code
   * and in files stay, whatever their methods and files are called.
   */
  public String redactOwn(String sentence) {
    return hidden(sentence, own);
  }

  /** Text of a file with its secrets hidden. */
  public String redact(String text) {
    if (text.length() > NAME_LENGTH) {
      return hidden(text, foreign);
    }
    String known = names.get(text);
    if (known == null) {
      known = hidden(text, foreign);
      if (names.size() < MOST_NAMES) {
        names.put(text, known);
      }
    }
    return known;
  }

  private String hidden(String text, List<SecretPattern> patterns) {
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
     * @param stems it holds one of these, too, in letters of any case
     * @param run it holds so many letters and digits of ASCII in a row
     */
    SecretPattern(String regex, List<String> words, List<String> stems, int run) {
      this.regex = regex;
      this.words = words;
      this.stems = stems;
      this.run = run;
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
