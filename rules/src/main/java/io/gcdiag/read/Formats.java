package io.gcdiag.read;

import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.dumps.AppLogFormat;
import io.gcdiag.read.dumps.ClassHistogramFormat;
import io.gcdiag.read.dumps.CrashReportFormat;
import io.gcdiag.read.dumps.JvmInfoFormat;
import io.gcdiag.read.dumps.ThreadDumpFormat;
import io.gcdiag.read.gclog.GcLogFormat;
import io.gcdiag.read.jfr.RecordingFormat;
import io.gcdiag.read.load.AbFormat;
import io.gcdiag.read.load.AccessLogFormat;
import io.gcdiag.read.load.AutocannonFormat;
import io.gcdiag.read.load.GatlingFormat;
import io.gcdiag.read.load.HdrLogFormat;
import io.gcdiag.read.load.HeyFormat;
import io.gcdiag.read.load.JmeterFormat;
import io.gcdiag.read.load.K6ConsoleFormat;
import io.gcdiag.read.load.K6DashboardFormat;
import io.gcdiag.read.load.K6SamplesFormat;
import io.gcdiag.read.load.K6SummaryFormat;
import io.gcdiag.read.load.LocustFormat;
import io.gcdiag.read.load.OhaFormat;
import io.gcdiag.read.load.TraceFormat;
import io.gcdiag.read.load.VegetaFormat;
import io.gcdiag.read.load.WrkFormat;
import io.gcdiag.read.metrics.ExpositionFormat;
import io.gcdiag.read.metrics.MetricCsvFormat;
import io.gcdiag.read.metrics.PrometheusJsonFormat;
import io.gcdiag.read.metrics.ToolFormat;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The kinds of files that can be read. */
final class Formats {

  /** Every format, in the order in which they are tried. */
  static final List<InputFormat> ALL =
      List.of(
          new RecordingFormat(),
          new K6SamplesFormat(),
          new K6DashboardFormat(),
          new K6SummaryFormat(),
          new K6ConsoleFormat(),
          new JmeterFormat(),
          new AbFormat(),
          new WrkFormat(),
          new HeyFormat(),
          new OhaFormat(),
          new GatlingFormat(),
          new VegetaFormat(),
          new AutocannonFormat(),
          new LocustFormat(),
          new HdrLogFormat(),
          new TraceFormat(),
          new PrometheusJsonFormat(),
          new ExpositionFormat(),
          new MetricCsvFormat(),
          // The files before it tell the unit of its durations.
          new AccessLogFormat(),
          new ThreadDumpFormat(),
          new GcLogFormat(),
          new ClassHistogramFormat(),
          new CrashReportFormat(),
          new JvmInfoFormat(),
          new ToolFormat(),
          new AppLogFormat());

  static List<InputFormat> candidates(Optional<String> wanted) {
    return ALL.stream()
        .filter(candidate -> wanted.isEmpty() || wanted.get().equals(candidate.kind()))
        .toList();
  }

  /** The formats that were expected, for the message about a file of an unknown format. */
  static String describe(Optional<String> wanted) {
    if (wanted.isEmpty()) {
      return "a recording (.jfr), a HotSpot GC log, a thread dump, a class histogram, flags or heap"
          + " of a JVM, a load test's result, or metrics; docs/inputs says which";
    }
    return candidates(wanted).stream()
        .map(InputFormat::description)
        .collect(Collectors.joining(" or "));
  }

  /** Why a file could not be read, in one line. */
  static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    }
    if (e instanceof AccessDeniedException) {
      return "no permission to read it";
    }
    if (e instanceof FileSystemException system && system.getReason() != null) {
      return InputFile.printable(system.getReason());
    }
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return InputFile.printable(message);
  }
}
