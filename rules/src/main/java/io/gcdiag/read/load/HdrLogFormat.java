package io.gcdiag.read.load;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.units.Durations;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Logs of HdrHistogram: the latencies of each interval as a compressed histogram, a line each. */
public final class HdrLogFormat extends LoadFormat {

  private static final String PRODUCER = "HdrHistogram";

  /** Tag, start and length in seconds, the largest value, and the histogram. */
  private static final Pattern LINE =
      Pattern.compile(
          "(?:Tag=([^,\\s]*),)?(\\d+(?:\\.\\d+)?),(\\d+(?:\\.\\d+)?),(\\d+(?:\\.\\d+)?),(HIST\\S+)");

  private static final Pattern TIME =
      Pattern.compile("#\\[(Start|Base)Time: (\\d+(?:\\.\\d+)?) .*");

  /** It measures pauses of the machine, not requests. */
  private static final String HICCUPS = "jHiccup";

  /**
   * Parts of what the tag with {@code -rt} has (cassandra-stress): the time to be served, and that
   * to be sent.
   */
  private static final Pattern PART = Pattern.compile(".*-(?:st|wt)");

  /** Starts that are this much earlier than the log count from its start. */
  private static final double YEAR_SECONDS = 365 * 86_400.0;

  /** No service answers 99 of 100 requests sooner: its values are in a larger unit. */
  private static final double LEAST_SECONDS = 20e-6;

  private static final double MOST_OF_ALL = 99;
  private static final double PER_UNIT = 1_000;
  private static final double SECONDS_PER_MILLI = 1e-3;

  public HdrLogFormat() {
    super("hdr-histogram", "a log of HdrHistogram");
  }

  @Override
  public boolean recognises(FileHead head) {
    return head.text().lines().anyMatch(line -> LINE.matcher(line.strip()).matches());
  }

  @Override
  LoadRun read(LoadText text, String file) throws IOException {
    RunRecorder requests = new RunRecorder(false);
    BufferedReader lines = new BufferedReader(text);
    double start = 0;
    Optional<Double> base = Optional.empty();
    double unit = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher time = TIME.matcher(line);
      if (time.matches()) {
        double seconds = LoadFigures.figure(time.group(2));
        start = time.group(1).equals("Start") ? seconds : start;
        base = time.group(1).equals("Base") ? Optional.of(seconds) : base;
      }
      if (line.startsWith("#") && line.contains(HICCUPS)) {
        throw new IOException("a log of jHiccup: it has pauses of the machine and no requests");
      }
      Matcher interval = LINE.matcher(line.strip());
      if (!interval.matches()) {
        continue;
      }
      Optional<Histogram> histogram = histogram(interval.group(5));
      if (histogram.isEmpty()) {
        text.damaged();
        continue;
      }
      double from = LoadFigures.figure(interval.group(2));
      double offset = from < start - YEAR_SECONDS ? start : 0;
      String tag = Optional.ofNullable(interval.group(1)).orElse("");
      if (histogram.get().getTotalCount() == 0 || PART.matcher(tag).matches()) {
        continue;
      }
      if (unit == 0) {
        unit = secondsPerValue(histogram.get(), LoadFigures.figure(interval.group(4)));
      }
      Instant at = Instant.EPOCH.plus(Durations.ofSeconds(from + base.orElse(offset)));
      add(histogram.get(), at, LoadFigures.figure(interval.group(3)), unit, tag, requests);
    }
    if (unit > 0) {
      text.note("a value of 1 in it is taken for " + Durations.format(unit));
    }
    Source source = new Source(file, "histograms");
    return requests.run(PRODUCER, new RequestStats.Builder(PRODUCER, source), source);
  }

  private static Optional<Histogram> histogram(String coded) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(coded));
      return Optional.of(Histogram.decodeFromCompressedByteBuffer(bytes, 0));
    } catch (DataFormatException | RuntimeException e) {
      // The library throws what its arrays and buffers throw.
      return Optional.empty();
    }
  }

  /**
   * The unit of the values. The largest one is written beside them in milliseconds; a writer that
   * does not know the unit divides by a million whatever it is.
   */
  private static double secondsPerValue(Histogram first, double largestMillis) {
    double ratio = largestMillis > 0 ? first.getMaxValue() / largestMillis : PER_UNIT * PER_UNIT;
    double power = Math.round(Math.log(ratio) / Math.log(PER_UNIT));
    double unit = SECONDS_PER_MILLI * Math.pow(PER_UNIT, -power);
    while (first.getValueAtPercentile(MOST_OF_ALL) * unit < LEAST_SECONDS) {
      unit *= PER_UNIT;
    }
    return unit;
  }

  /** The requests of an interval, spread evenly over its seconds. */
  private static void add(
      Histogram histogram, Instant from, double seconds, double unit, String tag, RunRecorder to) {
    long parts = Math.max(1, Math.round(Math.min(seconds, RunRecorder.MOST_INTERVALS)));
    for (HistogramIterationValue value : histogram.recordedValues()) {
      long count = value.getCountAtValueIteratedTo();
      Duration latency = LoadFigures.seconds(value.getValueIteratedTo() * unit);
      for (long part = 0; part < parts; part++) {
        long here = count * (part + 1) / parts - count * part / parts;
        if (here > 0) {
          to.add(from.plusSeconds(part), latency, false, tag, here);
        }
      }
    }
  }
}
