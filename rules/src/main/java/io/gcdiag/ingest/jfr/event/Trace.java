package io.gcdiag.ingest.jfr.event;

import java.util.List;

/**
 * A recorded stack. Events of one chunk that have the same stack share one object, so that what is
 * found out about it can be kept by identity.
 */
public interface Trace {

  /** Its Java frames as {@code package.Class.method}, innermost first. */
  List<String> frames();

  /** Whether the innermost frame ran in the interpreter. */
  boolean interpreted();
}
