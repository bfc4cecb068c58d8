package io.gcdiag.read.jfr;

import io.gcdiag.evidence.threads.ThreadGroupSample.GroupTime;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.time.RowIndex;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.jfr.WorkerTimes.ByNumber;
import io.gcdiag.read.jfr.reader.EventThread;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How long the threads of each group existed, and how long they were in events: see {@link
 * GroupTime}.
 */
final class GroupTimes {

  private static final long SECOND = ThreadSpans.SECOND;

  /** Short enough for the borders of an incident. */
  private static final long FIRST_SLICE = 1;

  /** Half an hour of slices; a longer recording uses slices of two, four... seconds. */
  private static final int MOST_SLICES = 2_048;

  /** A service has some dozens of groups. */
  private static final int MOST_GROUPS = 500;

  /** A group with more threads than this is no fixed set of workers. */
  private static final int MOST_MEMBERS = 5_000;

  /** A thread found waiting for sockets in this percentage of samples is an event loop. */
  private static final int LOOPS_PERCENT = 90;

  /** Fewer samples give no reliable share. */
  private static final int FEWEST_SAMPLES = 10;

  /** An event loop parks for less of its time than this; a worker without work parks. */
  private static final double HARDLY_PARKS = 0.01;

  private final Redactor redactor;
  private final Stacks stacks;
  private final RowIndex threads = new RowIndex();

  private final List<Optional<Member>> byThread = new ArrayList<>();

  private final Map<String, Group> groups = new TreeMap<>();
  private long sliceSeconds = FIRST_SLICE;

  GroupTimes(Stacks stacks, Redactor redactor) {
    this.stacks = stacks;
    this.redactor = redactor;
  }

  /** A thread: when it is known to exist, and its activity by samples. */
  private static final class Member {
    private final Group group;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;
    private long waited;
    private int polling;
    private int met;

    Member(Group group) {
      this.group = group;
    }

    void seen(long from, long to) {
      first = Math.min(first, from);
      last = Math.max(last, to);
    }

    boolean isLoop() {
      return met >= FEWEST_SAMPLES
          && 100L * polling >= (long) LOOPS_PERCENT * met
          && waited < HARDLY_PARKS * (last - first);
    }

    double nanosWithin(long from, long to) {
      return Math.max(0, Math.min(to, last) - Math.max(from, first));
    }
  }

  /** One group: nanoseconds in events by slice; second value in native calls. */
  private static final class Group {
    private final String name;
    private final String pattern;
    private final List<Member> members = new ArrayList<>();
    private boolean serving;
    private ByNumber<double[]> slices = new ByNumber<>(any -> new double[2]);

    /** The latest slice and its borders, because events come roughly in order of time. */
    private double[] latest = {};

    private long latestFrom;
    private long latestTo;

    Group(String name, String pattern) {
      this.name = name;
      this.pattern = pattern;
    }

    /**
     * Adds the part of an event in one slice.
     *
     * @param width of a slice, in nanoseconds
     * @return end of that part
     */
    long add(long from, long to, boolean inNative, long width) {
      if (from < latestFrom || from >= latestTo) {
        long slice = Math.floorDiv(from, width);
        latest = slices.at(slice);
        latestFrom = slice * width;
        latestTo = latestFrom + width;
      }
      long end = Math.min(to, latestTo);
      latest[inNative ? 1 : 0] += end - from;
      return end;
    }

    void halve() {
      slices = slices.halved(GroupTimes::add);
      latestTo = latestFrom;
    }
  }

  private static void add(double[] sums, double[] more) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += more[i];
    }
  }

  /** Adds a sample of a thread; it is without work if it waits for sockets. */
  void met(EventThread thread, boolean serving, Instant at, boolean polling) {
    member(thread)
        .ifPresent(
            member -> {
              member.group.serving |= serving;
              member.seen(ThreadSpans.nanos(at), ThreadSpans.nanos(at));
              member.met++;
              member.polling += polling ? 1 : 0;
            });
  }

  /**
   * Adds an event with a duration.
   *
   * @param start in nanoseconds since 1970
   * @param length in nanoseconds
   * @param inNative whether it is a native call
   */
  void timed(EventThread thread, long start, long length, boolean inNative) {
    // No lambda here, because each would be an object per wait.
    Optional<Member> member = member(thread);
    if (member.isPresent()) {
      timed(member.get(), start, length, inNative);
    }
  }

  private void timed(Member member, long start, long length, boolean inNative) {
    long end = start + length;
    member.seen(start, end);
    member.waited += inNative ? 0 : length;
    for (long at = start; at < end; ) {
      at = member.group.add(at, end, inNative, sliceSeconds * SECOND);
    }
    while (member.group.slices.size() > MOST_SLICES) {
      widen();
    }
  }

  private void widen() {
    sliceSeconds *= 2;
    groups.values().forEach(Group::halve);
  }

  /** Records that a thread serves requests, by the stack of an event. */
  void serves(EventThread thread) {
    Optional<Member> member = member(thread);
    if (member.isPresent()) {
      member.get().group.serving = true;
    }
  }

  /** Empty for virtual threads, whose number is not limited, and above the limits. */
  private Optional<Member> member(EventThread thread) {
    int row = threads.find(thread.id());
    if (row != RowIndex.NONE) {
      return byThread.get(row);
    }
    return thread.virtual() || thread.name().isBlank() ? Optional.empty() : added(thread);
  }

  private Optional<Member> added(EventThread thread) {
    String name = redactor.redact(ThreadNames.numbered(thread.name()));
    Group group = groups.get(name);
    if (group == null && groups.size() < MOST_GROUPS) {
      group = new Group(name, ThreadNames.group(redactor.redact(thread.name())));
      groups.put(name, group);
    }
    if (group == null || group.members.size() >= MOST_MEMBERS) {
      return Optional.empty();
    }
    group.serving |= stacks.isRequestThread(thread.name());
    Member member = new Member(group);
    group.members.add(member);
    threads.row(thread.id());
    byThread.add(Optional.of(member));
    return byThread.get(byThread.size() - 1);
  }

  /** All groups, slice by slice. */
  List<GroupTime> times() {
    List<GroupTime> times = new ArrayList<>();
    for (Group group : groups.values()) {
      List<Member> workers =
          group.members.stream()
              .filter(member -> member.last >= member.first && !member.isLoop())
              .toList();
      long from = workers.stream().mapToLong(one -> one.first).min().orElse(0);
      long to = workers.stream().mapToLong(one -> one.last).max().orElse(0);
      // A single event with a wrong time would make the recording years long.
      while ((to - from) / (sliceSeconds * SECOND) > MOST_SLICES) {
        widen();
      }
      long length = sliceSeconds * SECOND;
      for (long slice = Math.floorDiv(from, length); slice * length < to; slice++) {
        long begin = slice * length;
        double present =
            workers.stream().mapToDouble(one -> one.nanosWithin(begin, begin + length)).sum();
        if (present > 0) {
          times.add(time(group, slice, present));
        }
      }
    }
    return times;
  }

  private GroupTime time(Group group, long slice, double present) {
    double[] nanos = group.slices.at(slice);
    return new GroupTime(
        Instant.ofEpochSecond(slice * sliceSeconds),
        Duration.ofSeconds(sliceSeconds),
        group.name,
        group.pattern,
        group.serving,
        present / SECOND,
        nanos[0] / SECOND,
        nanos[1] / SECOND);
  }
}
