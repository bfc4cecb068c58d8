package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.books.Interval;
import io.gcdiag.cli.Version;
import io.gcdiag.figures.Metric;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Optional;
import java.util.OptionalDouble;

/** Values as JSON: what is not known is null, never 0 and never a word that is no number. */
final class JsonText {

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

  private JsonText() {}

  /** A document with what all of them begin with. */
  static ObjectNode document() {
    ObjectNode root = NODES.objectNode();
    root.put("schemaVersion", SCHEMA_VERSION);
    root.putObject("tool").put("name", "gcdiag").put("version", Version.number());
    return root;
  }

  static JsonNode number(double value) {
    if (!Double.isFinite(value)) {
      return NODES.nullNode();
    }
    return value == Math.rint(value) && Math.abs(value) <= LARGEST_EXACT
        ? NODES.numberNode((long) value)
        : NODES.numberNode(new BigDecimal(value, DIGITS).stripTrailingZeros());
  }

  static JsonNode number(OptionalDouble value) {
    return value.isPresent() ? number(value.getAsDouble()) : NODES.nullNode();
  }

  /** A figure; where it is known as a range only, null and the range beside it. */
  static void putFigure(
      ObjectNode node, String name, OptionalDouble value, Optional<Metric.Range> range) {
    node.set(name, number(value));
    if (value.isEmpty() && range.isPresent()) {
      ObjectNode child = node.putObject(name + "Range");
      child.set("atLeast", number(range.get().atLeast()));
      child.set("atMost", number(range.get().atMost()));
    }
  }

  /** Where a figure lies that rests on samples; no field for one that does not. */
  static void putInterval(ObjectNode node, String name, Optional<Interval> interval) {
    interval.ifPresent(
        known -> {
          ObjectNode child = node.putObject(name);
          child.set("low", number(known.low()));
          child.set("high", number(known.high()));
        });
  }

  static JsonNode text(String text) {
    return NODES.textNode(SafeText.clean(text));
  }

  static JsonNode text(Optional<String> text) {
    return text.isPresent() ? text(text.get()) : NODES.nullNode();
  }
}
