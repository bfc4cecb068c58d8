package io.gcdiag.cli.settings;

/** A settings file that cannot be used; the message names file, line and what is accepted. */
public final class SettingsException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** One line for the user. */
  public SettingsException(String message) {
    super(message);
  }

  /** The same, for a reason. */
  SettingsException(String message, Throwable cause) {
    super(message, cause);
  }
}
