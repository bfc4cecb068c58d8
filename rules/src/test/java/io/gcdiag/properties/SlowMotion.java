package io.gcdiag.properties;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.fixtures.RecordedIncident;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * A GC log and a summary of k6 as they would be had everything taken longer by one factor: dates
 * and uptimes lie further apart, pauses and latencies are longer, rates are lower.
 */
final class SlowMotion {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** The decorations of a line of a unified log: when, and how long the JVM had been running. */
  private static final Pattern DATE =
      Pattern.compile("^\\[(\\d{4}-\\d\\d-\\d\\dT[\\d:.]+[+-]\\d{4})]");

  private static final DateTimeFormatter DATED =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSxx");

  private static final Pattern UPTIME = Pattern.compile("(?<=\\[)\\d+\\.\\d{3}(?=s])");

  /** {@code 12.345ms} and {@code 1234 ns}. */
  private static final Pattern LENGTH = Pattern.compile("\\d+\\.\\d+(?=ms)|\\d+(?= ns)");

  /**
   * CPU time is printed in hundredths of a second: what it tells depends on how long pauses are.
   */
  private static final String CPU_TIME = "User=";

  private final BigDecimal factor;

  SlowMotion(double factor) {
    this.factor = BigDecimal.valueOf(factor);
  }

  /** Writes the incident's log and summary; empty if it lacks one of them, or has other formats. */
  Optional<List<Path>> write(RecordedIncident incident, Path folder) throws IOException {
    Optional<Path> log = file(incident, "gc.log");
    Optional<Path> load = file(incident, "load.json");
    if (log.isEmpty() || load.isEmpty()) {
      return Optional.empty();
    }
    List<String> lines =
        lines(log.get()).stream().filter(line -> !line.contains(CPU_TIME)).toList();
    if (lines.stream().noneMatch(line -> DATE.matcher(line).find())) {
      return Optional.empty();
    }
    Path slowLog = folder.resolve("gc.log");
    Path slowLoad = folder.resolve("load.json");
    Instant first = date(lines);
    Files.write(slowLog, lines.stream().map(line -> slow(line, first)).toList());
    JsonNode summary = JSON.readTree(load.get().toFile());
    if (!summary.path("metrics").path("http_req_duration").has("values")) {
      return Optional.empty();
    }
    slow((ObjectNode) summary);
    JSON.writeValue(slowLoad.toFile(), summary);
    return Optional.of(List.of(slowLog, slowLoad));
  }

  /** The instant as it lies after the first line of the log. */
  Instant at(RecordedIncident incident, Instant instant) throws IOException {
    return slow(instant, date(lines(file(incident, "gc.log").orElseThrow())));
  }

  private static Optional<Path> file(RecordedIncident incident, String name) throws IOException {
    try (Stream<Path> files = Files.list(incident.folder())) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(name))
          .sorted()
          .findFirst();
    }
  }

  private static List<String> lines(Path log) throws IOException {
    try (InputStream raw = Files.newInputStream(log);
        InputStream text = log.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
      return new String(text.readAllBytes())
          .lines()
          .collect(Collectors.toCollection(ArrayList::new));
    }
  }

  private static Instant date(List<String> lines) {
    return lines.stream()
        .map(DATE::matcher)
        .filter(Matcher::find)
        .map(found -> OffsetDateTime.parse(found.group(1), DATED).toInstant())
        .findFirst()
        .orElse(Instant.EPOCH);
  }

  private String slow(String line, Instant first) {
    Matcher date = DATE.matcher(line);
    String dated = line;
    if (date.find()) {
      OffsetDateTime at = OffsetDateTime.parse(date.group(1), DATED);
      Instant later = slow(at.toInstant(), first);
      dated = "[" + DATED.format(later.atOffset(at.getOffset())) + line.substring(date.end() - 1);
    }
    String uptime = UPTIME.matcher(dated).replaceFirst(this::longer);
    return LENGTH.matcher(uptime).replaceAll(this::longer);
  }

  private Instant slow(Instant at, Instant first) {
    long nanos = Duration.between(first, at).toNanos();
    return first.plusNanos(factor.multiply(BigDecimal.valueOf(nanos)).longValue());
  }

  /** With as many digits: a reader may go by them. */
  private String longer(MatchResult number) {
    BigDecimal old = new BigDecimal(number.group());
    return old.multiply(factor).setScale(old.scale(), RoundingMode.HALF_EVEN).toPlainString();
  }

  private void slow(ObjectNode summary) {
    ObjectNode state = (ObjectNode) summary.path("state");
    state.put("testRunDurationMs", times(state.path("testRunDurationMs")));
    for (JsonNode metric : summary.path("metrics")) {
      ObjectNode values = (ObjectNode) metric.path("values");
      boolean time = metric.path("contains").asText().equals("time");
      List<String> names = new ArrayList<>();
      values.fieldNames().forEachRemaining(names::add);
      for (String name : names) {
        boolean isRate = name.equals("rate") && metric.path("type").asText().equals("counter");
        if (isRate) {
          values.put(name, values.path(name).doubleValue() / factor.doubleValue());
        } else if (time && !name.equals("count")) {
          values.put(name, times(values.path(name)));
        }
      }
    }
  }

  private double times(JsonNode number) {
    return number.doubleValue() * factor.doubleValue();
  }
}
