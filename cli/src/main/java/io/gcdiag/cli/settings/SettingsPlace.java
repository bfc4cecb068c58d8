package io.gcdiag.cli.settings;

/** Where a settings file lies, the nearest and least trusted place first. */
public enum SettingsPlace {

  /** In a folder that is an input: it may come from anywhere. */
  INCIDENT("the folder of an incident"),

  /** In the working directory. */
  WORKING_FOLDER("the working directory"),

  /** Below {@code ~/.config}: the user's own. */
  USER("the configuration folder of the user");

  private final String label;

  SettingsPlace(String label) {
    this.label = label;
  }

  /** What people call it. */
  String label() {
    return label;
  }
}
