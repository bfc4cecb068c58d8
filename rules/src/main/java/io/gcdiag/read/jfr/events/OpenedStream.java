package io.gcdiag.read.jfr.events;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What an event of a file calls a file, and is none. */
final class OpenedStream {

  /** Terminals, and what a process was handed when it began. */
  private static final List<String> STREAMS =
      List.of("/dev/stdin", "/dev/fd/", "/dev/tty", "/dev/pts/", "/dev/console", "/proc/self/fd/");

  /** Read for random numbers; the first blocks where the system has collected too few. */
  private static final Set<String> ENTROPY = Set.of("/dev/random", "/dev/urandom");

  private OpenedStream() {}

  /** Whether what is read are the system's random numbers. */
  static boolean isEntropy(Optional<String> path) {
    return path.filter(ENTROPY::contains).isPresent();
  }

  /**
   * Whether what is read comes from another process or from a user. The JDK knows the path of all
   * that it opens itself; standard input and the output of a child process it is handed open.
   *
   * @param path of the file, as the event has it
   */
  static boolean isPipe(Optional<String> path) {
    return path.isEmpty()
        || path.get().isEmpty()
        || STREAMS.stream().anyMatch(path.get()::startsWith);
  }
}
