package io.gcdiag.read.jfr;

import io.gcdiag.evidence.threads.ThreadGroupSample.UnrestedRun;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.RowIndex;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.jfr.reader.EventThread;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;

/** How long the threads of each group waited, and how many there are: see {@link WorkerTime}. */
final class WorkerTimes {

  /** Five seconds hold some dozen samples of each thread, and show a lull. */
  private static final long FIRST_SLICE = 5;

  private static final long SECOND = ThreadSpans.SECOND;

  /** A few hours; longer recordings are counted in steps of ten, twenty... seconds. */
  private static final int MOST_SLICES = 2_048;

  /** A service has some dozens of groups. */
  private static final int MOST_GROUPS = 500;

  /** A thread found idle in this many of a hundred samples only waits for sockets. */
  private static final int LOOPS_PERCENT = 90;

  /** Fewer samples make no share. */
  private static final int FEWEST_SAMPLES = 10;

  /** A group with more threads than this is no fixed set of workers. */
  private static final int MOST_MEMBERS = 5_000;

  /** The largest number of threads followed from start to end. */
  private static final int MOST_LIVES = 100_000;

  private static final WaitKind[] KINDS = WaitKind.values();

  /** Behind the kinds of waits: time that the server kept threads in reserve. */
  private static final int RESERVED = KINDS.length;

  private static final Slice NO_SLICE = new Slice(0, 0, new double[0]);

  private static final Group NO_GROUP = new Group("", FIRST_SLICE);

  private final Redactor redactor;
  private final Stacks stacks;
  private final RowIndex threads = new RowIndex();

  private final List<Group> byThread = new ArrayList<>();

  private final Map<String, Group> groups = new TreeMap<>();

  /** By the thread's number, of those that began or ended in the recording. */
  private final Map<Long, Life> lives = new HashMap<>();

  final GroupTimes whole;

  /** How long each thread did not rest. */
  final UnrestedRuns unrested;

  private long sliceSeconds = FIRST_SLICE;

  WorkerTimes(Stacks stacks, Redactor redactor) {
    whole = new GroupTimes(stacks, redactor);
    unrested = new UnrestedRuns(redactor);
    this.stacks = stacks;
    this.redactor = redactor;
  }

  /** One thread; how often samples found it, and how often waiting for sockets without work. */
  private static final class Member {
    private int polling;
    private int met;

    boolean isLoop() {
      return met >= FEWEST_SAMPLES && 100L * polling >= (long) LOOPS_PERCENT * met;
    }
  }

  /** From the start of a thread to its end, in nanoseconds since 1970. */
  private record Life(long from, long until) {
    private static final Life WHOLE = new Life(Long.MIN_VALUE, Long.MAX_VALUE);

    /** Share of a stretch in which the thread was there, 0 to 1. */
    double share(Slice slice) {
      long inside = Math.min(until, slice.to()) - Math.max(from, slice.from());
      return Math.max(0, inside) / (double) (slice.to() - slice.from());
    }
  }

  /** A stretch of time, in nanoseconds since 1970, and how long a group waited for what in it. */
  private record Slice(long from, long to, double[] seconds) {
    Map<WaitKind, Double> waited() {
      Map<WaitKind, Double> waited = new EnumMap<>(WaitKind.class);
      for (WaitKind kind : KINDS) {
        if (seconds[kind.ordinal()] > 0) {
          waited.put(kind, seconds[kind.ordinal()]);
        }
      }
      return waited;
    }
  }

  /** One group; time by slice. */
  private static final class Group {
    private final String name;
    private final Map<Long, Member> members = new HashMap<>();
    private final RoundCounter rounds = new RoundCounter();
    private boolean serving;
    private ByNumber<Slice> slices;

    /** The slice added to last; waits come almost in order of time. */
    private Slice latest = NO_SLICE;

    Group(String name, long sliceSeconds) {
      this.name = name;
      slices = slices(sliceSeconds);
    }

    private static ByNumber<Slice> slices(long sliceSeconds) {
      long width = sliceSeconds * SECOND;
      return new ByNumber<>(
          number -> new Slice(number * width, (number + 1) * width, new double[RESERVED + 1]));
    }

