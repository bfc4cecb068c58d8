package io.gcdiag.evidence.time;

/** A list that is never changed, whose elements are in the order of their times. */
public interface TimeOrdered {}
