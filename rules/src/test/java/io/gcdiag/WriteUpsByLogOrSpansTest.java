package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Unpacked;
import io.gcdiag.verdict.Diagnosis;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The published incidents with an access log or spans in place of the load test: the same requests,
 * with their start and duration, must lead to the same suspect.
 *
 * <p>Of the files made after the write-ups themselves only {@code cpu-login} has single requests:
 * {@code rca} has the summary of k6, and {@code parnew} the means of a timer. For these write-ups
 * the recorded counterparts stand, which have all requests, as they have for the other two.
 */
@Tag("slow")
class WriteUpsByLogOrSpansTest {

  /** How the requests are written. */
  private enum Form {
    /** {@code $request_time}, in seconds. */
    NGINX("access-log"),
    /** {@code %D} of Tomcat from 10 on, in microseconds. */
    TOMCAT("access-log"),
    /** OTLP as JSON, 512 spans a line. */
    SPANS("traces");

    private final String format;

    Form(String format) {
      this.format = format;
    }
  }

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final int BATCH = 512;

  @TempDir private Path folder;

  private record Request(double startMillis, double millis, String status) {

    double endMillis() {
      return startMillis + millis;
    }

    private String line(Form form) {
      String duration =
          form == Form.NGINX
              ? "%.3f".formatted(millis / 1e3)
              : Long.toString(Math.round(millis * 1e3));
      String end = TIME.format(Instant.ofEpochMilli((long) endMillis()));
      return "10.1.2.3 - - [%s] \"GET /request HTTP/1.1\" %s 512 %s\n"
          .formatted(end, status, duration);
    }

    private String span(int number) {
      return """
             {"traceId":"%032x","spanId":"%016x","name":"GET /request","kind":2,\
             "startTimeUnixNano":"%d","endTimeUnixNano":"%d","attributes":[\
             {"key":"http.route","value":{"stringValue":"/request"}},\
             {"key":"http.response.status_code","value":{"intValue":"%s"}}],"status":{}}"""
          .formatted(
              number + 1,
              number + 1,
              Math.round(startMillis * 1e6),
              Math.round(endMillis() * 1e6),
              status);
    }
  }

  /** A login within its target has no suspect. */
  @ParameterizedTest
  @CsvSource({
    "incidents/orders-small-heap,     requests.csv.gz, memory-pressure",
    "incidents/login-slo-met,         requests.csv.gz,",
    "incidents/login-slo-missed,      requests.csv.gz, cpu-saturation",
    "incidents/pages-parnew,          requests.csv.gz, allocation-churn",
    "incidents/relay-pool-of-two,     load.tsv,        connection-pool-undersized",
    "incidents/login-on-200-threads,  load.jtl,        cpu-saturation",
    "write-ups/cpu-login,             load.jtl.gz,     cpu-saturation",
  })
  void theServersOwnViewOfTheRequestsLeadsToTheSameSuspect(
      String incident, String load, String suspect) throws IOException {
    Path files = SampleFiles.file("README.md").getParent().resolveSibling(incident);
    List<Request> requests = requests(files.resolve(load));
    for (Form form : Form.values()) {
      Path made = write(requests, form);
      List<Path> inputs = new ArrayList<>(withoutLoad(files));
      inputs.add(made);
      Diagnosis diagnosis =
          Analysis.run(
              AnalysisRequest.of(inputs.toArray(Path[]::new)).with(reading(form, requests)));
      InputReport read =
          diagnosis.inputs().stream()
              .filter(input -> input.file().equals(made.getFileName().toString()))
              .findFirst()
              .orElseThrow();
      assertEquals(form.format, read.format());
      assertEquals(Status.OK, read.status(), form + ": " + read.note());
      assertTrue(
          diagnosis.figures().toString().contains(read.file()), form + " gives no figure at all");
      assertEquals(
          Optional.ofNullable(suspect), diagnosis.primarySuspect().map(Hypothesis::id), form::name);
    }
  }

  /** If all take more than two seconds, whole numbers are taken for those of a smaller unit. */
  private static ReadOptions reading(Form form, List<Request> requests) {
    boolean allSlow = requests.stream().allMatch(request -> request.millis() > 2_000);
    return form == Form.TOMCAT && allSlow
        ? ReadOptions.STANDARD.with(Map.of("field 8:us", MetricMeaning.LATENCY))
        : ReadOptions.STANDARD;
  }

  private static List<Path> withoutLoad(Path files) throws IOException {
    try (Stream<Path> all = Files.list(files)) {
      return all.filter(
              file ->
                  file.getFileName()
                      .toString()
                      .matches("(gc|heap|histogram|metrics|recording|threads|service).*"))
          .sorted()
          .toList();
    }
  }

  /** From a CSV of k6, a JTL of JMeter or what {@code ab -g} writes. */
  private static List<Request> requests(Path load) throws IOException {
    try (InputStream in = Unpacked.open(load)) {
      String[] lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n");
      boolean tabs = lines[0].contains("\t");
      List<String> heads = List.of(lines[0].split(tabs ? "\t" : ","));
      List<Request> requests = new ArrayList<>();
      for (String line : Arrays.asList(lines).subList(1, lines.length)) {
        String[] cells = line.split(tabs ? "\t" : ",");
        if (heads.contains("elapsed")) {
          requests.add(
              new Request(
                  number(cells, heads, "timeStamp"),
                  number(cells, heads, "elapsed"),
                  cells[heads.indexOf("responseCode")]));
        } else if (tabs) {
          requests.add(
              new Request(
                  1e3 * number(cells, heads, "seconds"), number(cells, heads, "ttime"), "200"));
        } else if (cells[0].equals("http_req_duration")) {
          // k6 1.x writes milliseconds, before it wrote seconds; both are those of the end.
          double time = number(cells, heads, "timestamp");
          double millis = number(cells, heads, "metric_value");
          double end = time < 1e11 ? 1e3 * time : time;
          requests.add(new Request(end - millis, millis, cells[heads.indexOf("status")]));
        }
      }
      requests.sort(Comparator.comparingDouble(Request::endMillis));
      return requests;
    }
  }

  private static double number(String[] cells, List<String> heads, String head) {
    return Double.parseDouble(cells[heads.indexOf(head)]);
  }

  private Path write(List<Request> requests, Form form) throws IOException {
    StringBuilder text = new StringBuilder();
    if (form == Form.SPANS) {
      for (int from = 0; from < requests.size(); from += BATCH) {
        text.append(
                "{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"key\":\"service.name\","
                    + "\"value\":{\"stringValue\":\"service\"}}]},\"scopeSpans\":[{\"spans\":")
            .append(
                IntStream.range(from, Math.min(from + BATCH, requests.size()))
                    .mapToObj(i -> requests.get(i).span(i))
                    .collect(Collectors.joining(",", "[", "]")))
            .append("}]}]}\n");
      }
    } else {
      requests.forEach(request -> text.append(request.line(form)));
    }
    return Files.writeString(
        folder.resolve(form.name().toLowerCase(Locale.ROOT) + ".requests"), text);
  }
}
