package io.gcdiag.read.jfr.reader;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * One object for each name of a class or method, however many chunks have it: names are compared
 * and looked up far more often than read, and a comparison of one with itself costs nothing.
 */
final class Names {

  /** More than a large service has; beyond that names cost time, but no memory. */
  private static final int MOST = 100_000;

  private final Map<String, String> known = new HashMap<>();
  private final Set<String> synchronizedMethods = new HashSet<>();

  /** The same name. */
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

  /** Notes that a method of this name is synchronized. */
  void holdsMonitor(String method) {
    synchronizedMethods.add(method);
  }

  /** Whether a method of this name is synchronized; another one of the class may not be. */
  boolean isSynchronized(String method) {
    return synchronizedMethods.contains(method);
  }
}
