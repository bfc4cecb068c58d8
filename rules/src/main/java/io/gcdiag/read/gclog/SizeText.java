package io.gcdiag.read.gclog;

import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.units.Bytes;
import java.util.Optional;

/**
 * Sizes of memory as all logs write them, read from a place in a text on: {@code 202M->180M(256M)},
 * {@code 16384K(18944K)->2553K(18944K)}, {@code 10.5K->0.0B(64.0M)}.
 */
final class SizeText {

  /** No heap is larger; a longer run of digits is no size. */
  private static final int MOST_DIGITS = 15;

  private static final long NONE = -1;

  /** A pebibyte, far beyond any heap: what is larger is no size but damage. */
  private static final long MOST = 1L << 50;

  private CharSequence text;
  private int end;
  private int at;
  private long before;
  private long after;
  private long committed;

  /** Of nothing yet: see {@link #isChange}. */
  SizeText() {
    this("", 0, 0);
  }

  SizeText(CharSequence text, int from, int to) {
    this.text = text;
    this.at = from;
    this.end = to;
  }

  /** Whether the part of a text is the change of a heap and nothing else, which is read then. */
  boolean isChange(CharSequence other, int from, int to) {
    text = other;
    at = from;
    end = to;
    return readsChange() && at == to;
  }

  /** Bytes in use before, of the change that was read last. */
  long before() {
    return before;
  }

  /** Bytes in use after it. */
  long after() {
    return after;
  }

  /** Bytes committed after it. */
  long committed() {
    return committed;
  }

  /** Where the next thing to be read stands. */
  int position() {
    return at;
  }

  static long unit(char letter) {
    return switch (letter) {
      case 'K' -> 1L << 10;
      case 'M' -> 1L << 20;
      case 'G' -> 1L << 30;
      default -> 1L;
    };
  }

  /** The change of a heap at the position, which moves behind it if there is one. */
  Optional<HeapChange> change() {
    return readsChange()
        ? Optional.of(new HeapChange(Bytes.of(before), Bytes.of(after), Bytes.of(committed)))
        : Optional.empty();
  }

  private boolean readsChange() {
    before = size(true);
    if (before == NONE) {
      return false;
    }
    if (is('(') && (skip('(') && size(false) == NONE || !skip(')'))) {
      return false;
    }
    if (!skip('-') || !skip('>')) {
      return false;
    }
    after = size(true);
    if (after == NONE || !skip('(')) {
      return false;
    }
    committed = size(true);
    return committed != NONE && skip(')');
  }

  /** One size; {@link #NONE} if there is none, and then the position is undefined. */
  private long size(boolean counts) {
    int start = at;
    long whole = 0;
    while (at < end && LogNumbers.isDigit(text.charAt(at))) {
      whole = 10 * whole + (text.charAt(at++) - '0');
    }
    int digits = at - start;
    if (digits == 0 || counts && digits > MOST_DIGITS) {
      return NONE;
    }
    boolean decimal = is('.') || is(',');
    if (decimal) {
      int point = at++;
      while (at < end && LogNumbers.isDigit(text.charAt(at))) {
        at++;
      }
      if (at == point + 1) {
        return NONE;
      }
    }
    int stop = at;
    char letter = at < end ? text.charAt(at) : ' ';
    if (letter != 'K' && letter != 'M' && letter != 'G' && letter != 'B') {
      return NONE;
    }
    at++;
    if (!counts) {
      return 0;
    }
    if (whole > MOST / unit(letter)) {
      return NONE;
    }
    return decimal
        ? Math.round(
            Double.parseDouble(text.subSequence(start, stop).toString().replace(',', '.'))
                * unit(letter))
        : whole * unit(letter);
  }

  /** The size that is all of a text; empty if it is none. */
  static Optional<Bytes> of(String text) {
    SizeText size = new SizeText(text, 0, text.length());
    long bytes = size.size(true);
    return bytes == NONE || size.at != text.length()
        ? Optional.empty()
        : Optional.of(Bytes.of(bytes));
  }

  private boolean is(char c) {
    return at < end && text.charAt(at) == c;
  }

  private boolean skip(char c) {
    boolean there = is(c);
    at += there ? 1 : 0;
    return there;
  }
}
