package io.gcdiag.evidence;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import java.util.Optional;

/** What is known, and which spans of it to compare. */
public interface Incident {

  /** What is known. */
  Timeline timeline();

  /** The incident and the baseline before it. */
  Windows windows();

  /** The incident window. */
  default Window window() {
    return windows().incident();
  }

  /** The window it is compared with; absent when the inputs hold none. */
  default Optional<Window> baseline() {
    return windows().baseline();
  }
}
