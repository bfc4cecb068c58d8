package io.gcdiag.read.gclog;

/**
 * Humongous regions before and after a G1 collection.
 *
 * @param end when the line was written, at the collection's end
 * @param before regions before it, 0 or more
 * @param after regions after it, 0 or more
 * @param line the line it was read from, counted from 1
 */
record LoggedRegions(LogStamp end, int before, int after, long line) {}
