package io.gcdiag.cli.report;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import com.fasterxml.jackson.databind.ser.std.StdDelegatingSerializer;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializerBase;
import com.fasterxml.jackson.databind.util.StdConverter;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.Metric;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Estimate;
import io.gcdiag.units.Named;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * How a document becomes JSON. A record becomes an object of its components, in their order; one
 * with a {@link JsonPropertyOrder} has those fields only. What is not known is null, never 0 and
 * never a word that is no number. Bytes are whole numbers, lengths of time are seconds, texts are
 * without control characters.
 */
final class Json {

  /** The version of all JSON output; goes up when a field is renamed or dropped. */
  private static final String SCHEMA_VERSION = "1";

  /** Up to here a double holds every whole number exactly. */
  private static final double LARGEST_EXACT = 1L << 53;

  /**
   * So many digits every double holds exactly. With more, one double is printed in different ways
   * by different JDKs (JDK-4511638).
   */
  private static final MathContext DIGITS = new MathContext(15);

  private static final ObjectMapper MAPPER = mapper();

  /** What is estimated stands beside its interval. */
  @JsonIncludeProperties({"low", "high"})
  private interface Ends {}

  @JsonIgnoreProperties("remark")
  private interface Noted {}

  private static ObjectMapper mapper() {
    SimpleModule values =
        new SimpleModule()
            .setSerializerModifier(new OrderedAlone())
            .addSerializer(as(Double.class, Json::number))
            .addSerializer(as(double.class, Json::number))
            .addSerializer(as(OptionalDouble.class, known -> number(known.orElse(Double.NaN))))
            .addSerializer(as(OptionalInt.class, known -> known.stream().boxed().findFirst()))
            .addSerializer(as(Optional.class, any -> any))
            .addSerializer(as(Bytes.class, Bytes::value))
            .addSerializer(as(Duration.class, Durations::seconds))
            .addSerializer(as(Named.class, Named::id))
            .addSerializer(text(String.class))
            .addSerializer(text(Instant.class))
            .addSerializer(text(Source.class))
            .addSerializer(text(Metric.Origin.class));
    return new ObjectMapper()
        .registerModule(values)
        .addMixIn(Estimate.class, Ends.class)
        .addMixIn(InputReport.class, Noted.class)
        .setVisibility(PropertyAccessor.ALL, JsonAutoDetect.Visibility.NONE)
        .setVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY);
  }

  /** A document of a record's fields, with what all documents begin with. */
  static JsonNode document(Object content, SimpleModule shapes) {
    ObjectMapper mapper = MAPPER.copy().registerModule(shapes);
    ObjectNode document = mapper.createObjectNode().put("schemaVersion", SCHEMA_VERSION);
    document.putObject("tool").put("name", "gcdiag").put("version", Version.number());
    return document.setAll(mapper.<ObjectNode>valueToTree(content));
  }

  /** A document without types that are written in a way of their own. */
  static JsonNode document(Object content) {
    return document(content, new SimpleModule());
  }

  /** Writes another value in the place of each of a type; null for an empty one. */
  static <T> JsonSerializer<?> as(Class<T> type, Function<? super T, ?> value) {
    return new StdDelegatingSerializer(
        type,
        new StdConverter<T, Object>() {
          @Override
          public Object convert(T one) {
            Object other = value.apply(one);
            return other instanceof Optional<?> known ? known.orElse(null) : other;
          }
        });
  }

  static <T, R> List<R> each(Collection<T> all, Function<? super T, R> one) {
    return all.stream().map(one).toList();
  }

  /** The range of a figure that is known as a range only. */
  static Optional<Metric.Range> range(OptionalDouble value, Optional<Metric.Range> range) {
    return range.filter(any -> value.isEmpty());
  }

  /** With all digits that every JDK prints alike; a whole one without a fraction. */
  private static Optional<Number> number(double value) {
    if (!Double.isFinite(value)) {
      return Optional.empty();
    }
    return value == Math.rint(value) && Math.abs(value) <= LARGEST_EXACT
        ? Optional.of((long) value)
        : Optional.of(new BigDecimal(value, DIGITS).stripTrailingZeros());
  }

  private static JsonSerializer<?> text(Class<?> type) {
    return new ToStringSerializerBase(type) {
      @Override
      public String valueToString(Object value) {
        return SafeText.clean(value.toString());
      }
    };
  }

  /** The order of an object's fields names all of them. */
  private static final class OrderedAlone extends BeanSerializerModifier {
    private static final long serialVersionUID = 1L;

    @Override
    public List<BeanPropertyWriter> changeProperties(
        SerializationConfig config, BeanDescription type, List<BeanPropertyWriter> fields) {
      JsonPropertyOrder order = type.getClassAnnotations().get(JsonPropertyOrder.class);
      List<String> named = order == null ? List.of() : List.of(order.value());
      return order == null
          ? fields
          : fields.stream().filter(field -> named.contains(field.getName())).toList();
    }
  }
}
