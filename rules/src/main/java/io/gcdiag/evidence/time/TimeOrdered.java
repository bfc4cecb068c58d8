package io.gcdiag.evidence.time;

/** An immutable list in order of time. */
public interface TimeOrdered {}
