package io.gcdiag.cli;

import io.gcdiag.cli.render.Look;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The properties of the terminal.
 *
 * @param outIsTerminal whether standard output is one
 * @param errIsTerminal whether standard error is one that can erase what it shows
 * @param coloursWanted false if the user's environment forbids colours (NO_COLOR, a dumb terminal)
 * @param columns characters in a line of the terminal; 0 if that is unknown
 * @param rows its lines; 0 if that is unknown
 * @param unicode whether the terminal shows more than ASCII
 * @param pager the command that shows what is longer than the terminal; empty for none
 */
public record Terminal(
    boolean outIsTerminal,
    boolean errIsTerminal,
    boolean coloursWanted,
    int columns,
    int rows,
    boolean unicode,
    String pager) {

  /** Output to files and pipes only. */
  public static final Terminal NONE = new Terminal(false, false, false, 0, 0, true, "");

  /** What less is asked for, as git does: to end at once where all fits, or on an interrupt. */
  private static final Map<String, String> LESS = Map.of("LESS", "FRXK");

  /** The exit code of a shell that does not find the command. */
  private static final int NOT_FOUND = 127;

  /** Lines of a terminal that hold the command and the prompt behind the answer. */
  private static final int AROUND = 2;

  /** The user's pager: of this tool or of all, else less; "cat" and an empty text are none. */
  static String pager(Map<String, String> environment) {
    String all = environment.getOrDefault("PAGER", "less");
    String own = environment.getOrDefault("GCDIAG_PAGER", all).strip();
    return own.equals("cat") ? "" : own;
  }

  /** The same without a pager. */
  Terminal unpaged() {
    return new Terminal(outIsTerminal, errIsTerminal, coloursWanted, columns, rows, unicode, "");
  }

  /** Prints a text, in the pager where it is longer than the terminal. */
  void print(String text, PrintWriter out) {
    boolean tall = outIsTerminal && rows > AROUND && text.lines().count() > rows - AROUND;
    if (pager.isEmpty() || !tall || !isPaged(text)) {
      out.print(text);
    }
    out.flush();
  }

  /** False where there is no such pager, and no shell to start it. */
  private boolean isPaged(String text) {
    ProcessBuilder command =
        new ProcessBuilder("sh", "-c", pager)
            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    LESS.forEach(command.environment()::putIfAbsent);
    try {
      Process process = command.start();
      try (OutputStream input = process.getOutputStream()) {
        input.write(text.getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        // Its reader has seen enough, or the shell has no such command.
      }
      return process.waitFor() != NOT_FOUND;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** When to use colours. */
  enum Colour {
    AUTO,
    ALWAYS,
    NEVER
  }

  /** The look, limited to what the terminal can show; files and pipes have no limits. */
  Look fit(Look look) {
    return outIsTerminal
        ? new Look(
            look.colour(),
            columns(Look.USUAL),
            look.ascii() || !unicode,
            look.verbose(),
            look.mostBytes(),
            rows > AROUND ? OptionalInt.of(rows - AROUND) : OptionalInt.empty())
        : look;
  }

  /** Characters in a line, or a number where that is unknown. */
  int columns(int otherwise) {
    return columns > 0 ? columns : otherwise;
  }

  boolean useColour(Colour choice) {
    return choice == Colour.ALWAYS || choice == Colour.AUTO && outIsTerminal && coloursWanted;
  }
}