    void halve(long sliceSeconds) {
      ByNumber<Slice> narrow = slices;
      slices = slices(sliceSeconds);
      latest = NO_SLICE;
      for (long number : narrow.numbers()) {
        Slice slice = narrow.at(number);
        double[] into = slice(slice.from(), sliceSeconds).seconds();
        for (int i = 0; i < into.length; i++) {
          into[i] += slice.seconds()[i];
        }
      }
    }

    Slice slice(long at, long sliceSeconds) {
      if (at < latest.from() || at >= latest.to()) {
        latest = slices.at(Math.floorDiv(at, sliceSeconds * SECOND));
      }
      return latest;
    }
  }

  /** A sample found a thread, in a native call that waits for that or executing Java code. */
  void met(EventThread thread, boolean serving, Instant at, Optional<WaitKind> waiting) {
    boolean polling = waiting.filter(kind -> kind == WaitKind.IDLE).isPresent();
    whole.met(thread, serving, at, polling);
    Group group = group(thread);
    if (group == NO_GROUP) {
      return;
    }
    unrested.met(thread, at, waiting);
    group.serving |= serving;
    group.slice(ThreadSpans.nanos(at), sliceSeconds);
    Member member = group.members.getOrDefault(thread.id(), new Member());
    member.met++;
    member.polling += polling ? 1 : 0;
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
    if (group == NO_GROUP) {
      return;
    }
    group.serving |= serving;
    if (kind == WaitKind.IDLE) {
      unrested.rested(thread, start, start + length);
      group.rounds.rested(thread.id(), start, start + length);
    }
    add(group, start, start + length, kind.ordinal());
  }

  void started(EventThread thread, Instant at) {
    live(thread.id(), new Life(ThreadSpans.nanos(at), life(thread.id()).until()));
  }

  /** A thread ended: a server may replace those of its pool again and again. */
  void ended(EventThread thread, Instant at) {
    live(thread.id(), new Life(life(thread.id()).from(), ThreadSpans.nanos(at)));
  }

  /**
   * How often a thread rested, and when its last rest ended, in nanoseconds since 1970; empty if it
   * never did or has ended.
   */
  Optional<Rests> rests(long thread) {
    int row = threads.find(thread);
    return Optional.of(life(thread))
        .filter(life -> row != RowIndex.NONE && life.until() == Long.MAX_VALUE)
        .map(any -> byThread.get(row).rounds.latest.at(thread))
        .filter(rest -> rest.count > 0)
        .map(rest -> new Rests(rest.count, rest.until));
  }

  /** The rests of a thread, and the end of the last one. */
  record Rests(long count, long until) {}

  private Life life(long thread) {
    return lives.getOrDefault(thread, Life.WHOLE);
  }

  private void live(long thread, Life life) {
    if (lives.size() < MOST_LIVES || lives.containsKey(thread)) {
      lives.put(thread, life);
    }
  }

  /** The server kept a thread in reserve, which takes no request meanwhile. */
  void reserved(EventThread thread, long start, long length) {
    Group group = group(thread);
    if (group != NO_GROUP) {
      unrested.rested(thread, start, start + length);
      add(group, start, start + length, RESERVED);
    }
  }

  private void add(Group group, long start, long end, int column) {
    for (long at = start; at < end; ) {
      Slice slice = group.slice(at, sliceSeconds);
      long next = Math.min(end, slice.to());
      slice.seconds()[column] += (next - at) / (double) SECOND;
      at = next;
    }
    while (group.slices.size() > MOST_SLICES) {
      sliceSeconds *= 2;
      groups.values().forEach(one -> one.halve(sliceSeconds));
    }
  }

  /** Virtual threads have no group: there are as many as are wanted. */
  private Group group(EventThread thread) {
    if (thread.virtual()) {
      return NO_GROUP;
    }
    int row = threads.find(thread.id());
    if (row != RowIndex.NONE) {
      return byThread.get(row);
    }
    if (thread.name().isBlank()) {
      return NO_GROUP;
    }
    String name = redactor.redact(ThreadNames.numbered(thread.name()));
    Group group = groups.get(name);
    if (group == null) {
      if (groups.size() >= MOST_GROUPS) {
        return NO_GROUP;
      }
      group = new Group(name, sliceSeconds);
      groups.put(name, group);
    }
    group.serving |= stacks.isRequestThread(thread.name());
    if (group.members.size() < MOST_MEMBERS) {
      group.members.put(thread.id(), new Member());
      threads.row(thread.id());
      byThread.add(group);
    }
    return group;
  }

