package io.gcdiag.evidence;

import java.time.Instant;

/**
 * A process of the machine. What it uses is not recorded.
 *
 * @param at when it was seen
 * @param pid its id
 * @param program its program, without the arguments
 */
public record OtherProcess(Instant at, String pid, String program) implements Sample {}
