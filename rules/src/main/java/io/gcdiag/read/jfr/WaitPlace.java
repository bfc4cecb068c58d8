package io.gcdiag.read.jfr;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.LockHold.Doing;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.Note;
import io.gcdiag.read.jfr.reader.Trace;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Waits with one stack for one thing: all that is said of them but their time and thread. It is
 * worked out once by the {@link Finder} of their type, and serves some thousands of events.
 */
final class WaitPlace {

  final StackKind kind;
  private final WaitKind wait;
  private final String what;
  final Doing doing;
  final PoolHolds.Step step;
  final boolean inNative;
  private final Function<WaitSite, WaitSeries.Builder> sites;
  private Optional<WaitedCode.At> code = Optional.empty();

  /** By whether the thread serves a request. */
  private final Map<Boolean, WaitSeries.Builder> series = new HashMap<>(2);

  /**
   * A place.
   *
   * @param kind what its stack says
   * @param what the pool, lock, remote address or file, with its secrets hidden
   * @param inNative whether the thread is in a native call meanwhile
   * @param sites gives the series of a site
   */
  WaitPlace(
      StackKind kind,
      WaitKind wait,
      String what,
      boolean inNative,
      Function<WaitSite, WaitSeries.Builder> sites) {
    this.kind = kind;
    this.wait = wait;
    this.what = what;
    this.doing = new Doing(wait, what);
    this.step = new PoolHolds.Step(Optional.of(wait), what, kind);
    this.inNative = inNative;
    this.sites = sites;
  }

  WaitKind waitsFor() {
    return wait;
  }

  boolean isIdle() {
    return wait == WaitKind.IDLE;
  }

  String what() {
    return what;
  }

  Optional<WaitedCode.At> code() {
    return code;
  }

  /** Where waits are added up, separately for request threads and others. */
  WaitSeries.Builder series(boolean onRequestThread) {
    WaitSeries.Builder known = series.get(onRequestThread);
    if (known == null) {
      known = sites.apply(new WaitSite(wait, what, onRequestThread, kind.top(), client()));
      series.put(onRequestThread, known);
    }
    return known;
  }

  private String client() {
    boolean call = wait == WaitKind.DOWNSTREAM && kind.waitsFor() == WaitKind.DOWNSTREAM;
    return call ? kind.name() : "";
  }

  /** The places of one type of waits, by their stacks and what is waited for. */
  static final class Finder {

    /** One stack reaches a few dozen remote hosts or files; names beyond that never repeat. */
    private static final int MOST_SUBJECTS = 256;

    private final Stacks stacks;
    private final String state;
    private final boolean subjectIsClass;
    private final Maker maker;
    private final Optional<Code> code;
    private final Note<Subjects> subjects = new Note<>(Subjects::new);

    private long asked;

    /** Says what a stack and a subject mean. */
    interface Maker {
      /**
       * Makes the place.
       *
       * @param kind what the stack says
       * @param subject the class, remote address or file that the event names
       */
      WaitPlace make(StackKind kind, Optional<String> subject);
    }

    /**
     * Where in the code the waits of one type of events are.
     *
     * @param event the name of the type
     */
    record Code(WaitedCode waited, String event) {}

    /**
     * Places of waits.
     *
     * @param code where they are added to the code; empty if they have been
     * @param state the state that the threads are in, such as {@code BLOCKED}
     * @param subjectIsClass whether the subject is the class of what is parked on or entered
     */
    Finder(Stacks stacks, Optional<Code> code, String state, boolean subjectIsClass, Maker maker) {
      this.stacks = stacks;
      this.code = code;
      this.state = state;
      this.subjectIsClass = subjectIsClass;
      this.maker = maker;
    }

    long asked() {
      return asked;
    }

    /** The places of one stack; the one before is mostly the next one, too. */
    private final class Subjects {
      private final Trace trace;
      private final boolean idle;
      private final Map<Optional<String>, WaitPlace> places = new HashMap<>(2);
      private Optional<String> latest = Optional.empty();
      private WaitPlace place;

      Subjects(Trace trace) {
        this.trace = trace;
        this.idle = !subjectIsClass && kind(trace, Optional.empty()).waitsFor() == WaitKind.IDLE;
      }

      WaitPlace at(Optional<String> subject) {
        boolean same = latest == subject || latest.equals(subject);
        latest = subject;
        if (place == null || !same) {
          place = places.get(subject);
          if (place == null) {
            if (places.size() >= MOST_SUBJECTS) {
              places.clear();
            }
            place = make(trace, subject);
            places.put(subject, place);
          }
        }
        return place;
      }
    }

    private WaitPlace make(Trace trace, Optional<String> subject) {
      Optional<String> parkedClass = subjectIsClass ? subject : Optional.empty();
      StackKind kind = kind(trace, parkedClass);
      WaitPlace place = maker.make(kind, subject);
      code.ifPresent(of -> place.code = Optional.of(of.waited().at(of.event(), trace, kind)));
      return place;
    }

    private StackKind kind(Trace trace, Optional<String> parkedClass) {
      return stacks.kind(trace, state, parkedClass);
    }

    WaitPlace at(Event event, Optional<String> subject) {
      asked++;
      return added(event, stacks.note(event, subjects).at(subject));
    }

    /**
     * The same, of a stack that may be one of waiting for work, whatever it waits for.
     *
     * @param subject shows what is waited for; not asked where it is work
     */
    WaitPlace at(Event event, Function<Event, Optional<String>> subject) {
      asked++;
      Subjects of = stacks.note(event, subjects);
      return added(event, of.at(of.idle ? Optional.empty() : subject.apply(event)));
    }

    private WaitPlace added(Event event, WaitPlace place) {
      if (place.code().isPresent()) {
        code.orElseThrow().waited().add(event, place.code().get());
      }
      return place;
    }
  }
}
