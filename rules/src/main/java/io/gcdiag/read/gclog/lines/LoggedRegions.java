package io.gcdiag.read.gclog.lines;

/**
 * Regions of large objects before and after a collection of G1.
 *
 * @param end when the line was written, at the collection's end
 * @param before regions before it, 0 or more
 * @param after regions that it left, 0 or more
 * @param line the line it was read from, counted from 1
 */
record LoggedRegions(LogStamp end, int before, int after, long line) {}
