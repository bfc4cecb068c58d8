package io.gcdiag.ingest.metrics;

import io.gcdiag.ingest.format.FileHead;
import io.gcdiag.ingest.format.IngestContext;
import io.gcdiag.ingest.format.InputFile;
import io.gcdiag.ingest.format.InputFormat;
import io.gcdiag.ingest.text.Unpacked;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.regex.Pattern;

/** Scraped pages in Prometheus' text format or OpenMetrics: one or several in a file. */
public final class ExpositionFormat implements InputFormat {

  /** The format's public name. */
  public static final String ID = "exposition";

  private static final Pattern TYPE_LINE =
      Pattern.compile("(?m)^# TYPE [A-Za-z_:][A-Za-z0-9_:.]* [a-z]+\\s*$");

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String kind() {
    return MetricFiles.KIND;
  }

  @Override
  public String description() {
    return "a scraped page of metrics (Prometheus text format or OpenMetrics)";
  }

  @Override
  public boolean recognises(FileHead head) {
    return head.holds(TYPE_LINE, "# TYPE ");
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    MetricCollector metrics = MetricCollector.of(intake);
    ExpositionReader reader = new ExpositionReader(file.name(), metrics);
    Outcome outcome;
    try (Unpacked bytes = intake.open(file)) {
      reader.read(new BufferedReader(MetricFiles.lines(bytes)));
      outcome = MetricFiles.outcome(metrics, bytes);
    }
    if (reader.dated() == 0 && reader.undated() == 0) {
      throw new IOException(
          "no value in it" + (outcome.note().isEmpty() ? "" : " (" + outcome.note() + ")"));
    }
    if (reader.dated() == 0) {
      throw new IOException(
          "its values have no time: save a page with its headers (curl -si URL), or query"
              + " Prometheus for a range");
    }
    return reader.undated() > 0
        ? Outcome.partial(reader.undated() + " values without a time were left out")
        : outcome;
  }
}
