package io.gcdiag.read.dumps;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.gcdiag.read.bytes.JvmVersions;
import io.gcdiag.read.bytes.TimeText;
import io.gcdiag.read.dumps.DumpBuilder.Draft;
import java.io.IOException;
import java.io.Reader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reads {@code Thread.dump_to_file -format=json} and lists of {@code ThreadInfo}, as Spring Boot's
 * {@code /actuator/threaddump} gives them, as a stream. A file cut short gives the threads before
 * the cut.
 */
final class JsonDump {

  private final JsonParser json;
  private final TimeText at;
  private final DumpBuilder builder = new DumpBuilder();

  private JsonDump(JsonParser json, TimeText at) {
    this.json = json;
    this.at = at;
  }

  /** Reads a dump that was taken at that time, if it states no other. */
  static List<ParsedDump> read(Reader text, TimeText at) throws IOException {
    try (JsonParser parser = new JsonFactory().createParser(text)) {
      JsonDump dump = new JsonDump(parser, at);
      try {
        dump.file();
      } catch (JsonProcessingException e) {
        // The document ends or is damaged here; everything before it is used.
        dump.builder.cut();
        dump.builder.endThread();
      }
      dump.builder.end();
      return dump.builder.dumps();
    }
  }

  private void file() throws IOException {
    JsonToken first = json.nextToken();
    if (first == JsonToken.START_ARRAY) {
      infos(1);
    }
    if (first != JsonToken.START_OBJECT) {
      return;
    }
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      boolean dump = json.currentName().equals("threadDump");
      boolean infos = json.currentName().equals("threads");
      long line = json.currentTokenLocation().getLineNr();
      JsonToken value = json.nextToken();
      if (value == JsonToken.START_OBJECT && dump) {
        dump(line);
      } else if (value == JsonToken.START_ARRAY && infos) {
        infos(line);
      } else {
        json.skipChildren();
      }
    }
  }

  /** Takes a value, the parser being at its first token. */
  private interface Value {
    void take(String field) throws IOException;
  }

  /** Each field of an object; what is left of its value is skipped. */
  private void fields(Value value) throws IOException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      json.nextToken();
      value.take(field);
      json.skipChildren();
    }
  }

  /** Each field of each object in an array. */
  private void fieldsOfEach(Value value) throws IOException {
    if (json.currentToken() == JsonToken.START_ARRAY) {
      while (json.nextToken() == JsonToken.START_OBJECT) {
        fields(value);
      }
    }
  }

  /** Each text in an array. */
  private void texts(Consumer<String> taken) throws IOException {
    if (json.currentToken() == JsonToken.START_ARRAY) {
      for (JsonToken t = json.nextToken();
          t != JsonToken.END_ARRAY && t != null;
          t = json.nextToken()) {
        if (t == JsonToken.VALUE_STRING) {
          taken.accept(json.getText());
        }
        json.skipChildren();
      }
    }
  }

  private void dump(long line) throws IOException {
    builder.begin(at, line);
    fields(
        field -> {
          boolean text = json.currentToken() == JsonToken.VALUE_STRING;
          if (field.equals("time") && text) {
            builder.takenAt(TimeText.in(json.getText()).instant());
          } else if (field.equals("runtimeVersion") && text) {
            builder.version(JvmVersions.ofJdk(json.getText()));
          } else if (field.equals("threadContainers")) {
            fieldsOfEach(this::threads);
          }
        });
  }

  private void threads(String field) throws IOException {
    if (field.equals("threads") && json.currentToken() == JsonToken.START_ARRAY) {
      while (json.nextToken() == JsonToken.START_OBJECT) {
        // The name is known only after its field was read, and fields may come in any order.
        Draft thread = builder.thread("");
        thread.markJava();
        fields(of -> thread(thread, of));
        builder.endThread();
      }
    }
  }

  private void thread(Draft thread, String field) throws IOException {
    String text = json.getValueAsString("");
    switch (field) {
      case "tid" -> thread.number(text);
      case "name" -> thread.name(text);
      case "state" -> thread.state(text);
      case "virtual" -> thread.virtual(json.getValueAsBoolean(false));
      case "blockedOn" -> {
        thread.waitsFor(FrameText.classOf(text), true);
        thread.wants(text);
      }
      case "waitingOn" -> thread.letsGo(text);
      case "monitorsOwned" -> fieldsOfEach(of -> owned(thread, of));
      case "parkBlocker" -> {
        if (json.currentToken() == JsonToken.START_OBJECT) {
          fields(of -> parked(thread, of));
        }
      }
      case "stack" -> texts(frame -> FrameText.read(frame).ifPresent(thread::frame));
      default -> {
        // Of no use.
      }
    }
  }

  /** {@code {"depth": 4, "locks": ["com.shop.Cart@1ab96a5"]}}. */
  private void owned(Draft thread, String field) throws IOException {
    if (field.equals("locks")) {
      texts(thread::owns);
    }
  }

  private void parked(Draft thread, String field) throws IOException {
    if (field.equals("object") && json.currentToken() == JsonToken.VALUE_STRING) {
      thread.waitsFor(FrameText.classOf(json.getText()), false);
      thread.wants(json.getText());
    }
  }

  /** Objects with the properties of {@code java.lang.management.ThreadInfo}. */
  private void infos(long line) throws IOException {
    builder.begin(at, line);
    while (json.nextToken() == JsonToken.START_OBJECT) {
      info();
    }
  }

  private void info() throws IOException {
    Draft thread = builder.thread("");
    thread.markJava();
    Map<String, String> plain = new HashMap<>();
    fields(
        field -> {
          plain.put(field, json.getValueAsString(""));
          switch (field) {
            case "stackTrace" -> each(any -> frame(thread, any));
            case "lockedMonitors", "lockedSynchronizers" ->
                each(
                    any ->
                        thread.owns(
                            any.getOrDefault("className", "")
                                + '@'
                                + identity(any.getOrDefault("identityHashCode", ""))));
            case "threadName" -> thread.name(json.getValueAsString(""));
            default -> {
              // Used, if at all, when all are known.
            }
          }
        });
    String state = plain.getOrDefault("threadState", "");
    String lock = plain.getOrDefault("lockName", "");
    thread.state(state);
    boolean blocked = state.equals("BLOCKED");
    String type = FrameText.classOf(lock);
    if (!lock.isEmpty() && (blocked || !type.equals("java.lang.Object"))) {
      thread.waitsFor(type, blocked);
    }
    // One that waits to be notified has let the monitor go.
    if (blocked || type.startsWith("java.util.concurrent.")) {
      thread.wants(lock);
    } else {
      thread.letsGo(lock);
    }
    builder.endThread();
  }

  /** {@code lockName} has the hash as a hexadecimal number, {@code LockInfo} as a decimal one. */
  private static String identity(String hash) {
    try {
      return Integer.toHexString(Integer.parseInt(hash));
    } catch (NumberFormatException e) {
      return hash;
    }
  }

  private static void frame(Draft thread, Map<String, String> of) {
    String line = of.getOrDefault("lineNumber", "");
    FrameText.read(
            of.getOrDefault("className", "")
                + '.'
                + of.getOrDefault("methodName", "")
                + (line.startsWith("-") ? "()" : "(:" + line + ")"))
        .ifPresent(thread::frame);
  }

  /** The plain values of each object in an array. */
  private void each(Consumer<Map<String, String>> taken) throws IOException {
    if (json.currentToken() == JsonToken.START_ARRAY) {
      while (json.nextToken() == JsonToken.START_OBJECT) {
        Map<String, String> values = new HashMap<>();
        fields(
            field -> {
              if (json.currentToken().isScalarValue()) {
                values.put(field, json.getValueAsString(""));
              }
            });
        taken.accept(values);
      }
    }
  }
}
