package io.gcdiag.ingest.format;

import java.util.List;
import java.util.regex.Pattern;

/**
 * How one sort of secret looks. Nearly all texts hold none of a kind's words, and then its regex is
 * neither tried nor even compiled: most runs need few of them.
 */
final class SecretPattern {

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
