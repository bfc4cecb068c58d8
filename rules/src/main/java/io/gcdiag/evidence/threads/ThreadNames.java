package io.gcdiag.evidence.threads;

import java.util.regex.Pattern;

/** Groups threads by name: names of threads of one kind differ only in their numbers. */
public final class ThreadNames {

  /** Letters and digits of a hash or of a part of a UUID; fewer are a word. */
  private static final int SHORTEST_HASH = 4;

  /**
   * Default names of an executor's threads (Executors.DefaultThreadFactory): only the first number
   * distinguishes executors.
   */
  private static final Pattern UNNAMED_EXECUTOR = Pattern.compile("pool-\\d+-thread-\\d+");

  private static final Pattern LAST_NUMBER = Pattern.compile("\\d+(?=\\D*$)");

  /** Text that a server appends to a thread's name during a request (Dropwizard). */
  private static final Pattern REQUEST =
      Pattern.compile(" - (?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) .*");

  private ThreadNames() {}

  /** The name with {@code *} for each number: {@code pool-*-thread-*}. */
  public static String group(String name) {
    return numbersAs('*', own(name));
  }

  /**
   * The name with {@code N} for each number: {@code http-nio-N-exec-N}. The number of an executor
   * with default names is kept: {@code pool-7-thread-N}.
   */
  public static String numbered(String name) {
    String own = own(name);
    return own.startsWith("pool-") && UNNAMED_EXECUTOR.matcher(own).matches()
        ? LAST_NUMBER.matcher(own).replaceFirst("N")
        : numbersAs('N', own);
  }

  /** The name without the number within its pool: {@code pool-7-thread-*}. */
  public static String pool(String name) {
    String own = own(name);
    int from = 0;
    int to = 0;
    for (int i = 0; i < own.length(); ) {
      int end = numberEnd(own, i);
      if (end > i) {
        from = i;
        to = end;
      }
      i = Math.max(end, i + 1);
    }
    return to == 0 ? own : own.substring(0, from) + "*" + own.substring(to);
  }

  /** The name without the request in progress. */
  private static String own(String name) {
    return name.contains(" - ") ? REQUEST.matcher(name).replaceFirst("") : name;
  }

  private static String numbersAs(char mark, String name) {
    StringBuilder text = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); ) {
      int end = numberEnd(name, i);
      text.append(end > i ? mark : name.charAt(i));
      i = Math.max(end, i + 1);
    }
    return text.toString();
  }

  /**
   * Where the number ends that begins at a place; that place if there is none. A number is a word
   * of four or more hexadecimal digits, one of them decimal, such as a hash or a part of a UUID, or
   * decimal digits, also with points between them. By hand, because this is asked of every thread
   * of every dump, and a regular expression takes ten times as long.
   */
  private static int numberEnd(String name, int from) {
    if (!isIn(name, from, 'f')) {
      return from; // most characters of names are none of a number
    }
    int end = from;
    boolean decimal = false;
    while (isIn(name, end, 'f')) {
      decimal |= isDigit(name, end++);
    }
    if (decimal
        && end - from >= SHORTEST_HASH
        && !isIn(name, from - 1, 'z')
        && !isIn(name, end, 'z')
        && !name.startsWith(".", end)) {
      return end;
    }
    end = digitsEnd(name, from);
    while (end > from && name.startsWith(".", end) && isDigit(name, end + 1)) {
      end = digitsEnd(name, end + 1);
    }
    return end;
  }

  private static int digitsEnd(String name, int from) {
    int end = from;
    while (isDigit(name, end)) {
      end++;
    }
    return end;
  }

  private static boolean isDigit(String name, int at) {
    return at >= 0 && at < name.length() && name.charAt(at) >= '0' && name.charAt(at) <= '9';
  }

  /** Whether there is a digit, or a letter up to the last one in either case. */
  private static boolean isIn(String name, int at, char last) {
    if (at < 0 || at >= name.length()) {
      return false;
    }
    char c = name.charAt(at);
    int letter = c <= 'Z' ? c + 'a' - 'A' : c;
    return isDigit(name, at) || letter >= 'a' && letter <= last;
  }
}
