package io.gcdiag.cli.report;

import java.util.OptionalDouble;

/**
 * A frame in a tree of stacks.
 *
 * @param parent the index of its caller; -1 for an outermost frame
 * @param level how many callers are above it
 * @param name class and method, and how many frames behind it are left out
 * @param own whether it is the service's own code: no JDK, framework, pool, driver or library
 * @param share of all that was seen, with what it called, 0 to 1
 * @param before the same in the baseline
 */
public record StackFrame(
    int parent, int level, String name, boolean own, double share, OptionalDouble before) {

  public StackFrame {
    name = SafeText.clean(name);
  }
}
