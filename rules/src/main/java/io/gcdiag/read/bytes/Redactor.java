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
 * Hides possible secrets in text from files: passwords, tokens and keys, user information in URLs,
 * mail addresses, names of home folders, long random strings, and on request names and addresses of
 * hosts. Reports are pasted into tickets, and do not need these.
 *
 * <p>One redactor gives the same secret the same mask everywhere, so that readers can see what
 * belongs together. Not thread-safe.
 */
public final class Redactor {

  /** The text of a mask before its number. */
  public static final String MASK_START = "[hidden ";

  /** A mask, with its number as the first group. */
  public static final Pattern MASK = Pattern.compile("\\[hidden (\\d+)]");

  /** Prefix of patterns that apply only to text from a file, or to sentences with such text. */
  private static final String FOREIGN = "foreign-";

  private static final String OWN = "own-";

  /** The kinds of secrets, with the columns of {@code secrets.txt}. */
  private static final List<String[]> KINDS = kinds();

  private static final List<SecretPattern> FOREIGN_SECRETS = patterns(FOREIGN, "secret");

  private static final List<SecretPattern> OWN_SECRETS = patterns(OWN, "secret");

  private static List<String[]> kinds() {
    Map<String, String> parts = new HashMap<>();
    List<String[]> kinds = new ArrayList<>();
    for (String line : ResourceText.lines(Redactor.class, "secrets.txt")) {
      String whole = line;
      for (Map.Entry<String, String> part : parts.entrySet()) {
        whole = whole.replace("{" + part.getKey() + "}", part.getValue());
      }
      String[] row = whole.split("\t");
      if (row[0].equals("part")) {
        parts.put(row[1], row[2]);
      } else {
        kinds.add(row);
      }
    }
    return kinds;
  }

  private static List<SecretPattern> patterns(String where, String sort) {
    List<SecretPattern> patterns = new ArrayList<>();
    for (String[] row : KINDS) {
      if (row[0].equals(sort) || row[0].equals(where + sort)) {
        patterns.add(
            new SecretPattern(row[4], words(row[1]), words(row[2]), Integer.parseInt(row[3])));
      }
    }
    return patterns;
  }

  private static List<String> words(String column) {
    return column.isEmpty() ? List.of() : List.of(column.split("\\|"));
  }

  /** Names of threads come again in every dump and are cached; a longer text is no name. */
  private static final int NAME_LENGTH = 128;

  /** More names than a large service has threads; limits the memory of the cache. */
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

  /** Hides what is requested; hosts only together with secrets. */
  public static Redactor of(boolean secrets, boolean hosts) {
    if (!secrets) {
      return off();
    }
    return hosts ? hidingHosts() : hiding();
  }

  /** Hides secrets and hosts. */
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
   * Hides secrets in a sentence of gcdiag's own that contains text from files. Code locations and
   * places in files are kept, whatever their names.
   */
  public String redactOwn(String sentence) {
    return hidden(sentence, own);
  }

  /** Hides secrets in text from a file. */
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
    // Masks contain no word or run that a pattern requires, so checking the original text is
    // enough.
    String lowerCase = text.toLowerCase(Locale.ROOT);
    for (SecretPattern pattern : patterns) {
      if (pattern.mayBeIn(hidden, lowerCase)) {
        hidden = pattern.regex().matcher(hidden).replaceAll(this::masked);
      }
    }
    return hidden;
  }

  /** The match with a numbered mask in place of the secret. */
  private String masked(MatchResult found) {
    // The pattern's only group is the secret.
    int from = found.start(1) - found.start();
    int to = found.end(1) - found.start();
    String whole = found.group();
    int number = numbers.computeIfAbsent(found.group(1), secret -> numbers.size() + 1);
    String mask = MASK_START + number + "]";
    return Matcher.quoteReplacement(whole.substring(0, from) + mask + whole.substring(to));
  }

  /**
   * The pattern of one kind of secret. Nearly all texts contain none of its words; then its regex
   * is neither matched nor even compiled, and most runs need only a few.
   */
  private static final class SecretPattern {

    private final String regex;
    private final List<String> words;
    private final List<String> stems;
    private final int run;
    private volatile Pattern compiled;

    /**
     * A kind of secret.
     *
     * @param regex finds it; its only group, named "s", is what gets hidden
     * @param words every match contains one of these; empty if there is no such word
     * @param stems every match contains one of these, too, in any case
     * @param run every match contains this many ASCII letters and digits in a row
     */
    SecretPattern(String regex, List<String> words, List<String> stems, int run) {
      this.regex = regex;
      this.words = words;
      this.stems = stems;
      this.run = run;
    }

    /**
     * Whether the text may contain one.
     *
     * @param lowerCase the text in lower case
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

    /** The compiled regex. Two threads may compile it at the same time, with the same result. */
    Pattern regex() {
      if (compiled == null) {
        compiled = Pattern.compile(regex);
      }
      return compiled;
    }
  }
}
