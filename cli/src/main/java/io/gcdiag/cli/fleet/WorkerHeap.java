package io.gcdiag.cli.fleet;

import io.gcdiag.units.Bytes;

/**
 * The heap of a process that analyses cases.
 *
 * @param size at least {@link #LEAST}
 */
public record WorkerHeap(Bytes size) {

  /** With less even a small recording fails. */
  private static final Bytes LEAST = Bytes.of(64L << 20);

  /**
   * The size that a user gives.
   *
   * @throws IllegalArgumentException if it is none, or too small
   */
  public static WorkerHeap parse(String text) {
    Bytes size = Bytes.parse(text);
    if (size.compareTo(LEAST) < 0) {
      throw new IllegalArgumentException("'" + text + "' is too little; write 64m or more");
    }
    return new WorkerHeap(size);
  }
}
