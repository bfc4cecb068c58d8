package io.gcdiag.read.jfr;

import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.frames.FrameBook;

/**
 * State shared by the groups of one lane.
 *
 * @param file the name of the recording
 * @param stacks meanings of the stacks of the lane's events
 * @param frames meanings of stack frames
 * @param redactor hides secrets in texts that are kept
 */
record LaneContext(String file, Stacks stacks, FrameBook frames, Redactor redactor) {}
