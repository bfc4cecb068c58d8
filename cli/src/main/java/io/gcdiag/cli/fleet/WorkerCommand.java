package io.gcdiag.cli.fleet;

import io.gcdiag.units.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** How a process that analyses cases is started, and how many the machine has room for. */
public final class WorkerCommand {

  /** As much as {@code analyze} has. */
  public static final Bytes HEAP = Bytes.of(512L << 20);

  private static final String MAIN = "io.gcdiag.cli.WorkerMain";

  /** What a JVM takes beside its heap: compiled code, classes, stacks. */
  private static final Bytes BESIDE_HEAP = Bytes.of(200L << 20);

  private static final long KIB = 1024;

  private WorkerCommand() {}

  /**
   * This program again, with that much heap. Over a hundred cases the optimising compiler takes
   * half as much CPU again, and does not earn it back.
   */
  public static List<String> of(Bytes heap, String classPath) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xms64m",
        "-Xmx" + heap.value(),
        "-XX:MinHeapFreeRatio=20",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-XX:-UsePerfData",
        "-XX:+ExitOnOutOfMemoryError",
        // A killed fleet leaves no crash logs in the folder it was called from.
        "-XX:-CreateCoredumpOnCrash",
        // Standard output is for answers.
        "-Xlog:disable",
        "-Xlog:all=error:stderr",
        "-cp",
        classPath,
        MAIN);
  }

  /** As many as there are cores and memory for, at least one. */
  public static int most(Bytes heap) {
    int cores = Runtime.getRuntime().availableProcessors();
    OptionalLong free = freeMemory();
    long fit = free.isPresent() ? free.getAsLong() / (heap.value() + BESIDE_HEAP.value()) : cores;
    return (int) Math.max(1, Math.min(cores, fit));
  }

  /** What Linux says is left, of the machine or of the control group; unknown elsewhere. */
  private static OptionalLong freeMemory() {
    OptionalLong machine =
        lines("/proc/meminfo")
            .filter(line -> line.startsWith("MemAvailable:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIB)
            .findFirst();
    OptionalLong limit = number("/sys/fs/cgroup/memory.max");
    OptionalLong used = number("/sys/fs/cgroup/memory.current");
    return machine.isPresent() && limit.isPresent() && used.isPresent()
        ? OptionalLong.of(Math.min(machine.getAsLong(), limit.getAsLong() - used.getAsLong()))
        : machine;
  }

  /** The file says "max" where there is no limit. */
  private static OptionalLong number(String file) {
    return lines(file)
        .filter(line -> line.matches("\\d{1,18}"))
        .mapToLong(Long::parseLong)
        .findFirst();
  }

  private static Stream<String> lines(String file) {
    try {
      return Files.readAllLines(Path.of(file)).stream();
    } catch (IOException e) {
      return Stream.empty();
    }
  }

  /**
   * The heap of a process that analyses cases.
   *
   * @param size at least {@link #LEAST}
   */
  public record WorkerHeap(Bytes size) {

    /** With less even a small recording fails. */
    private static final Bytes LEAST = Bytes.of(64L << 20);

    /**
     * The size that a user gives.
     *
     * @throws IllegalArgumentException if it is none, or too small
     */
    public static WorkerHeap parse(String text) {
      Bytes size = Bytes.parse(text);
      if (size.compareTo(LEAST) < 0) {
        throw new IllegalArgumentException("'" + text + "' is too little; write 64m or more");
      }
      return new WorkerHeap(size);
    }
  }
}
