package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import java.time.Instant;

/**
 * A recording whose last chunk has no end: the JVM was killed or has crashed, or the file was
 * copied while it was written.
 *
 * @param at when that chunk began
 * @param source the recording
 */
public record UnfinishedRecording(Instant at, Source source) implements Sample {}
