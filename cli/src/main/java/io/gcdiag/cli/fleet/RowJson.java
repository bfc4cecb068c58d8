package io.gcdiag.cli.fleet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.fleet.CaseKey;
import io.gcdiag.fleet.CaseOrigin;
import io.gcdiag.fleet.CaseOutcome;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.fleet.Suspect;
import io.gcdiag.verdict.Confidence;
import io.gcdiag.verdict.Verdict;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A row as one line of JSON, and back. Fields may be added, never renamed or dropped. */
public final class RowJson {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Stands for an outcome where the files of a case are now those of another one. */
  private static final String REPLACED = "replaced";

  private RowJson() {}

  /** The row, on one line without its end. */
  public static String text(CaseRow row) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("case", row.key().id());
    node.put("digest", row.key().digest());
    node.put("version", row.key().version());
    putOrigin(node, row.origin());
    putTime(node, row.time());
    node.put("conclusion", row.outcome().id());
    node.put("primarySuspect", row.primary().map(Hypothesis::id).orElse(null));
    node.put("confidence", confidence(row).orElse(null));
    put(node, "explainedShare", row.suspects().stream().findFirst().map(Suspect::share));
    put(node, "lostSeconds", Optional.of(row.lostSeconds()));
    ArrayNode suspects = node.putArray("hypotheses");
    row.suspects().forEach(suspect -> putSuspect(suspects.addObject(), suspect));
    ArrayNode notes = node.putArray("notes");
    row.notes().forEach(notes::add);
    node.put("error", row.error());
    node.put("report", row.report());
    return node.toString();
  }

  private static Optional<String> confidence(CaseRow row) {
    return row.primary().isEmpty()
        ? Optional.empty()
        : row.suspects().get(0).confidence().map(Confidence::id);
  }

  static void putOrigin(ObjectNode node, CaseOrigin origin) {
    node.put("service", origin.service().orElse(null));
    node.put("host", origin.host().orElse(null));
    node.put("build", origin.build().orElse(null));
  }

  static void putTime(ObjectNode node, Optional<Window> time) {
    node.put("from", time.map(window -> window.from().toString()).orElse(null));
    node.put("to", time.map(window -> window.to().toString()).orElse(null));
  }

  private static void put(ObjectNode node, String name, Optional<OptionalDouble> value) {
    OptionalDouble number = value.orElse(OptionalDouble.empty());
    node.put(name, number.isPresent() ? Double.valueOf(number.getAsDouble()) : null);
  }

  private static void putSuspect(ObjectNode node, Suspect suspect) {
    node.put("id", suspect.cause().id());
    node.put("verdict", suspect.verdict().id());
    put(node, "explainedShare", Optional.of(suspect.share()));
    node.put("confidence", suspect.confidence().map(Confidence::id).orElse(null));
    node.put("action", suspect.action());
  }

  /** A line as a tree; empty if it is no JSON object. */
  static Optional<JsonNode> tree(String line) {
    try {
      return Optional.of(MAPPER.readTree(line)).filter(JsonNode::isObject);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /** The row of a line; empty if the line is damaged, or of another program. */
  public static Optional<CaseRow> row(String line) {
    try {
      return tree(line).flatMap(RowJson::row);
    } catch (DateTimeException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** A line that drops the earlier rows of a case. */
  public static String replacedText(String id) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("case", id);
    node.put("conclusion", REPLACED);
    return node.toString();
  }

  /** The case that a line drops; empty if it is another line. */
  static Optional<String> replaced(String line) {
    return tree(line)
        .filter(node -> node.path("conclusion").asText().equals(REPLACED))
        .flatMap(node -> text(node.path("case")));
  }

  private static Optional<CaseRow> row(JsonNode node) {
    Optional<CaseOutcome> outcome =
        known(CaseOutcome.values(), one -> one.id().equals(node.path("conclusion").asText()));
    if (outcome.isEmpty() || !node.path("case").isTextual()) {
      return Optional.empty();
    }
    return Optional.of(
        new CaseRow(
            new CaseKey(
                node.path("case").asText(),
                node.path("digest").asText(),
                node.path("version").asText()),
            origin(node),
            time(node),
            outcome.get(),
            list(node.path("hypotheses"), RowJson::suspect),
            number(node.path("lostSeconds")),
            list(node.path("notes"), note -> Optional.of(note.asText())),
            node.path("error").asText(),
            node.path("report").asText()));
  }

  static CaseOrigin origin(JsonNode node) {
    return new CaseOrigin(
        text(node.path("service")), text(node.path("host")), text(node.path("build")));
  }

  static Optional<Window> time(JsonNode node) {
    Optional<Instant> from = text(node.path("from")).map(Instant::parse);
    Optional<Instant> to = text(node.path("to")).map(Instant::parse);
    return from.isPresent() && to.isPresent()
        ? Optional.of(new Window(from.get(), to.get()))
        : Optional.empty();
  }

  /** A cause that another version knew is left out. */
  private static Optional<Suspect> suspect(JsonNode node) {
    Optional<Hypothesis> cause =
        known(Hypothesis.values(), one -> one.id().equals(node.path("id").asText()));
    Optional<Verdict> verdict =
        known(Verdict.values(), one -> one.id().equals(node.path("verdict").asText()));
    return cause.isEmpty() || verdict.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Suspect(
                cause.get(),
                verdict.get(),
                number(node.path("explainedShare")),
                known(
                    Confidence.values(), one -> one.id().equals(node.path("confidence").asText())),
                node.path("action").asText()));
  }

  private static <T> Optional<T> known(T[] values, Predicate<T> is) {
    return Stream.of(values).filter(is).findFirst();
  }

  private static Optional<String> text(JsonNode node) {
    return node.isTextual() ? Optional.of(node.asText()) : Optional.empty();
  }

  private static OptionalDouble number(JsonNode node) {
    return node.isNumber() ? OptionalDouble.of(node.asDouble()) : OptionalDouble.empty();
  }

  static <T> List<T> list(JsonNode array, Function<JsonNode, Optional<T>> element) {
    List<T> all = new ArrayList<>();
    array.forEach(node -> element.apply(node).ifPresent(all::add));
    return all;
  }
}
