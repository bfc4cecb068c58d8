package io.gcdiag.fleet;

import io.gcdiag.evidence.jvm.JvmSample.RecordedProgram;
import io.gcdiag.read.FileGlance;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.jfr.RecordedService;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Service, host and version as a recording states them. */
final class RecordedOrigin {

  /** Properties and variables that name a service, those meant for it first. */
  private static final List<String> SERVICE =
      List.of(
          RecordedService.PROPERTY + "service.name",
          RecordedService.PROPERTY + "otel.service.name",
          "OTEL_SERVICE_NAME",
          RecordedService.PROPERTY + "spring.application.name",
          "DD_SERVICE");

  private static final List<String> VERSION =
      List.of(RecordedService.PROPERTY + "service.version", "DD_VERSION");

  private static final List<String> HOST =
      List.of(RecordedService.PROPERTY + "host.name", "HOSTNAME", "COMPUTERNAME");

  /** {@code service.name=orders,service.version=1.4}: the OpenTelemetry specification. */
  private static final List<String> ATTRIBUTES =
      List.of(RecordedService.PROPERTY + "otel.resource.attributes", "OTEL_RESOURCE_ATTRIBUTES");

  private final RecordedService recorded;
  private final Redactor redactor;

  private RecordedOrigin(RecordedService recorded, Redactor redactor) {
    this.recorded = recorded;
    this.redactor = redactor;
  }

  /** What the first recording among the files says; nothing if there is none. */
  static CaseOrigin of(List<Path> files, Redactor redactor) {
    for (Path file : files) {
      Optional<CaseOrigin> origin =
          FileGlance.of(file)
              .filter(FileGlance::isRecording)
              .flatMap(glance -> RecordedService.of(file, glance.packed()))
              .map(recorded -> of(recorded, redactor));
      if (origin.isPresent()) {
        return origin.get();
      }
    }
    return CaseOrigin.UNKNOWN;
  }

  static CaseOrigin of(RecordedService recorded, Redactor redactor) {
    return new RecordedOrigin(recorded, redactor).origin();
  }

  private CaseOrigin origin() {
    return new CaseOrigin(
        first(SERVICE)
            .or(() -> attribute("service.name"))
            .or(() -> RecordedProgram.nameOf(recorded.application()))
            .map(redactor::redact),
        first(HOST).or(() -> attribute("host.name")).map(redactor::redact),
        first(VERSION)
            .or(() -> attribute("service.version"))
            .or(() -> RecordedProgram.versionOf(recorded.application()))
            .map(redactor::redact));
  }

  private Optional<String> first(List<String> names) {
    return names.stream().flatMap(this::value).findFirst();
  }

  private Stream<String> value(String name) {
    return Optional.ofNullable(recorded.names().get(name)).filter(text -> !text.isBlank()).stream();
  }

  private Optional<String> attribute(String name) {
    return ATTRIBUTES.stream()
        .flatMap(this::value)
        .flatMap(text -> Stream.of(text.split(",")))
        .map(pair -> pair.split("=", 2))
        .filter(pair -> pair.length == 2 && pair[0].strip().equals(name))
        .map(pair -> pair[1].strip())
        .filter(text -> !text.isBlank())
        .findFirst();
  }
}
