package io.gcdiag.evidence;

/**
 * What is waited for, and where.
 *
 * @param kind the kind of wait
 * @param name the pool, remote address, lock class or path: {@code HikariCP}, {@code db:5432}
 * @param onRequestThread whether the waiting thread serves requests, as told by its stack or name
 * @param stack the frames that told so, innermost first, shortened; for the reader of a report
 */
public record WaitSite(WaitKind kind, String name, boolean onRequestThread, String stack)
    implements Comparable<WaitSite> {

  /** Whether what is waited for has a name, beside the place at which it is. */
  public boolean isNamed() {
    return !name.isEmpty() && !name.equals(stack);
  }

  @Override
  public int compareTo(WaitSite other) {
    int byKind = kind.compareTo(other.kind);
    if (byKind != 0) {
      return byKind;
    }
    int byName = name.compareTo(other.name);
    if (byName != 0) {
      return byName;
    }
    int byThread = Boolean.compare(onRequestThread, other.onRequestThread);
    return byThread != 0 ? byThread : stack.compareTo(other.stack);
  }
}
