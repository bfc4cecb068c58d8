package io.gcdiag.evidence.machine;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import java.time.Instant;
import java.util.List;

/**
 * Which other programs ran on the machine at an instant. Inside a container these are the
 * container's own. What each of them used of the CPU is not told.
 *
 * @param at when the list was made
 * @param programs the programs other than this JVM, those of the highest process numbers first:
 *     these were started last as long as the numbers have not begun anew
 * @param source where it was read
 */
public record ProcessList(Instant at, List<Program> programs, Source source) implements Sample {

  /**
   * Processes of one program.
   *
   * @param name the program's file without folders and arguments
   * @param processes how many of them ran, at least 1
   */
  public record Program(String name, int processes) {}

  /** Keeps the order. */
  public ProcessList {
    programs = List.copyOf(programs);
  }
}
