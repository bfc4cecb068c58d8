package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The program that a recorded JVM ran.
 *
 * @param at when the JVM said so
 * @param name its main class, or its jar without path, version and ending
 * @param source the recording
 */
public record RecordedProgram(Instant at, String name, Source source) implements Sample {

  /** {@code /opt/orders/orders-1.4.2.jar}, as Maven and Gradle name a jar. */
  private static final Pattern JAR =
      Pattern.compile("(?:.*[/\\\\])?([^/\\\\]+?)(?:-(\\d[^/\\\\]*))?\\.[jw]ar");

  /** The name of a main class or of the path of a jar; empty if there is none. */
  public static Optional<String> nameOf(String application) {
    Matcher jar = JAR.matcher(application);
    return Optional.of(jar.matches() ? jar.group(1) : application).filter(name -> !name.isBlank());
  }

  /** The version in the path of a jar. */
  public static Optional<String> versionOf(String application) {
    Matcher jar = JAR.matcher(application);
    return jar.matches() ? Optional.ofNullable(jar.group(2)) : Optional.empty();
  }
}
