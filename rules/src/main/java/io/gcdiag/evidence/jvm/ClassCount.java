package io.gcdiag.evidence.jvm;

import io.gcdiag.units.Bytes;
import java.util.List;

/**
 * One line of a {@link ClassHistogram}.
 *
 * @param name the class as in source code: {@code java.lang.String}, {@code byte[]}; lambdas of one
 *     class are counted together
 * @param instances how many objects
 * @param bytes what they take themselves, without what they refer to
 */
public record ClassCount(String name, long instances, Bytes bytes) {

  private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

  /** Whether it is none of the JDK's classes, which any program fills its heap with. */
  public boolean outsideJdk() {
    // Arrays of numbers have no package.
    return (name.contains(".") || !name.endsWith("[]")) && JDK.stream().noneMatch(name::startsWith);
  }
}
