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
  private volatile Pattern compiled;

  /**
   * A sort of secret.
   *
   * @param regex finds it; its group named "s", the only one, is what gets hidden
   * @param words whatever the regex finds holds one of these; none if nothing is sure
   */
  SecretPattern(String regex, List<String> words) {
    this.regex = regex;
    this.words = words;
  }

  /** Whether one can be in the text. */
  boolean mayBeIn(String text) {
    if (words.isEmpty()) {
      return true;
    }
    for (String word : words) {
      if (text.contains(word)) {
        return true;
      }
    }
    return false;
  }

  /** The regex. Two threads at once may compile it twice, with the same result. */
  Pattern regex() {
    if (compiled == null) {
      compiled = Pattern.compile(regex);
    }
    return compiled;
  }
}
