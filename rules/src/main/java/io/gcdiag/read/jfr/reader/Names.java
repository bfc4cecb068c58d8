package io.gcdiag.read.jfr.reader;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Interns the names of classes and methods across all chunks: names are compared and looked up far
 * more often than read, and comparing equal references is free.
 */
final class Names {

  /**
   * More than a large service has; beyond this number names are no longer interned, to limit
   * memory.
   */
  private static final int MOST = 100_000;

  private final Map<String, String> known = new HashMap<>();
  private final Set<String> synchronizedMethods = new HashSet<>();

  String one(String name) {
    String same = known.get(name);
    if (same != null) {
      return same;
    }
    if (known.size() < MOST) {
      known.put(name, name);
    }
    return name;
  }

  /** Records that a method of this name is synchronized. */
  void holdsMonitor(String method) {
    synchronizedMethods.add(method);
  }

  /** Whether a method of this name is synchronized; an overloaded one may not be. */
  boolean isSynchronized(String method) {
    return synchronizedMethods.contains(method);
  }
}
