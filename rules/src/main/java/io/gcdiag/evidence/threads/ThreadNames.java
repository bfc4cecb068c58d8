package io.gcdiag.evidence.threads;

import java.util.regex.Pattern;

/** Groups threads by name: names of threads of one kind differ only in their numbers. */
public final class ThreadNames {

  /**
   * Digits, or a word of hexadecimal ones such as a hash or a part of a UUID: four or more, one a
   * decimal.
   */
  private static final Pattern NUMBER =
      Pattern.compile(
          "(?<![A-Za-z0-9])(?=[a-fA-F]*\\d)[0-9a-fA-F]{4,}(?![A-Za-z0-9.])|\\d+(?:\\.\\d+)*");

  /**
   * Default names of an executor's threads (Executors.DefaultThreadFactory): only the first number
   * distinguishes executors.
   */
  private static final Pattern UNNAMED_EXECUTOR = Pattern.compile("pool-\\d+-thread-\\d+");

  private static final Pattern LAST_NUMBER = Pattern.compile("\\d+(?=\\D*$)");

  /** What a server appends to a thread's name during a request (Dropwizard does). */
  private static final Pattern REQUEST =
      Pattern.compile(" - (?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) .*");

  private ThreadNames() {}

  /** The name with {@code *} for each number: {@code pool-*-thread-*}. */
  public static String group(String name) {
    return NUMBER.matcher(own(name)).replaceAll("*");
  }

  /**
   * The name with {@code N} for each number: {@code http-nio-N-exec-N}. The number of an executor
   * with default names is kept: {@code pool-7-thread-N}.
   */
  public static String numbered(String name) {
    String own = own(name);
    return UNNAMED_EXECUTOR.matcher(own).matches()
        ? LAST_NUMBER.matcher(own).replaceFirst("N")
        : NUMBER.matcher(own).replaceAll("N");
  }

  /** The name without the number within its pool: {@code pool-7-thread-*}. */
  public static String pool(String name) {
    String own = own(name);
    return NUMBER
        .matcher(own)
        .results()
        .reduce((first, later) -> later)
        .map(last -> own.substring(0, last.start()) + "*" + own.substring(last.end()))
        .orElse(own);
  }

  /** The name without the request in progress. */
  private static String own(String name) {
    return REQUEST.matcher(name).replaceFirst("");
  }
}
