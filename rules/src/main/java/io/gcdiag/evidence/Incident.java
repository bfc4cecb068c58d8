package io.gcdiag.evidence;

import io.gcdiag.evidence.time.Windows;

/** What is known, and which spans of it to compare. */
public interface Incident {

  /** What is known. */
  Timeline timeline();

  /** The incident and the baseline before it. */
  Windows windows();
}