  /** How long the threads of each group that serves requests worked from one rest to the next. */
  List<WorkRounds> rounds() {
    return groups.values().stream()
        .filter(group -> group.serving)
        .flatMap(group -> group.rounds.rounds(group.name).stream())
        .toList();
  }

  /** All groups that have a worker, slice by slice. */
  List<WorkerTime> times() {
    List<WorkerTime> times = new ArrayList<>();
    for (Group group : groups.values()) {
      List<Life> workers =
          group.members.entrySet().stream()
              .filter(member -> !member.getValue().isLoop())
              .map(member -> life(member.getKey()))
              .toList();
      int loops = group.members.size() - workers.size();
      for (long number : group.slices.numbers()) {
        Slice slice = group.slices.at(number);
        double there = workers.stream().mapToDouble(life -> life.share(slice)).sum();
        if (there > 0) {
          times.add(
              new WorkerTime(
                  Instant.ofEpochSecond(number * sliceSeconds),
                  Duration.ofSeconds(sliceSeconds),
                  group.name,
                  group.serving,
                  there - slice.seconds()[RESERVED] / sliceSeconds,
                  loops,
                  slice.waited()));
        }
      }
    }
    return times;
  }

  /** Counts how long the threads of one group work between two rests: see {@link WorkRounds}. */
  static final class RoundCounter {

    /**
     * Half an hour by the second; a longer recording is counted in steps of two, four... seconds.
     */
    private static final int MOST_STEPS = 2_048;

    private final ByNumber<Rest> latest = new ByNumber<>(any -> new Rest());

    /** By the number of the step in which the rounds begin. */
    private ByNumber<Step> steps = new ByNumber<>(any -> new Step());

    private long stepSeconds = 1;

    /** In nanoseconds since 1970. */
    private static final class Rest {
      private long count;
      private long from;
      private long until;
    }

    /** The rounds that begin in one step, and the rests before them. */
    private record Step(Latencies.Counter rounds, Latencies.Counter rests) {
      Step() {
        this(new Latencies.Counter(), new Latencies.Counter());
      }

      void add(Step other) {
        rounds.add(other.rounds);
        rests.add(other.rests);
      }
    }

    /**
     * A thread had no work for a while; a thread's rests come in their order.
     *
     * @param from in nanoseconds since 1970
     */
    void rested(long thread, long from, long until) {
      Rest rest = latest.at(thread);
      if (rest.count > 0 && rest.until <= from) {
        Step step = steps.at(rest.until / SECOND / stepSeconds);
        step.rounds().add(Duration.ofNanos(from - rest.until));
        step.rests().add(Duration.ofNanos(rest.until - rest.from));
        if (steps.size() > MOST_STEPS) {
          stepSeconds *= 2;
          steps = steps.halved(Step::add);
        }
      }
      rest.count++;
      rest.from = from;
      rest.until = until;
    }

    List<WorkRounds> rounds(String group) {
      List<WorkRounds> rounds = new ArrayList<>();
      for (long number : steps.numbers()) {
        Step step = steps.at(number);
        rounds.add(
            new WorkRounds(
                Instant.ofEpochSecond(number * stepSeconds),
                Duration.ofSeconds(stepSeconds),
                group,
                step.rounds().latencies(),
                step.rests().latencies()));
      }
      return rounds;
    }
  }

  /**
   * For how long samples found each thread without once finding it at rest: see {@link
   * UnrestedRun}.
   *
   * <p>Samples are counted by the second first: a chunk does not hold them in the order of time.
   */
  static final class UnrestedRuns {

    /**
     * A thread that rests for a tenth of its time is met at rest in one of so many samples with a
     * probability of 96 %.
     */
    private static final int FEWEST_SAMPLES = 30;

    /** After this many steps without a sample, what the thread does is unknown. */
    private static final long LONGEST_GAP = 5;

    /** An hour of some dozens of threads; more is counted in steps of two, four... seconds. */
    private static final int MOST_STEPS = 200_000;

    private final Redactor redactor;
    private final ByNumber<Member> members = new ByNumber<>(any -> new Member());
    private long stepSeconds = 1;
    private int steps;

    UnrestedRuns(Redactor redactor) {
      this.redactor = redactor;
    }

    /** What samples found in one step. */
    private static final class Step {
      private boolean rested;
      private int samples;
      private int waiting;

