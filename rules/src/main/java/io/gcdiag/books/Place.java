package io.gcdiag.books;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Named;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Where a cause is: in code, in a pool, on a host, in a setting. The most important part comes
 * first.
 *
 * @param parts the names, at least one
 */
public record Place(List<Part> parts) {

  /** The kind of a part. */
  public enum Role implements Named {
    /** Class, method and line of the service's own code. */
    CODE(""),
    /** The outermost frame of the service's own code on the same stacks. */
    CALLER("called by "),
    LOCK("lock "),
    /** The code location of the lock's owner. */
    OWNER("held in "),
    /** A connection pool, with its size. */
    POOL(""),
    /** Threads of one pool, with their number. */
    THREADS("threads "),
    HOST("remote host "),
    /** A statement, behind the kind of its database. */
    QUERY(""),
    /** Requests of one endpoint, by the load test or the service's metrics. */
    ENDPOINT("requests "),
    FILE("file "),
    CLASS("objects of "),
    /** A setting of the JVM, as on its command line. */
    SETTING(""),
    /** The machine or container, or one of its limits. */
    MACHINE("");

    private final String introduction;

    Role(String introduction) {
      this.introduction = introduction;
    }
  }

  /**
   * One part.
   *
   * @param role the kind of the part
   * @param detail its size or number, in words; may be empty
   * @param source where it was read
   */
  public record Part(Role role, String name, String detail, Source source) {

    /** A part without a size. */
    public Part(Role role, String name, Source source) {
      this(role, name, "", source);
    }

    @Override
    public String toString() {
      return role.introduction + name + (detail.isEmpty() ? "" : " (" + detail + ")");
    }
  }

  public Place {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a place has a name");
    }
    parts = List.copyOf(parts);
  }

  Optional<Part> part(Role role) {
    return parts.stream().filter(part -> part.role() == role).findFirst();
  }

  @Override
  public String toString() {
    return parts.stream().map(Part::toString).collect(Collectors.joining(", "));
  }
}
