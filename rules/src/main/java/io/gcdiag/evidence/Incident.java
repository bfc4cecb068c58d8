package io.gcdiag.evidence;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import java.util.Optional;

/** The evidence and the windows to compare. */
public interface Incident {

  /** Everything that the inputs contain. */
  Timeline timeline();

  /** The incident and the baseline before it. */
  Windows windows();

  default Window window() {
    return windows().incident();
  }

  /** The window it is compared with; empty if the inputs do not contain one. */
  default Optional<Window> baseline() {
    return windows().baseline();
  }
}
