package io.gcdiag.diagnosis;

/**
 * One step of the causal chain.
 *
 * @param from the id of the cause or effect it starts from
 * @param to the id of the effect it leads to
 * @param statement the step with its figure, one sentence
 */
public record ChainLink(String from, String to, String statement) {}
