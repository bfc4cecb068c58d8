package io.gcdiag.read.gclog;

import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.units.Bytes;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes of memory as all logs write them: {@code 202M->180M(256M)}, {@code
 * 16384K(18944K)->2553K(18944K)}, {@code 10.5K->0.0B(64.0M)}.
 */
final class SizeText {

  /** A longer run of digits is no size. */
  private static final String SIZE = "(\\d{1,15}(?:[.,]\\d+)?)([BKMG])";

  private static final Pattern ONE = Pattern.compile(SIZE);

  private static final Pattern CHANGE =
      Pattern.compile(SIZE + "(?:\\(\\d+(?:[.,]\\d+)?[BKMG]\\))?->" + SIZE + "\\(" + SIZE + "\\)");

  /** A pebibyte, far beyond any heap: what is larger is no size but damage. */
  private static final long MOST = 1L << 50;

  private SizeText() {}

  /** The change of a heap that begins there. */
  static Optional<HeapChange> change(CharSequence text, int from, int to) {
    Matcher change = CHANGE.matcher(text).region(from, to);
    return change.lookingAt() ? heap(change) : Optional.empty();
  }

  /** The change of a heap that is all of a part of a text. */
  static Optional<HeapChange> wholeChange(CharSequence text, int from, int to) {
    Matcher change = CHANGE.matcher(text).region(from, to);
    return change.matches() ? heap(change) : Optional.empty();
  }

  private static Optional<HeapChange> heap(Matcher change) {
    Optional<Bytes> before = bytes(change, 1);
    Optional<Bytes> after = bytes(change, 3);
    Optional<Bytes> committed = bytes(change, 5);
    return before.isPresent() && after.isPresent() && committed.isPresent()
        ? Optional.of(new HeapChange(before.get(), after.get(), committed.get()))
        : Optional.empty();
  }

  /** The size that is all of a text; empty if it is none. */
  static Optional<Bytes> of(String text) {
    Matcher size = ONE.matcher(text);
    return size.matches() ? bytes(size, 1) : Optional.empty();
  }

  /** The size in two groups: its number, then its unit. */
  private static Optional<Bytes> bytes(Matcher size, int group) {
    String number = size.group(group).replace(',', '.');
    long unit = unit(size.group(group + 1).charAt(0));
    int point = number.indexOf('.');
    long whole = Long.parseLong(point < 0 ? number : number.substring(0, point));
    if (whole > MOST / unit) {
      return Optional.empty();
    }
    return Optional.of(
        Bytes.of(point < 0 ? whole * unit : Math.round(Double.parseDouble(number) * unit)));
  }

  static long unit(char letter) {
    return switch (letter) {
      case 'K' -> 1L << 10;
      case 'M' -> 1L << 20;
      case 'G' -> 1L << 30;
      default -> 1L;
    };
  }
}
