package io.gcdiag.evidence.jvm;

import io.gcdiag.units.Bytes;
import java.util.List;

/**
 * One line of a {@link ClassHistogram}.
 *
 * @param name the class as in source code: {@code java.lang.String}, {@code byte[]}; lambdas of one
 *     class are counted together
 * @param instances number of objects
 * @param bytes shallow size: without the objects that they refer to
 */
public record ClassCount(String name, long instances, Bytes bytes) {

  private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

  /** Whether it is not one of the JDK's classes, which are numerous in every heap. */
  public boolean outsideJdk() {
    // Arrays of primitives have no package.
    return (name.contains(".") || !name.endsWith("[]")) && JDK.stream().noneMatch(name::startsWith);
  }
}
