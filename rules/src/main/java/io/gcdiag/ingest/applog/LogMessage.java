package io.gcdiag.ingest.applog;

import io.gcdiag.evidence.jvm.LoggedError.Kind;
import io.gcdiag.units.Durations;
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
          ? Optional.of(new LogMessage(kind, subject(matcher)))
          : Optional.empty();
    }
  }

  private static String subject(Matcher matcher) {
    return matcher.groupCount() > 0 && matcher.group(1) != null ? matcher.group(1) : "";
  }

  private static Form form(Kind kind, String mark, String pattern) {
    return new Form(kind, mark, Pattern.compile(pattern));
  }

  private static final String OUT_OF_MEMORY = "OutOfMemoryError: ";

  /** How pools say that no connection was returned in time; the words name the pool. */
  private static final String POOLS =
      "(Pool empty\\. Unable to fetch a connection"
          + "|Timeout waiting for idle object"
          + "|Timeout waiting for connection from pool"
          + "|An attempt by a client to checkout a Connection has timed out"
          + "|GetConnectionTimeoutException: wait millis"
          + "|Pool#acquire\\(Duration\\) has been pending"
          + "|Acquisition timeout while waiting for new connection"
          + "|No managed connections available within configured blocking timeout"
          + "|Timeout waiting for a pooled (?:item|connection))";

  private static final String TIME = "\\[(\\d{1,6}(?:\\.\\d{1,3})?(?:ms|s|m|h))]";

  /** What a collector took of a time, as Elasticsearch and OpenSearch write it. */
  private static final Pattern SPENT =
      Pattern.compile("spent " + TIME + " collecting in the last " + TIME);

  /**
   * As JDK 8 to 25, HikariCP 2 to 6 and other pools, Vert.x 3 to 5, Netty 4, Tomcat 6 to 11, Dubbo,
   * Kafka, Elasticsearch and Linux write them.
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
              "Connection leak detection triggered for (?:connection )?\\S+?(?: on thread (.+?))?,"),
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
              "ut of memory: Kill(?:ed)? process (\\d+ \\((?:java|[^)]*jvm[^)]*)\\))"),
          form(
              Kind.MEMORY_REFUSED,
              "os::commit_memory(",
              "os::commit_memory\\(\\w+, (\\d+), \\d\\) failed; error='[^']*' \\(errno=12\\)"),
          form(
              Kind.CODE_CACHE_FULL,
              " is full. Compiler has been disabled",
              "(Code(?:Cache|Heap '[^']+')) is full\\. Compiler has been disabled"),
          form(
              Kind.BUFFER_LEAKED,
              "LEAK: ",
              "LEAK: (\\w+)\\.release\\(\\) was not called before it's garbage-collected"),
          form(
              Kind.COLLECTOR_BUSY,
              " overhead, spent [",
              "\\[gc]\\[[^ ]+ overhead, (" + SPENT.pattern() + ")"),
          form(Kind.OTHER_POOL_TIMEOUT, "", POOLS),
          form(
              Kind.WORK_REJECTED,
              "Thread pool is EXHAUSTED",
              "Thread pool is EXHAUSTED!? Thread Name: ([^,]+),"),
          form(
              Kind.WORK_REJECTED,
              "RejectedExecutionException: ",
              "rejected from \\S+\\[Running, (pool size = \\d+, active threads = \\d+, queued tasks ="
                  + " \\d+)"),
          form(
              Kind.WORK_REJECTED,
              "RejectedExecutionException",
              "rejected execution of .+? on \\w*ThreadPoolExecutor\\[(?:name = )?"
                  + "([^,\\[]+, queue capacity = \\d+)"),
          form(
              Kind.STARVED,
              "Thread starvation or clock leap detected",
              "Thread starvation or clock leap detected \\((housekeeper delta=(?:\\d+[dhm])*\\d+s)"),
          form(
              Kind.POLLED_LATE,
              "consumer poll timeout has expired",
              "groupId=([^,\\]]+)[^]]*\\] (?:This member will leave the group because )?consumer poll"
                  + " timeout has expired"),
          form(
              Kind.WORK_REJECTED,
              "Maximum number of threads (",
              "(Maximum number of threads \\(\\d+\\)) created for connector"),
          form(
              Kind.CALL_TIMEOUT,
              "SocketTimeoutException: ",
              "SocketTimeoutException: ((?:Read|[Cc]onnect) timed out)"),
          form(
              Kind.CALL_TIMEOUT,
              " within the configured max blocking time",
              "(Failed to allocate (?:memory|\\d+ bytes) within the configured max blocking time)"));

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
          "ut of memory: Kill",
          "os::commit_memory(",
          " is full. Compiler has been disabled",
          "LEAK: ",
          " overhead, spent [",
          "Pool empty. Unable to fetch a connection",
          "Timeout waiting for ",
          "client to checkout a Connection has timed out",
          "GetConnectionTimeoutException: ",
          "Pool#acquire(Duration)",
          "Acquisition timeout while waiting",
          "No managed connections available",
          "Thread pool is EXHAUSTED",
          "RejectedExecutionException",
          "Thread starvation or clock leap detected",
          "consumer poll timeout has expired",
          "Maximum number of threads (",
          "SocketTimeoutException: ",
          " within the configured max blocking time");

  /** Whether a line may be one, at the price of a look. */
  static boolean isPossible(String line) {
    return MARKS.stream().anyMatch(line::contains);
  }

  /** What a line says; empty for all but a few. */
  static Optional<LogMessage> in(String line) {
    return FORMS.stream()
        .flatMap(form -> form.in(line).stream())
        .filter(message -> message.kind() != Kind.COLLECTOR_BUSY || isMost(message.subject()))
        .findFirst();
  }

  /** Elasticsearch writes the same of a quarter and of a tenth of the time, at lower levels. */
  private static boolean isMost(String overhead) {
    Matcher times = SPENT.matcher(overhead);
    return times.matches()
        && Durations.parse(times.group(1))
                .multipliedBy(2)
                .compareTo(Durations.parse(times.group(2)))
            > 0;
  }
}
