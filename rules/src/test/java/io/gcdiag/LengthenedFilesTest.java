package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.RecordedIncident;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of recorded incidents with quiet minutes before or after them: a longer file does not hide
 * what a shorter one shows. The minutes have a collection of the same kind as the log's first one
 * every five seconds, of 6 ms.
 */
@Tag("incidents")
class LengthenedFilesTest {

  private static final Pattern LINE =
      Pattern.compile("\\[(\\S+?[+-]\\d{4})]\\[(\\d+\\.\\d{3})s](.*)");

  private static final Pattern PAUSE =
      Pattern.compile("(\\[.*] )GC\\(\\d+\\) (Pause .*) \\d+\\.\\d{3}ms");

  private static final Pattern COLLECTION = Pattern.compile("GC\\((\\d+)\\)");

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSxx", Locale.ROOT);

  /** Seconds between collections. */
  private static final int EVERY = 5;

  @TempDir private Path folder;

  @Test
  void aLogThatBeginsEarlierOrEndsLaterHidesNoLatencies() throws IOException {
    List<String> hidden = new ArrayList<>();
    int found = 0;
    for (RecordedIncident incident : Incidents.recorded()) {
      Optional<Path> load = file(incident, "requests.csv.gz").or(() -> file(incident, "load.jtl"));
      Optional<Path> log = log(incident);
      if (load.isPresent() && log.isPresent() && incident.truth().primarySuspect().isPresent()) {
        Windows alone = windows(load.get(), log.get());
        if (alone.chosenBy() == Windows.ChosenBy.CHANGE_POINT) {
          found++;
          for (int minutes : List.of(10, -10)) {
            Windows longer = windows(load.get(), lengthened(log.get(), minutes));
            if (isElsewhere(alone, longer)) {
              hidden.add(incident.name() + " " + minutes + ": " + longer.reason());
            }
          }
        }
      }
    }
    assertTrue(found >= 8, "incidents found: " + found);
    assertEquals(List.of(), hidden);
  }

  private static boolean isElsewhere(Windows alone, Windows longer) {
    Window one = alone.incident();
    Window other = longer.incident();
    double both = one.overlap(other.from(), other.length()).toMillis() / 1e3;
    return longer.chosenBy() != Windows.ChosenBy.CHANGE_POINT
        || both < (one.seconds() + other.seconds() - both) / 2;
  }

  private static Windows windows(Path... files) {
    return Analysis.run(AnalysisRequest.of(files)).windows();
  }

  private static Optional<Path> file(RecordedIncident incident, String name) {
    return Optional.of(incident.folder().resolve(name)).filter(Files::exists);
  }

  /** With dates and times since the start in each line. */
  private static Optional<Path> log(RecordedIncident incident) {
    return file(incident, "gc.log")
        .or(() -> file(incident, "gc.log.gz"))
        .filter(log -> LINE.matcher(lines(log).get(0)).matches())
        .filter(log -> lines(log).stream().anyMatch(line -> PAUSE.matcher(line).matches()));
  }

  private static List<String> lines(Path log) {
    try (InputStream in = Files.newInputStream(log);
        InputStream text = log.toString().endsWith(".gz") ? new GZIPInputStream(in) : in) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The log with so many quiet minutes before it, or after it where they are negative. */
  private Path lengthened(Path log, int minutes) throws IOException {
    List<String> lines = lines(log);
    int shift = 60 * Math.max(0, minutes);
    List<String> quiet = quiet(lines, minutes);
    List<String> moved = new ArrayList<>();
    int first = (int) lines.stream().takeWhile(line -> !line.contains("GC(")).count();
    for (String line : lines) {
      Matcher parts = LINE.matcher(line);
      boolean header = moved.size() < first;
      if (shift > 0 && parts.matches()) {
        double uptime = Double.parseDouble(parts.group(2)) + (header ? 0 : shift);
        Instant at = OffsetDateTime.parse(parts.group(1), DATE).toInstant();
        Matcher id = COLLECTION.matcher(parts.group(3));
        moved.add(
            line(
                header ? at.minusSeconds(shift) : at,
                uptime,
                id.replaceFirst(
                    one -> "GC(" + (Integer.parseInt(one.group(1)) + quiet.size()) + ")")));
      } else {
        moved.add(line);
      }
    }
    moved.addAll(minutes > 0 ? first : lines.size(), quiet);
    return Files.write(
        folder.resolve("gc-" + log.getParent().getFileName() + minutes + ".log"), moved);
  }

  private static List<String> quiet(List<String> lines, int minutes) {
    Matcher start = LINE.matcher(lines.get(0));
    String last =
        lines.stream()
            .filter(line -> LINE.matcher(line).matches())
            .reduce((a, b) -> b)
            .orElseThrow();
    Matcher end = LINE.matcher(last);
    Matcher pause =
        lines.stream().map(PAUSE::matcher).filter(Matcher::matches).findFirst().orElseThrow();
    if (!start.matches() || !end.matches()) {
      throw new IllegalStateException("not a log with dates: " + last);
    }
    String tags = LINE.matcher(pause.group(1) + " ").replaceFirst("$3").strip();
    Instant from =
        minutes > 0
            ? OffsetDateTime.parse(start.group(1), DATE).toInstant().minusSeconds(60L * minutes)
            : OffsetDateTime.parse(end.group(1), DATE).toInstant();
    double uptime = Double.parseDouble((minutes > 0 ? start : end).group(2));
    return Stream.iterate(1, one -> EVERY * one < 60 * Math.abs(minutes), one -> one + 1)
        .map(
            one ->
                line(
                    from.plusSeconds((long) EVERY * one),
                    uptime + EVERY * one,
                    "%s GC(%d) %s 6.000ms"
                        .formatted(tags, minutes > 0 ? one - 1 : 1_000_000 + one, pause.group(2))))
        .toList();
  }

  private static String line(Instant at, double uptime, String rest) {
    return String.format(
        Locale.ROOT, "[%s][%.3fs]%s", DATE.format(at.atOffset(ZoneOffset.UTC)), uptime, rest);
  }
}
