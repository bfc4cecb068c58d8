package io.gcdiag.evidence.machine;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.units.Bytes;
import java.time.Instant;

/**
 * Physical memory of the machine, or of the container where it has a limit.
 *
 * @param at when it was read
 * @param total all of it
 * @param used what is in use, the operating system's file cache included where the JVM counts it
 * @param source where it was read
 */
public record MachineMemory(Instant at, Bytes total, Bytes used, Source source) implements Sample {}
