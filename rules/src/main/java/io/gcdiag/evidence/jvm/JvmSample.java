package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Bytes;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the JVM executed, compiled, loaded and threw. */
public sealed interface JvmSample extends Sample {

  /**
   * The program that a recorded JVM ran.
   *
   * @param at when the JVM stated it
   * @param name its main class, or its jar without path, version and extension
   */
  record RecordedProgram(Instant at, String name, Source source) implements JvmSample {

    /** {@code /opt/orders/orders-1.4.2.jar}, as Maven and Gradle name a jar. */
    private static final Pattern JAR =
        Pattern.compile("(?:.*[/\\\\])?([^/\\\\]+?)(?:-(\\d[^/\\\\]*))?\\.[jw]ar");

    /** The name of a main class or of the path of a jar; empty if there is none. */
    public static Optional<String> nameOf(String application) {
      Matcher jar = JAR.matcher(application);
      return Optional.of(jar.matches() ? jar.group(1) : application)
          .filter(name -> !name.isBlank());
    }

    /** The version in the path of a jar. */
    public static Optional<String> versionOf(String application) {
      Matcher jar = JAR.matcher(application);
      return jar.matches() ? Optional.ofNullable(jar.group(2)) : Optional.empty();
    }
  }

  /**
   * A recording whose last chunk is incomplete: the JVM was killed or crashed, or the file was
   * copied while it was written.
   *
   * @param at when that chunk began
   */
  record UnfinishedRecording(Instant at, Source source) implements JvmSample {}

  /**
   * A server or framework that requests run in. Settings in the advice use its names.
   *
   * @param at when it was first seen
   * @param name such as {@code Spring}, {@code Vert.x}
   * @param source where its frames were read
   */
  record RequestFramework(Instant at, String name, Source source) implements JvmSample {}

  /**
   * Classes loaded since the JVM's start ({@code jdk.ClassLoadingStatistics}).
   *
   * @param loaded classes loaded so far
   */
  record ClassLoads(Instant at, long loaded) implements JvmSample {}

  /**
   * A reading of the JIT compilers' counters.
   *
   * @param compiled methods compiled since the JVM began
   */
  record CompilerCount(Instant at, long compiled) implements JvmSample {}

  /**
   * The code cache was full.
   *
   * @param at when it was full; if only a counter shows it, when that was read
   * @param earlier whether only a counter shows it, so that it happened some time before
   * @param capacity maximum size of the whole code cache
   */
  record CodeCacheFull(Instant at, boolean earlier, Bytes capacity, Source source)
      implements JvmSample {}

  /**
   * Deoptimizations of one method within a second.
   *
   * @param at start of the second
   * @param reason the reason in the JVM's words: {@code unstable_if}, {@code class_check}
   */
  record Deoptimized(Instant at, String method, String reason, long count) implements JvmSample {

    /** Used as method for the sum of those that are not listed one by one. */
    public static final String OTHERS = "other methods";
  }

  /**
   * A reading of the JVM's counter of exceptions and errors created.
   *
   * @param total since the JVM began
   */
  record ExceptionCount(Instant at, long total, Source source) implements JvmSample {}

  /**
   * Exceptions of one class created at one place within a second.
   *
   * @param at start of the second
   * @param site the innermost frame outside the JDK and the exception's own constructors
   * @param count number recorded; newer JVMs record only a part of them, evenly
   */
  record ThrownExceptions(Instant at, String type, String site, long count) implements JvmSample {}

  /**
   * Errors of one class created at one place within a second ({@code jdk.JavaErrorThrow}). Without
   * OutOfMemoryErrors, which the JDK leaves out, and without those that the JVM creates without a
   * constructor, such as StackOverflowErrors.
   *
   * @param at start of the second
   * @param site the innermost frame outside the JDK and the error's own constructors
   */
  record ThrownErrors(Instant at, String type, String site, long count) implements JvmSample {}
}
