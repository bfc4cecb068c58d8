package io.gcdiag.cli.manual;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Names close to a mistyped or half-remembered one: word by word, so that {@code leak} finds every
 * leak and {@code gc-pauses} finds {@code gc-pause-growth}.
 */
public final class NearestNames {

  /** More than these do not help to choose. */
  private static final int MOST = 3;

  /** One letter in three may be wrong; with more, almost any short word is near any other. */
  private static final int LETTERS_PER_MISTAKE = 3;

  private record Match(String name, int mistakes, int wordsBeside) {}

  private NearestNames() {}

  /** The likeliest first, at most three; may be empty. */
  public static List<String> of(String written, List<String> names) {
    List<String> words = words(written);
    int letters = words.stream().mapToInt(String::length).sum();
    return names.stream()
        .map(name -> match(words, name))
        .filter(match -> letters > 0 && match.mistakes() <= letters / LETTERS_PER_MISTAKE)
        .sorted(Comparator.comparingInt(Match::mistakes).thenComparingInt(Match::wordsBeside))
        .limit(MOST)
        .map(Match::name)
        .toList();
  }

  /** {@code did you mean this, this or that? }, or nothing if no name is near. */
  public static String instead(String written, List<String> names) {
    return question(of(written, names));
  }

  /** The same for names that are known to be near. */
  public static String question(List<String> near) {
    if (near.isEmpty()) {
      return "";
    }
    int last = near.size() - 1;
    return "did you mean "
        + (last == 0 ? "" : String.join(", ", near.subList(0, last)) + " or ")
        + near.get(last)
        + "? ";
  }

  private static Match match(List<String> words, String name) {
    List<String> parts = words(name);
    int mistakes = 0;
    for (String word : words) {
      mistakes += parts.stream().mapToInt(part -> distance(word, part)).min().orElse(word.length());
    }
    // A separator may be forgotten or too much: gclog for gc-log.
    mistakes = Math.min(mistakes, distance(String.join("", words), String.join("", parts)));
    return new Match(name, mistakes, Math.max(0, parts.size() - words.size()));
  }

  private static List<String> words(String name) {
    return List.of(name.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+")).stream()
        .filter(word -> !word.isEmpty())
        .toList();
  }

  /** Letters to put in, take out or exchange (V. I. Levenshtein, 1966). */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int exchanged = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(exchanged, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
