package io.gcdiag;

import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.verdict.Diagnosis;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.MatchResult;

/**
 * The last gate: every text of a result goes through the redactor, whichever field it stands in and
 * whichever format will show it. Masks are numbered in the order in which they appear.
 */
final class Privacy {

  private final Redactor redactor;
  private final Map<String, Integer> numbers = new HashMap<>();
  private int places;

  private Privacy(Redactor redactor) {
    this.redactor = redactor;
  }

  /** The result without secrets. */
  static <T extends Record> T apply(T result, Class<T> type, Redactor redactor) {
    return RecordTexts.map(result, type, new Privacy(redactor)::clean);
  }

  /** The diagnosis without secrets, and how many there were. */
  static Diagnosis apply(Diagnosis diagnosis, Redactor redactor) {
    Privacy privacy = new Privacy(redactor);
    Diagnosis clean = RecordTexts.map(diagnosis, Diagnosis.class, privacy::clean);
    return clean.hiding(new Diagnosis.Hidden(privacy.numbers.size(), privacy.places));
  }

  private String clean(String text) {
    String hidden = redactor.redactOwn(text);
    return hidden.contains(Redactor.MASK_START)
        ? Redactor.MASK.matcher(hidden).replaceAll(this::renumbered)
        : hidden;
  }

  private String renumbered(MatchResult mask) {
    places++;
    int number = numbers.computeIfAbsent(mask.group(1), old -> numbers.size() + 1);
    return Redactor.MASK_START + number + "]";
  }
}
