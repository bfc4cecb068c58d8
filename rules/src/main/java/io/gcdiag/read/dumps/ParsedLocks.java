package io.gcdiag.read.dumps;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The locks in a thread's entry, by the identity that the dump gives them: an address, or class and
 * hash code. It holds within one dump only.
 *
 * @param wanted what the thread is blocked or parked on
 * @param owned the monitors that it has entered, without the one that it waits on and so has let
 *     go, and the synchronizers that it owns, which a dump lists with {@code -l} only
 * @param entered for a monitor that it owns the outermost frame that entered it
 */
record ParsedLocks(Optional<String> wanted, List<String> owned, Map<String, Integer> entered) {

  /** Neither wants nor owns any. */
  static final ParsedLocks NONE = new ParsedLocks(Optional.empty(), List.of(), Map.of());

  public ParsedLocks {
    owned = List.copyOf(owned);
    entered = Map.copyOf(entered);
  }
}
