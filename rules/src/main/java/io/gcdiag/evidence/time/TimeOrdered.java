package io.gcdiag.evidence.time;

/** A list that nobody changes, whose elements are in the order of their times. */
public interface TimeOrdered {}
