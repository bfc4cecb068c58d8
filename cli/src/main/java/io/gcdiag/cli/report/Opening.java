package io.gcdiag.cli.report;

import io.gcdiag.causes.Hypothesis;
import io.gcdiag.cli.report.Block.Fact;
import io.gcdiag.diagnosis.Conclusion;
import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.diagnosis.Hidden;
import io.gcdiag.diagnosis.Judgement;
import io.gcdiag.diagnosis.Verdict;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.source.InputReport;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.figures.Metric;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Numbers;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The first screen: the answer, how sure it is, what to do first, and what it rests on. */
final class Opening {

  /** So many inputs are listed one by one; a folder of more is summed up. */
  private static final int MOST_INPUTS = 6;

  /** What users see of a service; a meter inside of it stands in where no load test was. */
  private static final List<String> FELT =
      List.of("latency.p99", "latency.p50", "request.failed", "server.latency.p99");

  /** What titles of figures that know no windows end in. */
  static final String WHOLE_TEST = ", whole test";

  private Opening() {}

  static Cell title(Diagnosis diagnosis) {
    return switch (diagnosis.conclusion()) {
      case PRIMARY_SUSPECT -> new Cell(suspects(diagnosis), Tone.BAD);
      case HEALTHY -> new Cell("Healthy: nothing exceeds what the service needs", Tone.GOOD);
      case UNDECIDED -> new Cell("Undecided: these inputs do not say why", Tone.WARNING);
    };
  }

  static List<Block> blocks(Diagnosis diagnosis, ZoneId zone) {
    List<Block> blocks = new ArrayList<>();
    if (!diagnosis.summary().isBlank()) {
      blocks.add(Block.Paragraph.of(diagnosis.summary()));
    }
    List<Fact> facts = new ArrayList<>();
    DiagnosisDocument.primary(diagnosis)
        .ifPresent(
            primary -> {
              primary
                  .advice()
                  .place()
                  .ifPresent(place -> facts.add(Fact.of("Where", place.toString())));
              if (primary.explainedShare().isPresent()) {
                facts.add(Fact.of("Why", FigureText.sentence(primary.reason())));
              }
              facts.add(Fact.of("Confidence", sureness(primary)));
              doFirst(diagnosis)
                  .ifPresent(
                      action -> facts.add(new Fact("Do first", new Cell(action, Tone.STRONG))));
              PredictionSection.best(diagnosis, primary.hypothesis())
                  .ifPresent(text -> facts.add(Fact.of("Expect", text)));
            });
    felt(diagnosis).ifPresent(text -> facts.add(Fact.of("User impact", text)));
    ids(diagnosis, Verdict.RULED_OUT).ifPresent(text -> facts.add(Fact.of("Ruled out", text)));
    addWindows(facts, diagnosis.windows(), isIncident(diagnosis) ? "Incident" : "Looked at", zone);
    jvm(diagnosis.jvm()).ifPresent(text -> facts.add(Fact.of("JVM", text)));
    addInputs(facts, diagnosis.inputs());
    if (diagnosis.hidden().secrets() > 0) {
      facts.add(new Fact("Hidden", new Cell(hidden(diagnosis.hidden()), Tone.MUTED)));
    }
    blocks.add(new Block.Facts(facts));
    blocks.addAll(ChartSection.blocks(diagnosis, zone));
    return blocks;
  }

  /** A healthy run has none, and all of a recording is no part of it. */
  static boolean isIncident(Diagnosis diagnosis) {
    return diagnosis.conclusion() != Conclusion.HEALTHY
        && diagnosis.windows().chosenBy() != ChosenBy.WHOLE_RECORDING;
  }

  private static String suspects(Diagnosis diagnosis) {
    String first = diagnosis.primarySuspect().map(Hypothesis::title).orElse("not named");
    return DiagnosisDocument.rival(diagnosis)
        .map(other -> "Primary suspects, not separable: " + first + "; " + other.title())
        .orElse("Primary suspect: " + first);
  }

  /** What tells two suspects apart comes before what helps against one of them. */
  static Optional<String> doFirst(Diagnosis diagnosis) {
    Optional<String> action =
        DiagnosisDocument.primary(diagnosis).stream()
            .flatMap(primary -> primary.actions().stream())
            .findFirst();
    return DiagnosisDocument.experiment(diagnosis)
        .map(experiment -> "to separate them: " + experiment)
        .or(() -> action);
  }

  private static String sureness(Judgement primary) {
    String confidence = primary.confidence().map(c -> c.id()).orElse("not rated");
    String why =
        primary.doubts().isEmpty()
            ? "independent evidence agrees, and nothing that matters is missing"
            : primary.doubts();
    return confidence + ": " + why;
  }

