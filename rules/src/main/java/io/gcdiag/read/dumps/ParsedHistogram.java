package io.gcdiag.read.dumps;

import io.gcdiag.evidence.jvm.ClassCount;
import io.gcdiag.evidence.jvm.ClassHistogram.Scope;
import io.gcdiag.read.bytes.TimeText;
import io.gcdiag.units.Bytes;
import java.util.List;

/**
 * One table as a file holds it.
 *
 * @param time the time that stands before or just above it
 * @param scope which objects it counts
 * @param instances all objects
 * @param bytes what they take
 * @param classes the largest classes, largest first
 * @param complete whether every line of it was read
 * @param line the line of its heading, from 1
 */
record ParsedHistogram(
    TimeText time,
    Scope scope,
    long instances,
    Bytes bytes,
    List<ClassCount> classes,
    boolean complete,
    long line) {}
