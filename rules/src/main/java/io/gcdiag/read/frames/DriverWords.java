package io.gcdiag.read.frames;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Recognises drivers of databases that {@code frames.txt} does not know and whose callers wait for
 * a thread of the driver that reads the answer: code of one library, called as a statement of JDBC,
 * waits in what it calls a protocol or a network. An embedded database has statements, too, and
 * none of the latter.
 */
final class DriverWords {

  /** A library's packages begin alike in as many of their parts: {@code org.apache.derby}. */
  private static final int PARTS = 3;

  private static final Pattern STATEMENT =
      Pattern.compile(".*\\.\\w*(?:Statement|ResultSet)(?:\\$\\w+)*\\.\\w+");

  private static final Pattern NETWORK =
      Pattern.compile(
          ".*\\.(?:protocol|net|network|remote|transport|wire)\\..*"
              + "|.*\\.\\w*(?:Protocol|Network|Remote|Transport|Wire)\\w*(?:\\$\\w+)*\\.\\w+");

  /**
   * The packages of the driver that a stack waits in.
   *
   * @param at the innermost frame outside the JDK
   */
  static Optional<String> driver(List<String> frames, int at) {
    return frames.stream()
        .skip(at)
        .findFirst()
        .flatMap(DriverWords::packages)
        .filter(
            library -> {
              List<String> inside =
                  frames.stream().skip(at).takeWhile(f -> f.startsWith(library + ".")).toList();
              return Stream.of(STATEMENT, NETWORK)
                  .allMatch(form -> inside.stream().anyMatch(f -> form.matcher(f).matches()));
            });
  }

  private static Optional<String> packages(String frame) {
    String[] parts = frame.split("\\.");
    // Behind the packages are a class and a method.
    return parts.length >= PARTS + 2
        ? Optional.of(String.join(".", List.of(parts).subList(0, PARTS)))
        : Optional.empty();
  }
}
