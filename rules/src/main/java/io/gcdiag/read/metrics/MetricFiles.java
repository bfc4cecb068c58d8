package io.gcdiag.read.metrics;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.gcdiag.read.bytes.InputFormat.Outcome;
import io.gcdiag.read.bytes.TextEncoding;
import io.gcdiag.read.bytes.Unpacked;
import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;

/** Common parts of the readers of metric files. */
final class MetricFiles {

  /** The option of the command line that names such files. */
  static final String KIND = "metrics";

  /** A row of 10,000 series of long names has a heading of this length. */
  private static final int LONGEST_LINE = 1024 * 1024;

  static Reader text(Unpacked bytes) throws IOException {
    return TextEncoding.open(bytes);
  }

  /** The same, of which no line is longer than lines of numbers are. */
  static Reader lines(Unpacked bytes) throws IOException {
    return new LineLimit(text(bytes), LONGEST_LINE);
  }

  /** A number, or NaN for what is none. */
  static double number(String text) {
    try {
      return switch (text) {
        case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
        case "-Inf" -> Double.NEGATIVE_INFINITY;
        default -> Double.parseDouble(text);
      };
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** A file's name without its ending. */
  static String stem(String name) {
    int dot = name.indexOf('.', 1);
    return dot < 0 ? name : name.substring(0, dot);
  }

  static String place(JacksonException e) {
    if (e instanceof StreamConstraintsException) {
      return "a text or number in it is longer than any of a real file";
    }
    return e.getLocation() == null ? "at its end" : "near line " + e.getLocation().getLineNr();
  }

  /** How reading went, if nothing but the amount or the packing stood in the way. */
  static Outcome outcome(MetricCollector metrics, Unpacked bytes) {
    if (bytes.damage().isPresent()) {
      return Outcome.partial(bytes.damage().get());
    }
    return metrics.isFull()
        ? Outcome.partial(
            ("more series or values than can be kept (%s and %s); the rest was left out:"
                    + " export less")
                .formatted(MetricCollector.MOST_SERIES, MetricCollector.MOST_POINTS))
        : Outcome.COMPLETE;
  }

  /** The same where some of it was left out as well. */
  static Outcome without(String leftOut, Outcome outcome) {
    return Outcome.partial(outcome.complete() ? leftOut : outcome.note() + "; " + leftOut);
  }

  /** A text whose lines are cut at a length: a file without line ends must not fill the heap. */
  private static final class LineLimit extends FilterReader {

    private final int longest;
    private int column;

    /**
     * Cuts lines.
     *
     * @param longest the characters kept of a line
     */
    LineLimit(Reader text, int longest) {
      super(text);
      this.longest = longest;
    }

    @Override
    public int read() throws IOException {
      char[] one = new char[1];
      return read(one, 0, 1) < 0 ? -1 : one[0];
    }

    @Override
    public int read(char[] buffer, int offset, int length) throws IOException {
      int kept = 0;
      while (kept == 0) {
        int read = super.read(buffer, offset, length);
        if (read <= 0) {
          return read;
        }
        for (int i = offset; i < offset + read; i++) {
          char c = buffer[i];
          column = c == '\n' ? 0 : Math.min(column, longest) + 1;
          if (column <= longest) {
            buffer[offset + kept++] = c;
          }
        }
      }
      return kept;
    }

    @Override
    public boolean markSupported() {
      return false;
    }
  }
}
