package io.gcdiag.loadtests;

import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.units.Named;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * Whether a load test meets its targets.
 *
 * @param inputs what became of each input
 * @param met the answer for all targets together
 * @param test what was tested: producer, requests, length
 * @param doubts what was found about the test itself
 */
public record SloResult(
    List<InputReport> inputs,
    Met met,
    String test,
    List<TargetResult> targets,
    List<TestDoubt> doubts) {

  public SloResult {
    inputs = List.copyOf(inputs);
    targets = List.copyOf(targets);
    doubts = List.copyOf(doubts);
  }

  /**
   * Something about the test itself.
   *
   * @param topic a word or two, such as {@code load model}
   * @param weakens whether it makes the verdicts weaker; else it is in order
   * @param text what was found, one sentence
   */
  public record TestDoubt(String topic, boolean weakens, String text) {}

  /**
   * What became of one target.
   *
   * @param target what was wanted, such as {@code P95 at most 200 ms}
   * @param met over the whole test
   * @param margin how far inside or outside the target; empty if unknown
   * @param sustained whether it was met all along, in words
   * @param source where this was read
   */
  public record TargetResult(
      String target, Met met, String measured, String margin, String sustained, String source) {}

  /** Whether a target is met. */
  public enum Met implements Named {
    MET,
    /** The files do not have it. */
    CANNOT_TELL,
    MISSED;

    /** All are met, or at least one is missed. */
    static Met all(Collection<Met> parts) {
      return parts.isEmpty() ? MET : Collections.max(parts);
    }
  }
}
