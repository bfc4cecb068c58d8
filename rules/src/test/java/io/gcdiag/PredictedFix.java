package io.gcdiag;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Prediction.Quantity;
import io.gcdiag.causes.Causes;
import io.gcdiag.causes.memory.CollectionCount;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.sketches.Predictor;
import io.gcdiag.units.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What is predicted from an incident's files alone for the change that its fix run made, and what
 * that run measured.
 *
 * @param name the incident
 * @param cause what the fix removed
 * @param figures one line for each of the three figures
 */
record PredictedFix(String name, Hypothesis cause, List<Figure> figures) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double NANOS_PER_MILLI = 1e6;
  private static final String LARGEST_HEAP = "-Xmx";

  /**
   * One figure.
   *
   * @param predicted what was predicted of it
   * @param measured what the fix run measured
   */
  record Figure(Prediction predicted, OptionalDouble measured) {

    Optional<Boolean> inside() {
      return measured.isPresent()
          ? predicted
              .range()
              .map(
                  range ->
                      range.low() <= measured.getAsDouble()
                          && measured.getAsDouble() <= range.high())
          : Optional.empty();
    }

    /** How far what is stated as likeliest is off, relative to the measured; of 0 nothing is. */
    OptionalDouble error() {
      if (measured.isEmpty() || measured.getAsDouble() <= 0 || predicted.range().isEmpty()) {
        return OptionalDouble.empty();
      }
      double middle = predicted.range().get().likely();
      return OptionalDouble.of(Math.abs(middle - measured.getAsDouble()) / measured.getAsDouble());
    }
  }

  /** Empty if the incident has no fix run, or a cause that is not in the catalogue. */
  static Optional<PredictedFix> of(RecordedIncident incident) {
    Path fixed = incident.folder().resolveSibling(incident.name() + RecordedIncident.FIXED);
    Optional<Hypothesis> cause = cause(incident);
    if (cause.isEmpty() || !fixed.resolve(RecordedIncident.FIGURES_FILE).toFile().exists()) {
      return Optional.empty();
    }
    JsonNode change = json(fixed.resolve(RecordedIncident.RUN_FILE)).path("change");
    JsonNode figures = json(fixed.resolve(RecordedIncident.FIGURES_FILE));
    Timeline after = IncidentDiagnoses.timeline(fixed);
    Window window = trouble(figures, after);
    CollectionCount count = CollectionCount.of(after, window);
    List<Figure> lines = new ArrayList<>();
    for (Prediction prediction : predictions(incident, cause.get(), change)) {
      switch (prediction.quantity()) {
        case COLLECTIONS -> lines.add(new Figure(prediction, OptionalDouble.of(count.perMinute())));
        case STOPPED -> lines.add(new Figure(prediction, OptionalDouble.of(count.stoppedShare())));
        case LATENCY_P99 ->
            lines.add(
                new Figure(
                    prediction,
                    OptionalDouble.of(
                        figures.path("trouble").path("p99Millis").asDouble() * NANOS_PER_MILLI)));
        case WAIT_P99 -> {
          // The fix runs do not measure the wait by itself.
        }
      }
    }
    return Optional.of(new PredictedFix(incident.name(), cause.get(), lines));
  }

  /**
   * The same of a run of a blind test, of whose fix the truth has the latency and no more: what is
   * predicted there is what a report says of the labelled cause.
   */
  static Optional<PredictedFix> onceBlind(RecordedIncident incident) {
    return cause(incident)
        .filter(any -> incident.truth().p99FixedMillis().isPresent())
        .map(cause -> onceBlind(incident, cause));
  }

  private static PredictedFix onceBlind(RecordedIncident incident, Hypothesis cause) {
    OptionalDouble measured =
        OptionalDouble.of(incident.truth().p99FixedMillis().orElseThrow() * NANOS_PER_MILLI);
    List<Figure> figures =
        predictor(incident).suspect(cause, OptionalDouble.empty()).stream()
            .filter(prediction -> prediction.quantity() == Quantity.LATENCY_P99)
            .limit(1)
            .map(prediction -> new Figure(prediction, measured))
            .toList();
    return new PredictedFix(incident.name(), cause, figures);
  }

  private static Optional<Hypothesis> cause(RecordedIncident incident) {
    return Hypothesis.catalogue().stream()
        .filter(h -> incident.truth().primarySuspect().filter(h.id()::equals).isPresent())
        .findFirst();
  }

  /**
   * Of the change itself where it is one that is modelled, else what a report says of the suspect.
   */
  private static List<Prediction> predictions(
      RecordedIncident incident, Hypothesis cause, JsonNode change) {
    Predictor predictor = predictor(incident);
    List<Prediction> predictions = new ArrayList<>(modelled(predictor, cause, change));
    for (Prediction other : predictor.suspect(cause, OptionalDouble.empty())) {
      boolean told = predictions.stream().anyMatch(p -> p.quantity() == other.quantity());
      if (!told) {
        predictions.add(other);
      }
    }
    predictions.sort(Comparator.comparing(Prediction::quantity));
    return predictions;
  }

  private static Predictor predictor(RecordedIncident incident) {
    Timeline timeline = IncidentDiagnoses.timeline(incident.folder());
    MeasuredIncident known =
        new MeasuredIncident(timeline, IncidentDiagnoses.of(incident).windows());
    List<Finding> findings =
        Causes.sensors().stream()
            .filter(
                rule ->
                    rule.needs().stream()
                        .allMatch(signal -> timeline.coverage().of(signal).recorded()))
            .flatMap(rule -> rule.examine(known).stream())
            .toList();
    return new Predictor(known, findings);
  }

  private static List<Prediction> modelled(Predictor predictor, Hypothesis cause, JsonNode change) {
    switch (cause) {
      case MEMORY_PRESSURE, HEAP_RESIZING -> {
        for (JsonNode option : change.path("jvm")) {
          if (option.asText().startsWith(LARGEST_HEAP)) {
            String size = option.asText().substring(LARGEST_HEAP.length());
            return predictor.heap(cause, "heap of " + size, heap(size));
          }
        }
        return List.of();
      }
      case CONNECTION_POOL_UNDERSIZED, THREAD_POOL_EXHAUSTED -> {
        for (JsonNode value : change.path("properties")) {
          if (value.asText().matches("\\d+")) {
            return predictor.servers(cause, Integer.parseInt(value.asText()));
          }
        }
        return List.of();
      }
      default -> {
        return List.of();
      }
    }
  }

  private static Bytes heap(String option) {
    long count = Long.parseLong(option.substring(0, option.length() - 1));
    return Bytes.ofMebi(option.endsWith("g") ? 1024 * count : count);
  }

  /** The time in which the fix run was asked as the incident was in its window. */
  private static Window trouble(JsonNode figures, Timeline timeline) {
    JsonNode split = figures.path("run").path("splitAt");
    Instant from = split.isTextual() ? Instant.parse(split.asText()) : timeline.span().from();
    double seconds =
        figures.path("trouble").path("requests").asDouble()
            / figures.path("trouble").path("ratePerSecond").asDouble();
    return new Window(from, from.plusNanos(Math.round(seconds * 1e9)));
  }

  private static JsonNode json(Path file) {
    try {
      return JSON.readTree(file.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(file.toString(), e);
    }
  }
}
