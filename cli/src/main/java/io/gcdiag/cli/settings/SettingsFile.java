package io.gcdiag.cli.settings;

import io.gcdiag.cli.manual.NearestNames;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A text of lines {@code key = value}. A line that begins with {@code #} is a comment, and a
 * backslash is a character like any other.
 */
final class SettingsFile {

  /** A hundred times a usual file. */
  private static final int LARGEST = 64 * 1024;

  private final Path path;
  private final SettingsPlace place;
  private final Map<SettingKey, Setting> settings = new LinkedHashMap<>();

  private SettingsFile(Path path, SettingsPlace place) {
    this.path = path;
    this.place = place;
  }

  /**
   * Reads a file.
   *
   * @throws SettingsException if it cannot be read, or a line of it may not stand there
   */
  static Map<SettingKey, Setting> read(Path path, SettingsPlace place) {
    SettingsFile file = new SettingsFile(path, place);
    int line = 0;
    for (String text : file.text().split("\n", -1)) {
      line++;
      String trimmed = text.strip();
      if (!trimmed.isEmpty() && !trimmed.startsWith("#")) {
        file.take(trimmed, line);
      }
    }
    return file.settings;
  }

  private String text() {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(LARGEST + 1);
      if (bytes.length > LARGEST) {
        throw new SettingsException(path + " is too large for a settings file");
      }
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      // Editors of Windows put a mark before UTF-8.
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new SettingsException(path + " is not a text in UTF-8", e);
    } catch (IOException e) {
      throw new SettingsException(path + " cannot be read", e);
    }
  }

  private void take(String text, int line) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw wrong(line, "'" + text + "' has no '='; write it like pool-size = 10");
    }
    String name = text.substring(0, equals).strip();
    String value = text.substring(equals + 1).strip();
    SettingKey key = SettingKey.named(name).orElseThrow(() -> unknown(line, name));
    if (!key.mayStandIn(place)) {
      throw wrong(
          line,
          "%s may not stand in a settings file of %s; give %s on the command line"
              .formatted(name, place.label(), key.options().get(0)));
    }
    if (value.isEmpty()) {
      throw wrong(line, name + " has no value");
    }
    List<String> values = new ArrayList<>();
    int first = line;
    Setting before = settings.get(key);
    if (before != null && key.kind() == SettingKey.Kind.LIST) {
      values.addAll(before.values());
      first = before.line();
    } else if (before != null) {
      throw wrong(line, name + " stands in line " + before.line() + " already");
    }
    values.add(checked(key, value, line));
    settings.put(key, new Setting(key, values, path.toString(), first));
  }

  private String checked(SettingKey key, String value, int line) {
    return switch (key.kind()) {
      case TEXT, LIST -> value;
      case SWITCH -> {
        if (!value.equals("true") && !value.equals("false")) {
          throw wrong(line, "'" + value + "' is neither true nor false for " + key.name());
        }
        yield value;
      }
      case FILE -> file(key, value, line).toString();
    };
  }

  private Path file(SettingKey key, String value, int line) {
    Path folder = path.toAbsolutePath().getParent();
    try {
      Path named = folder.resolve(value);
      if (place == SettingsPlace.INCIDENT
          && Files.exists(named)
          && !named.toRealPath().startsWith(folder.toRealPath())) {
        throw wrong(line, key.name() + " may name only a file of the incident's folder");
      }
      if (!Files.isRegularFile(named)) {
        throw wrong(line, "there is no file " + named + " for " + key.name());
      }
      return named;
    } catch (InvalidPathException | IOException e) {
      throw wrong(line, "'" + value + "' is not the name of a file");
    }
  }

  private SettingsException unknown(int line, String name) {
    List<String> near = NearestNames.of(name, SettingKey.names());
    return wrong(
        line,
        "unknown key '"
            + name
            + "'; "
            + (near.isEmpty() ? "" : "did you mean " + String.join(" or ", near) + "? ")
            + "accepted are "
            + String.join(", ", SettingKey.names()));
  }

  private SettingsException wrong(int line, String message) {
    return new SettingsException(path + ", line " + line + ": " + message);
  }
}
