package io.gcdiag.cli;

import io.gcdiag.read.jfr.RecordingSettings;
import java.util.function.BooleanSupplier;

/** Prints settings for the recorder. */
final class RecordingSettingsCommand extends Command {

  private final BooleanSupplier requests = command.flag("--requests");

  RecordingSettingsCommand(Terminal terminal) {
    super("recording-settings", terminal);
  }

  @Override
  public Integer call() {
    return print(RecordingSettings.text(requests.getAsBoolean()));
  }
}
