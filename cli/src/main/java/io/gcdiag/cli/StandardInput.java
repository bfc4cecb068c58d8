package io.gcdiag.cli;

import io.gcdiag.AnalysisRequest.Input;
import io.gcdiag.read.bytes.TemporaryCopy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The input that is named {@code -}. It is copied to a temporary file before anything is read:
 * formats are recognised by content and read more than once.
 */
public final class StandardInput implements AutoCloseable {

  /** Its name on the command line; a file of that name is written {@code ./-}. */
  static final String NAME = "-";

  static final String SHOWN_AS = "standard input";

  private final InputStream stream;
  private final BooleanSupplier terminal;
  private final List<TemporaryCopy> copies = new ArrayList<>();

  /**
   * A standard input that has not been read.
   *
   * @param terminal whether they come from a terminal
   */
  public StandardInput(InputStream stream, BooleanSupplier terminal) {
    this.stream = stream;
    this.terminal = terminal;
  }

  /** For hosts without standard input. */
  static StandardInput none() {
    return new StandardInput(InputStream.nullInputStream(), () -> false);
  }

  /** Its lines, for a command that is talked to. */
  BufferedReader lines() {
    return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
  }

  /** The inputs, with the copy in place of {@code -}. */
  List<Input> resolve(List<Input> inputs) {
    return inputs.stream()
        .map(one -> one.path().toString().equals(NAME) ? copied(one, inputs) : one)
        .toList();
  }

  private Input copied(Input input, List<Input> all) {
    if (!copies.isEmpty()) {
      throw CommandFailure.usage("standard input ('-') can be read once only; name a file instead");
    }
    if (terminal.getAsBoolean()) {
      throw CommandFailure.usage(
          "standard input ('-') is a terminal; redirect a file to it, like 'gcdiag analyze - <"
              + " gc.log'");
    }
    TemporaryCopy copy = copy();
    copies.add(copy);
    if (copy.size() == 0 && all.size() == 1) {
      throw new CommandFailure(
          ExitCode.NO_INPUT,
          List.of("standard input is empty; did the command before the pipe fail?"),
          null);
    }
    return new Input(copy.path(), input.format()).named(SHOWN_AS);
  }

  private TemporaryCopy copy() {
    try {
      return TemporaryCopy.of(stream);
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.NO_INPUT, List.of("standard input cannot be read: " + e.getMessage()), e);
    }
  }

  @Override
  public void close() {
    copies.forEach(TemporaryCopy::close);
  }
}
