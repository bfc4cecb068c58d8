package io.gcdiag.evidence.machine;

import io.gcdiag.evidence.time.Sample;
import java.time.Instant;

/**
 * The machine's cores, as the operating system counts them. A container may get fewer; CPU loads
 * are shares of these all the same.
 *
 * @param at when it was read
 * @param count how many
 */
public record HardwareThreads(Instant at, int count) implements Sample {}
