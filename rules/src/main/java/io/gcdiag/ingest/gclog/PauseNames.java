package io.gcdiag.ingest.gclog;

import java.util.HashMap;
import java.util.Map;

/** The names of pauses that a log has had so far: it has few, and repeats them all along. */
final class PauseNames {

  /** Far more than any collector has kinds and causes of pauses. */
  private static final int MOST = 1_000;

  private final Map<String, PauseName> known = new HashMap<>();

  PauseName of(String text) {
    PauseName name = known.get(text);
    if (name == null) {
      name = PauseName.of(text);
      if (known.size() < MOST) {
        known.put(text, name);
      }
    }
    return name;
  }
}
