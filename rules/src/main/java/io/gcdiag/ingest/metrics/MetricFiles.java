package io.gcdiag.ingest.metrics;

import com.fasterxml.jackson.core.JacksonException;
import io.gcdiag.ingest.InputFormat.Outcome;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** What the readers of metric files have in common. */
final class MetricFiles {

  /** The option of the command line that names such files. */
  static final String KIND = "metrics";

  private static final int GZIP_FIRST = 0x1f;
  private static final int GZIP_SECOND = 0x8b;

  private MetricFiles() {}

  /** Opens a file, unpacked if it is compressed. */
  static InputStream open(Path path) throws IOException {
    BufferedInputStream in = new BufferedInputStream(Files.newInputStream(path));
    in.mark(2);
    boolean gzip = in.read() == GZIP_FIRST && in.read() == GZIP_SECOND;
    in.reset();
    return gzip ? new GZIPInputStream(in) : in;
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
    return e.getLocation() == null ? "at its end" : "near line " + e.getLocation().getLineNr();
  }

  static Outcome outcome(MetricCollector metrics) {
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
