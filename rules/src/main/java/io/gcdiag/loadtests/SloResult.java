package io.gcdiag.loadtests;

import io.gcdiag.evidence.time.InputReport;
import java.util.List;

/**
 * Whether a load test meets its targets.
 *
 * @param inputs what became of each input
 * @param met the answer for all targets together
 * @param test what was tested: producer, requests, length
 * @param targets one result for each target
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
}
