package io.gcdiag.cli;

import io.gcdiag.Analysis;
import io.gcdiag.cli.settings.Settings.Folders;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs the commands that people use most, and prints nothing: the launcher has a JVM remember the
 * classes that it met here, so that later ones start faster. Each input is one of a kind that the
 * others are not: a recording with all beside it, a log of JDK 8 with lists of classes, a log
 * alone.
 */
public final class Rehearsal {

  private static final List<List<String>> SHORT =
      List.of(
          List.of("littles-law", "--rps", "1000", "--hold", "4.32ms", "--pool", "10"),
          List.of("explain", "memory-pressure"),
          List.of("analyze", "--help"));

  private Rehearsal() {}

  /**
   * Runs them over the folder of recorded incidents that is the first argument; with a second one,
   * {@code short}, only those that read no files.
   */
  public static void main(String[] args) {
    Path incidents = Path.of(args[0]);
    boolean all = args.length == 1;
    for (List<String> command : all ? commands(incidents) : SHORT) {
      PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
      String[] words = command.toArray(String[]::new);
      Main.run(
          words,
          Analysis::run,
          Terminal.NONE,
          StandardInput.none(),
          folders(incidents, command),
          nowhere,
          nowhere);
    }
  }

  /** One of the commands meets a settings file: what reads it is worth remembering as well. */
  private static Folders folders(Path incidents, List<String> command) {
    return command.get(0).equals("littles-law")
        ? new Folders(Optional.empty(), Optional.of(incidents.resolveSibling("settings")))
        : Folders.none();
  }

  static List<List<String>> commands(Path incidents) {
    List<List<String>> commands = new ArrayList<>();
    commands.add(List.of("analyze", incidents.resolve("pool-queue-small-heap").toString()));
    commands.add(
        List.of("analyze", incidents.resolve("pages-parnew").toString(), "--format", "markdown"));
    commands.add(List.of("analyze", incidents.resolve("depot-heap-serial/gc.log").toString()));
    commands.addAll(SHORT);
    return commands;
  }
}
