package io.gcdiag.loadtests;

/**
 * Something about the test itself.
 *
 * @param topic a word or two, such as {@code load model}
 * @param weakens whether it makes the verdicts weaker; else it is in order
 * @param text what was found, one sentence
 */
public record TestDoubt(String topic, boolean weakens, String text) {}
