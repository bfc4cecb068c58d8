package io.gcdiag.cli.command;

import io.gcdiag.ingest.jfr.RecordingSettings;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints settings for the recorder. */
@Command(
    name = "recording-settings",
    sortOptions = false,
    addMethodSubcommands = false,
    description = "Prints JFR settings (.jfc) that record every signal the rules need.")
final class RecordingSettingsCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(RecordingSettings.text());
    out.flush();
    return ExitCode.DONE.code();
  }
}
