package io.gcdiag.ingest.metrics;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.gcdiag.ingest.format.InputFormat.Outcome;
import io.gcdiag.ingest.text.LineLimit;
import io.gcdiag.ingest.text.TextEncoding;
import io.gcdiag.ingest.text.Unpacked;
import java.io.IOException;
import java.io.Reader;

/** What the readers of metric files have in common. */
final class MetricFiles {

  /** The option of the command line that names such files. */
  static final String KIND = "metrics";

  /** A row of 10,000 series of long names has a heading of this length. */
  private static final int LONGEST_LINE = 1024 * 1024;

  private MetricFiles() {}

  /** The text in the bytes of a file. */
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
            "more series or values than can be kept ("
                + MetricCollector.MOST_SERIES
                + " and "
                + MetricCollector.MOST_POINTS
                + "); the rest was left out: export less")
        : Outcome.COMPLETE;
  }
}
