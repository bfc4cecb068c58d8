package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.books.Interval;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.Metric;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * An object of a JSON document, made of its fields in their order. What is not known is null, never
 * 0 and never a word that is no number.
 */
final class JsonFields {

  /** The version of all JSON output; goes up when a field is renamed or dropped. */
  private static final String SCHEMA_VERSION = "1";

  /** Up to here a double holds every whole number exactly. */
  private static final double LARGEST_EXACT = 1L << 53;

  /**
   * So many digits every double holds exactly. With more, one double is printed in different ways
   * by different JDKs (JDK-4511638).
   */
  private static final MathContext DIGITS = new MathContext(15);

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final ObjectNode node = NODES.objectNode();

  /** A document with what all of them begin with. */
  static JsonFields document() {
    return new JsonFields()
        .text("schemaVersion", SCHEMA_VERSION)
        .put("tool", new JsonFields().text("name", "gcdiag").text("version", Version.number()));
  }

  /** The two ends of a window. */
  static JsonFields of(Window window) {
    return new JsonFields()
        .text("from", window.from().toString())
        .text("to", window.to().toString());
  }

  ObjectNode node() {
    return node;
  }

  /** A number with all digits that every JDK prints alike; a whole one without a fraction. */
  static JsonNode number(double value) {
    if (!Double.isFinite(value)) {
      return NODES.nullNode();
    }
    return value == Math.rint(value) && Math.abs(value) <= LARGEST_EXACT
        ? NODES.numberNode((long) value)
        : NODES.numberNode(new BigDecimal(value, DIGITS).stripTrailingZeros());
  }

  static JsonNode string(String text) {
    return NODES.textNode(SafeText.clean(text));
  }

  JsonFields set(String name, JsonNode value) {
    node.set(name, value);
    return this;
  }

  /** A text, whose control characters are left out. */
  JsonFields text(String name, String text) {
    return set(name, string(text));
  }

  JsonFields text(String name, Optional<String> text) {
    return set(name, text.map(JsonFields::string).orElse(NODES.nullNode()));
  }

  /** Texts, or what is written as one. */
  JsonFields texts(String name, Collection<?> texts) {
    return list(name, texts.stream().map(text -> string(text.toString())));
  }

  JsonFields flag(String name, boolean value) {
    return set(name, NODES.booleanNode(value));
  }

  JsonFields number(String name, long value) {
    return set(name, NODES.numberNode(value));
  }

  JsonFields number(String name, double value) {
    return set(name, number(value));
  }

  JsonFields number(String name, OptionalDouble value) {
    return number(name, value.orElse(Double.NaN));
  }

  JsonFields number(String name, OptionalInt value) {
    return number(name, value.isPresent() ? value.getAsInt() : Double.NaN);
  }

  /** A length of time in seconds. */
  JsonFields seconds(String name, Optional<Duration> length) {
    return number(name, Numbers.of(length, Durations::seconds));
  }

  /** A figure; where it is known as a range only, null and the range beside it. */
  JsonFields figure(String name, OptionalDouble value, Optional<Metric.Range> range) {
    number(name, value);
    if (value.isEmpty() && range.isPresent()) {
      put(
          name + "Range",
          new JsonFields()
              .number("atLeast", range.get().atLeast())
              .number("atMost", range.get().atMost()));
    }
    return this;
  }

  /** The interval of an estimate, if it has one. */
  JsonFields interval(String name, Optional<Interval> interval) {
    interval.ifPresent(
        known ->
            put(name, new JsonFields().number("low", known.low()).number("high", known.high())));
    return this;
  }

  JsonFields put(String name, JsonFields object) {
    return set(name, object.node);
  }

  JsonFields put(String name, Optional<JsonFields> object) {
    return set(name, object.<JsonNode>map(JsonFields::node).orElse(NODES.nullNode()));
  }

  /** An object for each of several. */
  <T> JsonFields objects(String name, Collection<T> all, Function<T, JsonFields> one) {
    return list(name, all.stream().map(one).map(JsonFields::node));
  }

  JsonFields list(String name, Stream<? extends JsonNode> values) {
    ArrayNode array = node.putArray(name);
    values.forEach(array::add);
    return this;
  }
}
