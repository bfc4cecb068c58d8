package io.gcdiag.evidence.threads;

import java.util.Comparator;

/**
 * What is waited for, and where.
 *
 * @param kind the kind of wait
 * @param name the pool, remote address, lock class or path: {@code HikariCP}, {@code db:5432}
 * @param onRequestThread whether the waiting thread serves requests, by its stack or name
 * @param stack the frames that told so, innermost first, shortened; for the reader of a report
 * @param client the library that waits for the remote address, such as {@code PostgreSQL}; empty
 *     for other kinds, and if its frames are not known
 */
public record WaitSite(
    WaitKind kind, String name, boolean onRequestThread, String stack, String client)
    implements Comparable<WaitSite> {

  /** The name of what is written to and was handed to the process when it began. */
  public static final String STANDARD_OUTPUT = "standard output or a pipe";

  private static final Comparator<WaitSite> ORDER =
      Comparator.comparing(WaitSite::kind)
          .thenComparing(WaitSite::name)
          .thenComparing(WaitSite::onRequestThread)
          .thenComparing(WaitSite::stack)
          .thenComparing(WaitSite::client);

  /** A site at which no library is known. */
  public WaitSite(WaitKind kind, String name, boolean onRequestThread, String stack) {
    this(kind, name, onRequestThread, stack, "");
  }

  /** Whether what is waited for has a name, beside the place at which it is. */
  public boolean isNamed() {
    return !name.isEmpty() && !name.equals(stack);
  }

  /**
   * What is waited for, with the library that does: {@code db:5432 (PostgreSQL)}; the library alone
   * if it says what.
   */
  public String label() {
    if (client.isEmpty() || client.equals(name)) {
      return name;
    }
    return name.isEmpty() || client.contains(name) ? client : name + " (" + client + ")";
  }

  @Override
  public int compareTo(WaitSite other) {
    return ORDER.compare(this, other);
  }
}
