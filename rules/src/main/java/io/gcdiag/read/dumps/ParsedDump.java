package io.gcdiag.read.dumps;

import io.gcdiag.evidence.threads.DumpTotals;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;

/**
 * One thread dump as a file holds it, without interpretation.
 *
 * @param instant when it was taken, if the file states it with a zone: a dump to file, or the time
 *     stamp that a container runtime put before the heading
 * @param localTime when it was taken by the clock and in the zone of the JVM, which the file does
 *     not name
 * @param threads the Java threads, without the JVM's own that run no Java code
 * @param deadlocked names of the threads that the JVM reports as deadlocked, each once
 * @param version the JDK of the JVM, such as {@code 17.0.15}, if the heading states it
 * @param collector the collector by the names of its threads, if they are listed and tell it
 * @param totals what it says of the JVM as a whole; empty if it does not
 * @param searched whether the JVM looks for deadlocks when it writes such a dump, and prints them
 *     at its end
 * @param selected whether it has some threads only, those that compute most
 * @param line the line of the heading, from 1
 * @param leftOut threads that it lists beyond those that memory has room for
 * @param lost threads that by its own count it lists, and that are not in it
 * @param cut whether it ends in the middle of a thread, or before what a dump ends with
 */
public record ParsedDump(
    Optional<Instant> instant,
    Optional<LocalDateTime> localTime,
    List<ParsedThread> threads,
    List<String> deadlocked,
    Optional<String> version,
    Optional<String> collector,
    Optional<DumpTotals> totals,
    boolean searched,
    boolean selected,
    long line,
    long leftOut,
    long lost,
    boolean cut) {

  public ParsedDump {
    threads = List.copyOf(threads);
    deadlocked = List.copyOf(deadlocked);
  }
}
