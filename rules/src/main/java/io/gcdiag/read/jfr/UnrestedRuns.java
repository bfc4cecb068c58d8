package io.gcdiag.read.jfr;

import io.gcdiag.evidence.threads.ThreadGroupSample.UnrestedRun;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.jfr.reader.EventThread;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * For how long samples found each thread without once finding it at rest: see {@link UnrestedRun}.
 *
 * <p>Samples are counted by the second first: a chunk does not hold them in the order of time.
 */
final class UnrestedRuns {

  /**
   * A thread that rests for a tenth of its time is met at rest in one of so many samples with a
   * probability of 96 %.
   */
  private static final int FEWEST_SAMPLES = 30;

  /** What a thread was at in so many steps without a sample, it is not known. */
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

  /** One thread. */
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
   * @param until the same
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

  /** All of them. */
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
