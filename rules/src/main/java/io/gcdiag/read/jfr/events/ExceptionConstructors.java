package io.gcdiag.read.jfr.events;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which constructors create exceptions, learned from stacks. Compiled code takes the walk over the
 * stack, which {@code Throwable}'s constructor asks for, into the constructor of the exception
 * itself: samples then name that one alone. Now and then one shows the whole way.
 */
final class ExceptionConstructors {

  private static final String CONSTRUCTOR = ".<init>";
  private static final String WALK = "java.lang.Throwable.fillInStackTrace";
  private static final String ROOT = "java.lang.Throwable.<init>";

  /** A service has some hundred classes of exceptions. */
  private static final int MOST = 10_000;

  private final Set<String> known = new HashSet<>();

  /** Whether a stack is inside of creating an exception; whose constructor that is, is kept. */
  boolean isInside(List<String> frames) {
    int root = frames.indexOf(ROOT);
    for (int i = root + 1; root >= 0 && i < frames.size() && isConstructor(frames.get(i)); i++) {
      if (known.size() < MOST) {
        known.add(frames.get(i));
      }
    }
    return root >= 0 || frames.contains(WALK);
  }

  /** Whether a method is any class's constructor. */
  static boolean isConstructor(String method) {
    return method.endsWith(CONSTRUCTOR);
  }

  /** Whether a method is known to be that of an exception. */
  boolean isKnown(String method) {
    return known.contains(method);
  }
}
