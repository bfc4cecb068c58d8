package io.gcdiag.ingest.applog;

import io.gcdiag.evidence.jvm.LoggedError.Kind;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a message in a log says of the JVM, whatever stands before it.
 *
 * @param kind what it says
 * @param subject the pool, thread, process or message; may be empty
 */
record LogMessage(Kind kind, String subject) {

  /** A message, and which of its groups names what it is about. */
  private record Form(Kind kind, String mark, Pattern pattern) {
    Optional<LogMessage> in(String line) {
      if (!line.contains(mark)) {
        return Optional.empty();
      }
      Matcher matcher = pattern.matcher(line);
      return matcher.find()
          ? Optional.of(new LogMessage(kind, matcher.groupCount() > 0 ? matcher.group(1) : ""))
          : Optional.empty();
    }
  }

  private static Form form(Kind kind, String mark, String pattern) {
    return new Form(kind, mark, Pattern.compile(pattern));
  }

  private static final String OUT_OF_MEMORY = "OutOfMemoryError: ";

  /**
   * As JDK 8 to 25, HikariCP 2 to 6, Vert.x 3 to 5, Netty 4, Tomcat 8 to 11 and Linux write them.
   */
  private static final List<Form> FORMS =
      List.of(
          form(
              Kind.HEAP_FULL,
              OUT_OF_MEMORY,
              OUT_OF_MEMORY
                  + "(Java heap space|GC overhead limit exceeded|Requested array size exceeds VM limit)"),
          form(
              Kind.METASPACE_FULL,
              OUT_OF_MEMORY,
              OUT_OF_MEMORY + "(Metaspace|Compressed class space|PermGen space)"),
          form(
              Kind.NO_THREAD,
              OUT_OF_MEMORY,
              OUT_OF_MEMORY + "(unable to create (?:new )?native thread)"),
          form(
              Kind.DIRECT_MEMORY_FULL,
              OUT_OF_MEMORY,
              OUT_OF_MEMORY
                  + "(Direct buffer memory|Cannot reserve \\d+ bytes of direct buffer memory)"),
          form(
              Kind.DIRECT_MEMORY_FULL,
              "OutOfDirectMemoryError: ",
              "OutOfDirectMemoryError: (failed to allocate \\d+ byte\\(s\\) of direct memory)"),
          form(
              Kind.POOL_TIMEOUT,
              "Connection is not available, request timed out after ",
              "(\\S+) - Connection is not available, request timed out after \\d+ms"),
          form(
              Kind.CONNECTION_HELD,
              "Connection leak detection triggered for ",
              "Connection leak detection triggered for \\S+ on thread (.+?),"),
          form(
              Kind.THREAD_BLOCKED,
              " has been blocked for ",
              "Thread Thread\\[(?:#\\d+,)?([^,\\]]+)[^]]*\\](?:=\\S+)? has been blocked for \\d+ ms"),
          form(
              Kind.REQUEST_STUCK,
              " and may be stuck",
              "Thread \\[([^]]+)\\] \\(id=\\[\\d+\\]\\) has been active for \\[[\\d,.\\h]+\\] milliseconds"),
          form(
              Kind.REQUEST_STUCK,
              "[STUCK] ExecuteThread: ",
              "\\[STUCK\\] (ExecuteThread: '\\d+') .*has been busy for \"\\d+\" seconds"),
          form(
              Kind.KILLED_FOR_MEMORY,
              "ut of memory: Kill",
              "ut of memory: Kill(?:ed)? process (\\d+ \\((?:java|[^)]*jvm[^)]*)\\))"));

  /** One of these stands in every such line. */
  static final List<String> MARKS =
      List.of(
          "OutOfMemoryError: ",
          "OutOfDirectMemoryError: ",
          " stats (total=",
          "Connection is not available, request timed out after ",
          "Connection leak detection triggered for ",
          " has been blocked for ",
          " and may be stuck",
          "[STUCK] ExecuteThread: ",
          "ut of memory: Kill");

  /** Whether a line may be one, at the price of a look. */
  static boolean isPossible(String line) {
    return MARKS.stream().anyMatch(line::contains);
  }

  /** What a line says; empty for all but a few. */
  static Optional<LogMessage> in(String line) {
    return FORMS.stream().flatMap(form -> form.in(line).stream()).findFirst();
  }
}
