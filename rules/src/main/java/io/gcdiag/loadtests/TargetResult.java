package io.gcdiag.loadtests;

/**
 * What became of one target.
 *
 * @param target what was wanted, such as {@code P95 at most 200 ms}
 * @param met over the whole test
 * @param measured what was measured
 * @param margin how far inside or outside the target; empty if unknown
 * @param sustained whether it was met all along, in words
 * @param source where this was read
 */
public record TargetResult(
    String target, Met met, String measured, String margin, String sustained, String source) {}
