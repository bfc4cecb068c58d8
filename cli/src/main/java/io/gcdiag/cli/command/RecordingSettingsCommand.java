package io.gcdiag.cli.command;

import io.gcdiag.ingest.jfr.RecordingSettings;

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
