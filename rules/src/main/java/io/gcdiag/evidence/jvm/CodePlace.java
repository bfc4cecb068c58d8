package io.gcdiag.evidence.jvm;

import java.util.List;

/**
 * A code location of the service.
 *
 * @param method class and method, such as {@code com.acme.OrderDao.find}
 * @param line the line in its source; {@link #NO_LINE} if it is not recorded, or not always the
 *     same
 */
public record CodePlace(String method, int line) implements Comparable<CodePlace> {

  /** The line is unknown, or there are several. */
  public static final int NO_LINE = 0;

  private static final List<String> OF_JDK = List.of("java.", "jdk.", "sun.", "com.sun.");

  /** Whether it is the JDK's own code, which a service cannot change. */
  public boolean isOfJdk() {
    return OF_JDK.stream().anyMatch(method::startsWith);
  }

  /** Whether both are of one project, by the first two parts of their packages. */
  public boolean isOfProject(CodePlace other) {
    return project().startsWith(other.project()) || other.project().startsWith(project());
  }

  private String project() {
    return method.replaceFirst("^((?:[a-z]\\w*\\.){1,2}).*", "$1");
  }

  @Override
  public int compareTo(CodePlace other) {
    int byMethod = method.compareTo(other.method);
    return byMethod != 0 ? byMethod : Integer.compare(line, other.line);
  }

  @Override
  public String toString() {
    return line == NO_LINE ? method : method + ":" + line;
  }
}
