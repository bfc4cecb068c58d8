package io.gcdiag.ingest.jfr;

import io.gcdiag.evidence.WaitKind;
import io.gcdiag.evidence.WorkerTime;
import io.gcdiag.ingest.Redactor;
import io.gcdiag.ingest.jfr.event.EventThread;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How long the threads of each group waited, and how many there are: see {@link WorkerTime}. */
final class WorkerTimes {

  /** Five seconds hold some dozen samples of each thread, and show a lull. */
  private static final long FIRST_SLICE = 5;

  private static final long SECOND = ThreadSpans.SECOND;

  /** Some hours; a longer recording is counted in steps of ten, twenty... seconds. */
  private static final int MOST_SLICES = 2_048;

  /** A service has some dozens of groups. */
  private static final int MOST_GROUPS = 500;

  /** Who is met without work in so many of a hundred samples does nothing but wait for sockets. */
  private static final int LOOPS_PERCENT = 90;

  /** Fewer samples make no share. */
  private static final int FEWEST_SAMPLES = 10;

  /** A group with more threads than this is no fixed set of workers. */
  private static final int MOST_MEMBERS = 5_000;

  private final Redactor redactor;
  private final Stacks stacks;
  private final Map<Long, Group> byThread = new HashMap<>();
  private final Map<String, Group> groups = new TreeMap<>();
  private final GroupTimes whole;
  private long sliceSeconds = FIRST_SLICE;

  WorkerTimes(Stacks stacks, Redactor redactor) {
    whole = new GroupTimes(stacks, redactor);
    this.stacks = stacks;
    this.redactor = redactor;
  }

  /** One thread; how often samples met it, and how often waiting for sockets without work. */
  private static final class Member {
    private int polling;
    private int met;

    boolean isLoop() {
      return met >= FEWEST_SAMPLES && 100L * polling >= (long) LOOPS_PERCENT * met;
    }
  }

  /** One group; time by slice. */
  private static final class Group {
    private final String name;
    private final Map<Long, Member> members = new HashMap<>();
    private boolean serving;
    private TreeMap<Long, Map<WaitKind, Double>> slices = new TreeMap<>();

    /** What was added to last: waits come more or less in the order of time. */
    private long latestSlice;

    private Map<WaitKind, Double> latest = Map.of();

    Group(String name) {
      this.name = name;
    }

    void halve() {
      TreeMap<Long, Map<WaitKind, Double>> half = new TreeMap<>();
      slices.forEach(
          (slice, times) -> {
            Map<WaitKind, Double> into =
                half.computeIfAbsent(Math.floorDiv(slice, 2), any -> new EnumMap<>(WaitKind.class));
            times.forEach((kind, seconds) -> into.merge(kind, seconds, Double::sum));
          });
      slices = half;
      latest = Map.of();
    }

    Map<WaitKind, Double> slice(long slice) {
      // Without an entry it may be the one that none was added to yet.
      if (latest.isEmpty() || latestSlice != slice) {
        latestSlice = slice;
        latest = slices.computeIfAbsent(slice, any -> new EnumMap<>(WaitKind.class));
      }
      return latest;
    }
  }

  /** The whole time of the threads of each group. */
  GroupTimes whole() {
    return whole;
  }

  /** A sample met a thread, in a native call that waits for that or executing Java code. */
  void met(EventThread thread, boolean serving, Instant at, Optional<WaitKind> waiting) {
    boolean polling = waiting.filter(kind -> kind == WaitKind.IDLE).isPresent();
    whole.met(thread, serving, at, polling);
    Group group = group(thread);
    group.serving |= serving;
    slice(group, Math.floorDiv(at.getEpochSecond(), sliceSeconds));
    Member member = group.members.getOrDefault(thread.id(), new Member());
    member.met++;
    member.polling += polling ? 1 : 0;
  }

  private static Map<WaitKind, Double> slice(Group group, long slice) {
    return group.slice(slice);
  }

  /**
   * A thread waited, and was in no native call.
   *
   * @param start in nanoseconds since 1970
   * @param length in nanoseconds
   */
  void waited(EventThread thread, boolean serving, long start, long length, WaitKind kind) {
    if (serving) {
      whole.serves(thread);
    }
    Group group = group(thread);
    group.serving |= serving;
    long end = start + length;
    for (long at = start; at < end; ) {
      long slice = Math.floorDiv(at, sliceSeconds * SECOND);
      long next = Math.min(end, (slice + 1) * sliceSeconds * SECOND);
      slice(group, slice).merge(kind, (next - at) / (double) SECOND, Double::sum);
      at = next;
    }
    while (group.slices.size() > MOST_SLICES) {
      sliceSeconds *= 2;
      groups.values().forEach(Group::halve);
    }
  }

  /** Virtual threads have no group: there are as many as are wanted. */
  private Group group(EventThread thread) {
    if (thread.virtual() || thread.name().isBlank()) {
      return new Group("");
    }
    Group known = byThread.get(thread.id());
    if (known != null) {
      return known;
    }
    String name = redactor.redact(thread.name().replaceAll("\\d+", "N"));
    Group group = groups.get(name);
    if (group == null) {
      group = new Group(name);
      if (groups.size() >= MOST_GROUPS) {
        return group;
      }
      groups.put(name, group);
    }
    group.serving |= stacks.isRequestThread(thread.name());
    if (group.members.size() < MOST_MEMBERS) {
      group.members.put(thread.id(), new Member());
      byThread.put(thread.id(), group);
    }
    return group;
  }

  /** All groups of two and more workers, slice by slice. */
  List<WorkerTime> times() {
    List<WorkerTime> times = new ArrayList<>();
    for (Group group : groups.values()) {
      long loops = group.members.values().stream().filter(Member::isLoop).count();
      int workers = (int) (group.members.size() - loops);
      if (workers > 1) {
        group.slices.forEach(
            (slice, waited) ->
                times.add(
                    new WorkerTime(
                        Instant.ofEpochSecond(slice * sliceSeconds),
                        Duration.ofSeconds(sliceSeconds),
                        group.name,
                        group.serving,
                        workers,
                        (int) loops,
                        waited)));
      }
    }
    return times;
  }
}
