package io.gcdiag.fleet;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.AnalysisRequest.Input;
import io.gcdiag.evidence.jvm.JvmSample.RecordedProgram;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.read.FileGlance;
import io.gcdiag.read.bytes.ReaderDefectException;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.jfr.RecordedService;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Analyses one case into a row. */
public final class CaseAnalyst {

  private CaseAnalyst() {}

  /**
   * The answer to a case.
   *
   * @param row for the table of all cases
   * @param diagnosis for a report; absent if the case could not be analysed
   */
  public record Answer(CaseRow row, Optional<Diagnosis> diagnosis) {}

  /**
   * Analyses a case. A defect of the program that one file brings to light fails this case only.
   *
   * @param how everything but the inputs
   */
  public static Answer analyse(FleetCase one, CaseKey key, AnalysisRequest how) {
    Redactor redactor = Redactor.of(how.redact(), how.redactHosts());
    CaseOrigin origin = one.origin().or(RecordedOrigin.of(one.files(), redactor)).or(one.placed());
    CaseOrigin shown =
        how.redactHosts()
            ? new CaseOrigin(origin.service(), Optional.empty(), origin.build())
            : origin;
    List<Input> inputs =
        one.inputs().stream().map(path -> new Input(path, Optional.empty())).toList();
    try {
      Diagnosis diagnosis = Analysis.run(how.reading(inputs));
      List<String> notes =
          diagnosis.inputs().stream()
              .filter(InputReport::isAffected)
              .map(input -> input.file() + " (" + input.status().id() + "): " + input.note())
              .toList();
      if (diagnosis.inputs().stream().noneMatch(InputReport::isUsed)) {
        String why = notes.isEmpty() ? "no input was found" : String.join("; ", notes);
        return new Answer(CaseRow.failed(key, shown, one.time(), why), Optional.empty());
      }
      return new Answer(row(one, key, shown, diagnosis, notes), Optional.of(diagnosis));
    } catch (ReaderDefectException e) {
      return defect(one, key, shown, "while it read " + e.file() + ": " + e.getCause(), redactor);
    } catch (RuntimeException e) {
      return defect(one, key, shown, "an internal error: " + e, redactor);
    }
  }

  private static Answer defect(
      FleetCase one, CaseKey key, CaseOrigin origin, String what, Redactor redactor) {
    String error = "a defect of gcdiag, " + redactor.redact(what) + "; please report it";
    return new Answer(CaseRow.failed(key, origin, one.time(), error), Optional.empty());
  }

  private static CaseRow row(
      FleetCase one, CaseKey key, CaseOrigin origin, Diagnosis diagnosis, List<String> notes) {
    CaseOutcome outcome = CaseOutcome.of(diagnosis.conclusion());
    return new CaseRow(
        key,
        origin,
        time(diagnosis.windows()).or(one::time),
        outcome,
        suspects(diagnosis),
        outcome == CaseOutcome.HEALTHY ? OptionalDouble.empty() : lost(diagnosis),
        notes,
        "",
        "");
  }

  /** Both windows and what lies between. */
  private static Optional<Window> time(Windows windows) {
    if (!windows.dated()) {
      return Optional.empty();
    }
    Window incident = windows.incident();
    Window baseline = windows.baseline().orElse(incident);
    Instant from = Collections.min(List.of(incident.from(), baseline.from()));
    Instant to = Collections.max(List.of(incident.to(), baseline.to()));
    return Optional.of(new Window(from, to));
  }

  private static List<Suspect> suspects(Diagnosis diagnosis) {
    return diagnosis.judgements().stream()
        .filter(judgement -> judgement.verdict().compareTo(Verdict.CONTRIBUTING) <= 0)
        .sorted(
            Comparator.comparing(
                judgement ->
                    diagnosis.primarySuspect().filter(judgement.hypothesis()::equals).isEmpty()))
        .map(CaseAnalyst::suspect)
        .toList();
  }

  private static Suspect suspect(Judgement judgement) {
    return new Suspect(
        judgement.hypothesis(),
        judgement.verdict(),
        judgement.share().explained(),
        judgement.rating().confidence(),
        Stream.concat(judgement.actions().stream(), Stream.of("")).findFirst().orElse(""));
  }

  /** Request time above the baseline's; bounds are no measurement. */
  private static OptionalDouble lost(Diagnosis diagnosis) {
    double seconds =
        diagnosis.lostTime().ledger().stream()
            .filter(entry -> !entry.atMost())
            .mapToDouble(entry -> entry.excessThreadSeconds())
            .sum();
    return seconds > 0 ? OptionalDouble.of(seconds) : OptionalDouble.empty();
  }

  /** Service, host and version as a recording states them. */
  record RecordedOrigin(RecordedService recorded, Redactor redactor) {

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
      return Optional.ofNullable(recorded.names().get(name))
          .filter(text -> !text.isBlank())
          .stream();
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
}
