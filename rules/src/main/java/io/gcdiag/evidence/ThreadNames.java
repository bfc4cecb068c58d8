package io.gcdiag.evidence;

import java.util.regex.Pattern;

/** Threads of one kind have names that differ by numbers only. */
public final class ThreadNames {

  private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)*");

  private static final Pattern DIGITS = Pattern.compile("\\d+");

  private static final Pattern LAST_NUMBER = Pattern.compile("\\d+(?=\\D*$)");

  /** What a server adds to a thread's name for the time of a request (Dropwizard does). */
  private static final Pattern REQUEST =
      Pattern.compile(" - (?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) .*");

  private ThreadNames() {}

  /** The name with {@code *} for each number: {@code pool-*-thread-*}. */
  public static String group(String name) {
    return NUMBER.matcher(own(name)).replaceAll("*");
  }

  /** The name with {@code N} for each run of digits: {@code pool-N-thread-N}. */
  public static String numbered(String name) {
    return DIGITS.matcher(own(name)).replaceAll("N");
  }

  /** The name without the number within its pool: {@code pool-7-thread-*}. */
  public static String pool(String name) {
    return LAST_NUMBER.matcher(own(name)).replaceFirst("*");
  }

  /** The name without that of the request under way. */
  private static String own(String name) {
    return REQUEST.matcher(name).replaceFirst("");
  }
}