      void add(Step other) {
        rested |= other.rested;
        samples += other.samples;
        waiting += other.waiting;
      }
    }

    private static final class Member {
      private String name = "";

      /** The second of its latest rest, which stays noted: of a thread's rests most begin in it. */
      private long restedIn = Long.MIN_VALUE;

      private ByNumber<Step> steps = new ByNumber<>(any -> new Step());
    }

    /** A sample found a thread, in a native call that waits for that or executing Java code. */
    void met(EventThread thread, Instant at, Optional<WaitKind> waiting) {
      Step step = step(thread, at.getEpochSecond());
      if (waiting.filter(kind -> kind == WaitKind.IDLE).isPresent()) {
        step.rested = true;
      } else {
        step.samples++;
        step.waiting += waiting.isPresent() ? 1 : 0;
      }
    }

    /**
     * The thread had no work for a while.
     *
     * @param from in nanoseconds since 1970
     */
    void rested(EventThread thread, long from, long until) {
      long first = from / ThreadSpans.SECOND;
      long last = until / ThreadSpans.SECOND;
      Member member = members.at(thread.id());
      if (first != member.restedIn) {
        step(thread, first).rested = true;
      }
      if (last != first) {
        step(thread, last).rested = true;
      }
      member.restedIn = last;
    }

    private Step step(EventThread thread, long second) {
      Member member = members.at(thread.id());
      if (member.steps.size() == 0) {
        member.name = thread.name();
      }
      int known = member.steps.size();
      Step step = member.steps.at(second / stepSeconds);
      steps += member.steps.size() - known;
      if (steps > MOST_STEPS) {
        widen();
        return step(thread, second);
      }
      return step;
    }

    private void widen() {
      stepSeconds *= 2;
      steps = 0;
      for (long thread : members.numbers()) {
        Member member = members.at(thread);
        member.steps = member.steps.halved(Step::add);
        steps += member.steps.size();
      }
    }

    List<UnrestedRun> runs() {
      List<UnrestedRun> runs = new ArrayList<>();
      for (long thread : members.numbers()) {
        runs(thread, members.at(thread), runs);
      }
      return runs;
    }

    private void runs(long thread, Member member, List<UnrestedRun> into) {
      Step sum = new Step();
      long from = 0;
      long last = 0;
      for (long number : member.steps.numbers()) {
        Step step = member.steps.at(number);
        if (step.rested || sum.samples > 0 && number - last > LONGEST_GAP) {
          add(thread, member, from, last, sum, into);
          sum = new Step();
        }
        if (!step.rested && step.samples > 0) {
          from = sum.samples == 0 ? number : from;
          last = number;
          sum.add(step);
        }
      }
      add(thread, member, from, last, sum, into);
    }

    private void add(
        long thread, Member member, long from, long last, Step sum, List<UnrestedRun> into) {
      if (sum.samples >= FEWEST_SAMPLES) {
        into.add(
            new UnrestedRun(
                Instant.ofEpochSecond(from * stepSeconds),
                Duration.ofSeconds((last + 1 - from) * stepSeconds),
                redactor.redact(ThreadNames.numbered(member.name)),
                thread,
                sum.samples,
                sum.waiting));
      }
    }
  }

  /**
   * Objects by a number, such as that of a second, created on first access. Called for every event,
   * so it creates no other object, and the number of the previous call needs no lookup. Iterating
   * in order takes a sort.
   */
  static final class ByNumber<T> {

    private final LongFunction<T> make;
    private final RowIndex rows = new RowIndex();
    private final List<T> things = new ArrayList<>();

    /**
     * Empty.
     *
     * @param make creates the object of a number
     */
    ByNumber(LongFunction<T> make) {
      this.make = make;
    }

    T at(long number) {
      int row = rows.row(number);
      if (row == things.size()) {
        things.add(make.apply(number));
      }
      return things.get(row);
    }

    int size() {
      return things.size();
    }

    /** All numbers with an object, in order. */
    long[] numbers() {
      return rows.sorted();
    }

    /**
     * Merges the objects of each two numbers into one with half the number.
     *
     * @param add adds the second object to the first
     */
    ByNumber<T> halved(BiConsumer<T, T> add) {
      ByNumber<T> half = new ByNumber<>(make);
      for (long number : numbers()) {
        add.accept(half.at(Math.floorDiv(number, 2)), at(number));
      }
      return half;
    }
  }
}
