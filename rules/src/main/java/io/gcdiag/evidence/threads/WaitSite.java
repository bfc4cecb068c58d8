package io.gcdiag.evidence.threads;

import java.util.Comparator;

/**
 * What is waited for, and where.
 *
 * @param name the pool, remote address, lock class or path: {@code HikariCP}, {@code db:5432}
 * @param onRequestThread whether the waiting thread serves requests, by its stack or name
 * @param stack the frames that show it, innermost first, shortened; for the reader of a report
 * @param client the library that calls the remote address, such as {@code PostgreSQL}; empty for
 *     other kinds, and if its frames are unknown
 */
public record WaitSite(
    WaitKind kind, String name, boolean onRequestThread, String stack, String client)
    implements Comparable<WaitSite> {

  /** The name for writes to a descriptor that the process inherited. */
  public static final String STANDARD_OUTPUT = "standard output or a pipe";

  private static final Comparator<WaitSite> ORDER =
      Comparator.comparing(WaitSite::kind)
          .thenComparing(WaitSite::name)
          .thenComparing(WaitSite::onRequestThread)
          .thenComparing(WaitSite::stack)
          .thenComparing(WaitSite::client);

  /** A site with no known library. */
  public WaitSite(WaitKind kind, String name, boolean onRequestThread, String stack) {
    this(kind, name, onRequestThread, stack, "");
  }

  /** Whether what is waited for has a name of its own, and not only a code location. */
  public boolean isNamed() {
    return !name.isEmpty() && !name.equals(stack);
  }

  /**
   * What is waited for, with the library: {@code db:5432 (PostgreSQL)}; just one of them if both
   * are the same. A lock of a class that has no meaning is named by the code that takes it.
   */
  public String label() {
    if (isPlainObject() && !stack.isEmpty()) {
      return "taken in " + stack.split(" < ", 2)[0].replaceFirst("^(?:[a-z_]\\w*\\.)+", "");
    }
    if (client.isEmpty() || client.equals(name)) {
      return name;
    }
    return name.isEmpty() || client.contains(name)
        ? client
        : name + " (" + CallPart.inside(client) + ")";
  }

  /** Whether a new connection is waited for; the address is known only of waits for a socket. */
  public boolean isOpening() {
    return CallPart.isOpening(client) || CallPart.isOpening(name);
  }

  /** Whether it is a lock whose class says nothing of what it guards. */
  public boolean isPlainObject() {
    return kind == WaitKind.LOCK && (name.equals("java.lang.Object") || name.endsWith("[]"));
  }

  @Override
  public int compareTo(WaitSite other) {
    return ORDER.compare(this, other);
  }
}
