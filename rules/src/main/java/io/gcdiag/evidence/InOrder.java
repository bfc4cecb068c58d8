package io.gcdiag.evidence;

/** A list that nobody changes, whose elements are in the order of their times. */
interface InOrder {}