  /** The latency figures of the table of metrics that most people know by heart. */
  private static Optional<String> felt(Diagnosis diagnosis) {
    List<String> parts = new ArrayList<>();
    for (String name : FELT) {
      diagnosis.metrics().stream()
          .filter(metric -> metric.name().equals(name))
          .filter(metric -> metric.incident().orElse(1) != 0)
          .findFirst()
          .ifPresent(metric -> parts.add(figure(metric)));
    }
    if (parts.isEmpty()) {
      return Optional.empty();
    }
    boolean whole = parts.stream().allMatch(part -> part.contains(WHOLE_TEST));
    String all = String.join("; ", parts);
    return Optional.of(whole ? all.replace(WHOLE_TEST, "") + " (whole load test)" : all);
  }

  private static String figure(Metric metric) {
    String during = FigureText.during(metric);
    String before = FigureText.before(metric);
    return before.equals(FigureText.NONE)
        ? metric.title() + " " + during
        : metric.title() + " " + before + " -> " + during;
  }

  private static Optional<String> ids(Diagnosis diagnosis, Verdict verdict) {
    List<Judgement> judgements = DiagnosisDocument.withVerdict(diagnosis, verdict);
    return judgements.isEmpty()
        ? Optional.empty()
        : Optional.of(
            judgements.stream().map(j -> j.hypothesis().id()).collect(Collectors.joining(", ")));
  }

  private static void addWindows(List<Fact> facts, Windows windows, String label, ZoneId zone) {
    if (!windows.dated()) {
      facts.add(Fact.of("Windows", windows.reason()));
      return;
    }
    facts.add(Fact.of(label, FigureText.window(windows.incident(), zone)));
    facts.add(
        windows
            .baseline()
            .map(window -> Fact.of("Baseline", FigureText.window(window, zone) + later(windows)))
            .orElse(Fact.of("Baseline", "none found")));
    String chosen =
        switch (windows.chosenBy()) {
          case USER -> "given on the command line";
          case CHANGE_POINT -> "detected by change-point analysis";
          case WHOLE_RECORDING -> "the whole recording";
        };
    facts.add(
        new Fact(
            "Windows",
            new Cell(
                windows.reason().isBlank() ? chosen : chosen + ": " + windows.reason(),
                Tone.MUTED)));
  }

  /** A run may begin with its incident, such as a warm-up: what is usual comes after it then. */
  private static String later(Windows windows) {
    return windows
        .baseline()
        .filter(window -> window.from().isAfter(windows.incident().from()))
        .map(window -> ", after the incident; \"before\" is this time")
        .orElse("");
  }

  private static Optional<String> jvm(JvmFacts jvm) {
    List<String> parts = new ArrayList<>();
    jvm.version().ifPresent(parts::add);
    jvm.collector().ifPresent(parts::add);
    if (jvm.initialHeap().isPresent() || jvm.maxHeap().isPresent()) {
      parts.add(
          "heap "
              + jvm.initialHeap().map(Bytes::toString).orElse("unknown")
              + " to "
              + jvm.maxHeap().map(Bytes::toString).orElse("unknown"));
    }
    jvm.cpus().ifPresent(cpus -> parts.add(Numbers.count(cpus) + (cpus == 1 ? " CPU" : " CPUs")));
    return parts.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", parts));
  }

  /** Files with trouble are always named; sound ones only while they are few. */
  private static void addInputs(List<Fact> facts, List<InputReport> inputs) {
    boolean few = inputs.size() <= MOST_INPUTS;
    String sound =
        inputs.stream()
            .filter(input -> input.status() == InputReport.Status.OK)
            .map(input -> input.file() + " (" + input.format() + ")")
            .collect(Collectors.joining(", "));
    long soundCount =
        inputs.stream().filter(input -> input.status() == InputReport.Status.OK).count();
    if (soundCount > 0) {
      facts.add(
          Fact.of("Inputs", few ? sound : Numbers.count(soundCount) + " files, all of each read"));
    }
    for (InputReport input : inputs) {
      if (input.status() != InputReport.Status.OK) {
        facts.add(new Fact(statusWord(input), new Cell(inputText(input), Tone.WARNING)));
      }
    }
  }

  private static String hidden(Hidden hidden) {
    return Numbers.count(hidden.secrets())
        + (hidden.secrets() == 1 ? " secret or name in " : " secrets or names in ")
        + Numbers.count(hidden.places())
        + (hidden.places() == 1 ? " place" : " places")
        + ", the same number for the same one; --no-redact shows them";
  }

  private static String statusWord(InputReport input) {
    return input.status() == InputReport.Status.PARTIAL ? "Partial" : "Unreadable";
  }

  private static String inputText(InputReport input) {
    String name = input.file() + " (" + input.format().toLowerCase(Locale.ROOT) + ")";
    return input.note().isBlank() ? name : name + ": " + input.note();
  }
}
