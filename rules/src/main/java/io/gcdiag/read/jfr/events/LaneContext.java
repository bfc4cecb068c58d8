package io.gcdiag.read.jfr.events;

import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.frames.FrameBook;

/**
 * What the groups of one lane share.
 *
 * @param file the name of the recording
 * @param stacks what the stacks of the lane's events are
 * @param frames what the frames of stacks mean
 * @param redactor hides secrets in what is kept of texts
 */
public record LaneContext(String file, Stacks stacks, FrameBook frames, Redactor redactor) {}
