package io.gcdiag.evidence;

import java.util.regex.Pattern;

/** Threads of one kind have names that differ by numbers only. */
public final class ThreadNames {

  private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)*");

  private static final Pattern DIGITS = Pattern.compile("\\d+");

  private static final Pattern LAST_NUMBER = Pattern.compile("\\d+(?=\\D*$)");

  private ThreadNames() {}

  /** The name with {@code *} for each number: {@code pool-*-thread-*}. */
  public static String group(String name) {
    return NUMBER.matcher(name).replaceAll("*");
  }

  /** The name with {@code N} for each run of digits: {@code pool-N-thread-N}. */
  public static String numbered(String name) {
    return DIGITS.matcher(name).replaceAll("N");
  }

  /** The name without the number within its pool: {@code pool-7-thread-*}. */
  public static String pool(String name) {
    return LAST_NUMBER.matcher(name).replaceFirst("*");
  }
}
