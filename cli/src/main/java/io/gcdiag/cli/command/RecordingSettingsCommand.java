package io.gcdiag.cli.command;

import io.gcdiag.ingest.jfr.RecordingSettings;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;

/** Prints settings for the recorder. */
final class RecordingSettingsCommand implements Callable<Integer> {

  private final CommandModel command =
      new CommandModel(
          this,
          "recording-settings",
          "Prints JFR settings (.jfc) that record every signal the rules need.");

  CommandSpec spec() {
    return command.spec();
  }

  @Override
  public Integer call() {
    PrintWriter out = command.out();
    out.print(RecordingSettings.text());
    out.flush();
    return ExitCode.DONE.code();
  }
}
