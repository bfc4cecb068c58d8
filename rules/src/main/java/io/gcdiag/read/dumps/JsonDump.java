package io.gcdiag.read.dumps;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.gcdiag.read.bytes.JvmVersions;
import io.gcdiag.read.dumps.DumpBuilder.Draft;
import java.io.IOException;
import java.io.Reader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads {@code Thread.dump_to_file -format=json} and lists of {@code ThreadInfo}, as Spring Boot's
 * {@code /actuator/threaddump} gives them, as a stream. A file cut short gives the threads before
 * the cut.
 */
final class JsonDump {

  private final JsonParser json;
  private final DumpBuilder builder = new DumpBuilder();

  private JsonDump(JsonParser json) {
    this.json = json;
  }

  static List<ParsedDump> read(Reader text) throws IOException {
    try (JsonParser parser = new JsonFactory().createParser(text)) {
      JsonDump dump = new JsonDump(parser);
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

  private void dump(long line) throws IOException {
    builder.begin(Optional.empty(), Optional.empty(), line);
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      if (name.equals("time") && value == JsonToken.VALUE_STRING) {
        builder.takenAt(LinePrefix.parse(json.getText()));
      } else if (name.equals("runtimeVersion") && value == JsonToken.VALUE_STRING) {
        builder.version(JvmVersions.ofJdk(json.getText()));
      } else if (name.equals("threadContainers") && value == JsonToken.START_ARRAY) {
        while (json.nextToken() == JsonToken.START_OBJECT) {
          while (json.nextToken() == JsonToken.FIELD_NAME) {
            boolean threads = json.currentName().equals("threads");
            if (json.nextToken() == JsonToken.START_ARRAY && threads) {
              while (json.nextToken() == JsonToken.START_OBJECT) {
                thread();
              }
            } else {
              json.skipChildren();
            }
          }
        }
      } else {
        json.skipChildren();
      }
    }
  }

  private void thread() throws IOException {
    // The name is known only after its field was read, and fields may come in any order.
    Draft thread = builder.thread("");
    thread.markJava();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      JsonToken value = json.nextToken();
      switch (field) {
        case "tid" -> thread.number(json.getValueAsString(""));
        case "name" -> thread.name(json.getValueAsString(""));
        case "state" -> thread.state(json.getValueAsString(""));
        case "virtual" -> thread.virtual(json.getValueAsBoolean(false));
        case "blockedOn" -> {
          String monitor = json.getValueAsString("");
          thread.waitsFor(FrameText.classOf(monitor), true);
          thread.wants(monitor);
        }
        case "waitingOn" -> thread.letsGo(json.getValueAsString(""));
        case "monitorsOwned" -> monitorsOwned(thread, value);
        case "parkBlocker" -> parkBlocker(thread, value);
        case "stack" -> stack(thread, value);
        default -> json.skipChildren();
      }
    }
    builder.endThread();
  }

  private void parkBlocker(Draft thread, JsonToken value) throws IOException {
    if (value != JsonToken.START_OBJECT) {
      json.skipChildren();
      return;
    }
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      boolean object = json.currentName().equals("object");
      if (json.nextToken() == JsonToken.VALUE_STRING && object) {
        thread.waitsFor(FrameText.classOf(json.getText()), false);
        thread.wants(json.getText());
      } else {
        json.skipChildren();
      }
    }
  }

  /** {@code [{"depth": 4, "locks": ["com.shop.Cart@1ab96a5"]}]}. */
  private void monitorsOwned(Draft thread, JsonToken value) throws IOException {
    if (value != JsonToken.START_ARRAY) {
      json.skipChildren();
      return;
    }
    while (json.nextToken() == JsonToken.START_OBJECT) {
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        boolean locks = json.currentName().equals("locks");
        if (json.nextToken() == JsonToken.START_ARRAY && locks) {
          while (json.nextToken() == JsonToken.VALUE_STRING) {
            thread.owns(json.getText());
          }
        } else {
          json.skipChildren();
        }
      }
    }
  }

  private void stack(Draft thread, JsonToken value) throws IOException {
    if (value != JsonToken.START_ARRAY) {
      json.skipChildren();
      return;
    }
    for (JsonToken t = json.nextToken();
        t != JsonToken.END_ARRAY && t != null;
        t = json.nextToken()) {
      if (t == JsonToken.VALUE_STRING) {
        FrameText.read(json.getText()).ifPresent(thread::frame);
      } else {
        json.skipChildren();
      }
    }
  }

  /** Objects with the properties of {@code java.lang.management.ThreadInfo}. */
  private void infos(long line) throws IOException {
    builder.begin(Optional.empty(), Optional.empty(), line);
    while (json.nextToken() == JsonToken.START_OBJECT) {
      info();
    }
  }

  private void info() throws IOException {
    Draft thread = builder.thread("");
    thread.markJava();
    String state = "";
    String lock = "";
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      JsonToken value = json.nextToken();
      switch (field) {
        case "threadName" -> thread.name(json.getValueAsString(""));
        case "threadState" -> state = json.getValueAsString("");
        case "lockName" -> lock = json.getValueAsString("");
        case "stackTrace" -> each(value, any -> frame(thread, any));
        case "lockedMonitors", "lockedSynchronizers" ->
            each(
                value,
                any ->
                    thread.owns(
                        any.getOrDefault("className", "")
                            + '@'
                            + identity(any.getOrDefault("identityHashCode", ""))));
        default -> json.skipChildren();
      }
    }
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
  private void each(JsonToken value, Consumer<Map<String, String>> taken) throws IOException {
    if (value != JsonToken.START_ARRAY) {
      json.skipChildren();
      return;
    }
    while (json.nextToken() == JsonToken.START_OBJECT) {
      Map<String, String> values = new HashMap<>();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String field = json.currentName();
        json.nextToken();
        if (json.currentToken().isScalarValue()) {
          values.put(field, json.getValueAsString(""));
        } else {
          json.skipChildren();
        }
      }
      taken.accept(values);
    }
  }
}
