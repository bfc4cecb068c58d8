package io.gcdiag.cli.settings;

import java.util.List;

/**
 * A key with its value, as it stands in a file.
 *
 * @param values its value, for a list all of them in order; a file's path is whole
 * @param line the line it stands in, of a list the first one
 */
public record Setting(SettingKey key, List<String> values, String file, int line) {

  /** Where it stands, for messages. */
  public String where() {
    return file + ", line " + line;
  }

  public String text() {
    return key.name() + " = " + String.join(", ", values);
  }

  /** Whether it is a switch that is on. */
  public boolean isOn() {
    return values.equals(List.of(Boolean.TRUE.toString()));
  }
}
