package io.gcdiag.cli;

import io.gcdiag.read.jfr.RecordingSettings;

/** Prints settings for the recorder. */
final class RecordingSettingsCommand extends Command {

  RecordingSettingsCommand(Terminal terminal) {
    super("recording-settings", terminal);
  }

  @Override
  public Integer call() {
    return print(RecordingSettings.text());
  }
}
