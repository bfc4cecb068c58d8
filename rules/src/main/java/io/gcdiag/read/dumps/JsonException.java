package io.gcdiag.read.dumps;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The exception that a log in JSON has in fields of their own: a text ({@code stack_trace} of
 * Logstash, {@code error.stack_trace} of ECS), or an object with name, message and frames ({@code
 * thrown} of Log4j, {@code exception} of Quarkus).
 */
final class JsonException {

  private static final Pattern FIELD =
      Pattern.compile("(?i)(?:.*\\.)?(?:stack_?trace|exception|throwable|thrown|error|caused_?by)");

  private static final Pattern FRAMES = Pattern.compile("(?i)(?:extended)?stack_?trace|frames");

  private static final ObjectMapper JSON = new ObjectMapper();

  private JsonException() {}

  /**
   * The lines of the exception in an object as a log without JSON has them; none if there is no
   * exception.
   */
  static List<String> lines(String line) {
    List<String> lines = new ArrayList<>();
    if (line.contains("xception") || line.contains("Error: ")) {
      try {
        add(JSON.readTree(line), lines);
      } catch (JsonProcessingException e) {
        // A line that was cut has no end of its exception.
        return List.of();
      }
    }
    return lines;
  }

  private static void add(JsonNode object, List<String> lines) {
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      JsonNode value = field.getValue();
      if (FRAMES.matcher(field.getKey()).matches() && value.isArray()) {
        value.forEach(frame -> lines.add(frame(frame)));
      } else if (FIELD.matcher(field.getKey()).matches()) {
        value.asText().lines().forEach(lines::add);
        text(value, "name", "type", "exceptionType", "exception_class")
            .map(name -> name + ": " + text(value, "message", "exception_message").orElse(""))
            .ifPresent(lines::add);
        add(value, lines);
      }
    }
  }

  private static String frame(JsonNode frame) {
    return "\tat %s.%s(%s:%s)"
        .formatted(
            frame.path("class").asText(),
            frame.path("method").asText(),
            frame.path("file").asText("Unknown Source"),
            frame.path("line").asText());
  }

  private static Optional<String> text(JsonNode object, String... names) {
    return Arrays.stream(names)
        .map(object::path)
        .filter(JsonNode::isTextual)
        .map(JsonNode::textValue)
        .findFirst();
  }
}
