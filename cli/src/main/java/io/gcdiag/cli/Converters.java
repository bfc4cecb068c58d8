package io.gcdiag.cli;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.cli.fleet.CaseTask;
import io.gcdiag.cli.fleet.WorkerHeap;
import io.gcdiag.cli.manual.Shell;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.report.PoolQuestion.TargetWait;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.time.WindowRequest;
import io.gcdiag.fleet.GroupBy;
import io.gcdiag.fleet.PathPattern;
import io.gcdiag.loadtests.Percentile;
import io.gcdiag.queueing.ErlangC;
import io.gcdiag.read.bytes.JfrReader;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters of option values; each error message shows the correct form. */
final class Converters {

  /** A smaller report would lose the answer itself. */
  private static final long SMALLEST_REPORT = 4_000;

  private Converters() {}

  static void register(CommandLine command) {
    command.registerConverter(Duration.class, converter(Durations::parse));
    command.registerConverter(ZoneId.class, converter(Converters::zone));
    command.registerConverter(Bytes.class, converter(Converters::reportSize));
    command.registerConverter(Rate.class, converter(Rate::parse));
    command.registerConverter(JfrReader.class, converter(JfrReader::named));
    command.registerConverter(MetricMeaning.class, converter(MetricMeaning::named));
    command.registerConverter(WindowRequest.class, converter(WindowRequest::parse));
    command.registerConverter(TargetWait.class, converter(TargetWait::parse));
    command.registerConverter(ReportFormat.class, converter(ReportFormat::named));
    command.registerConverter(Percentile.class, converter(Percentile::parse));
    command.registerConverter(Ratio.class, converter(Converters::share));
    command.registerConverter(Integer.class, converter(Converters::poolSize));
    command.registerConverter(Instant.class, converter(Converters::instant));
    command.registerConverter(Parallelism.class, converter(Parallelism::parse));
    command.registerConverter(WorkerHeap.class, converter(WorkerHeap::parse));
    command.registerConverter(PathPattern.class, converter(PathPattern::parse));
    registerWords(command, Terminal.Colour.class);
    registerWords(command, AnalyzeCommand.FailOn.class);
    registerWords(command, SloCommand.FailOn.class);
    registerWords(command, CaseTask.Reports.class);
    registerWords(command, GroupBy.class);
    registerWords(command, Shell.class);
    registerWords(command, Hypothesis.class);
  }

  private static <E extends Enum<E>> void registerWords(CommandLine command, Class<E> type) {
    command.registerConverter(type, converter(text -> constant(type, text)));
  }

  private static <T> ITypeConverter<T> converter(Function<String, T> parse) {
    return text -> {
      try {
        return parse.apply(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    };
  }

  private static Integer poolSize(String text) {
    String digits = text.trim();
    int size = digits.matches("\\d{1,9}") ? Integer.parseInt(digits) : 0;
    if (size < 1 || size > ErlangC.MOST_SERVERS) {
      throw new IllegalArgumentException(
          "'%s' is not a number of connections; write a whole number from 1 to %s"
              .formatted(text, ErlangC.MOST_SERVERS));
    }
    return size;
  }

  private static ZoneId zone(String text) {
    try {
      ZoneId zone = ZoneId.of(text);
      return zone.normalized().equals(ZoneOffset.UTC) ? ZoneOffset.UTC : zone;
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a time zone; write it like Europe/Berlin, +02:00 or UTC", e);
    }
  }

  /** A date is midnight in UTC; so is a time without a zone in UTC. */
  private static Instant instant(String text) {
    String time = text.trim();
    String whole = time.matches("\\d{4}-\\d\\d-\\d\\d") ? time + "T00:00" : time;
    boolean zoned = whole.matches(".*T.*(Z|[+-]\\d\\d:?\\d\\d)");
    try {
      return OffsetDateTime.parse(zoned ? whole : whole + "Z").toInstant();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a time; write it like 2026-03-01 or 2026-03-01T12:00Z", e);
    }
  }

  private static Bytes reportSize(String text) {
    Bytes size = Bytes.parse(text);
    if (size.value() < SMALLEST_REPORT) {
      throw new IllegalArgumentException(
          "'" + text + "' is too small for a report; write 4000 or more");
    }
    return size;
  }

  private static Ratio share(String text) {
    String number = text.trim();
    boolean percent = number.endsWith("%");
    String digits = percent ? number.substring(0, number.length() - 1).trim() : number;
    if (!digits.matches("\\d{1,3}(\\.\\d{1,9})?")) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a share; write it like 99% or 0.99");
    }
    double value = Double.parseDouble(digits);
    return percent ? Ratio.ofPercent(value) : new Ratio(value);
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String text) {
    List<String> words = Arrays.stream(type.getEnumConstants()).map(Converters::word).toList();
    int place = words.indexOf(text.toLowerCase(Locale.ROOT));
    if (place < 0) {
      throw new IllegalArgumentException("'" + text + "' is none of " + String.join(", ", words));
    }
    return type.getEnumConstants()[place];
  }

  /** How a constant is written on the command line. */
  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
